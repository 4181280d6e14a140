package io.strowger.core.decode;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * A value that may come as more than one kind of JSON, such as a string or an array. Immutable,
 * safe on any thread.
 *
 * @param <T> what a good value becomes
 */
public final class ByKind<T> implements Rule<T> {
  private final String allowed;
  private final @Nullable Rule<? extends T> string;
  private final @Nullable Rule<? extends T> array;
  private final @Nullable Rule<? extends T> object;
  private final @Nullable Rule<? extends T> number;

  private ByKind(
      String allowed,
      @Nullable Rule<? extends T> string,
      @Nullable Rule<? extends T> array,
      @Nullable Rule<? extends T> object,
      @Nullable Rule<? extends T> number) {
    this.allowed = allowed;
    this.string = string;
    this.array = array;
    this.object = object;
    this.number = number;
  }

  /**
   * @param allowed what is said of any other kind: {@code must be a string or an array of parts}
   */
  public static <T> ByKind<T> of(String allowed) {
    return new ByKind<>(allowed, null, null, null, null);
  }

  public ByKind<T> string(Rule<? extends T> rule) {
    return new ByKind<>(allowed, rule, array, object, number);
  }

  public ByKind<T> array(Rule<? extends T> rule) {
    return new ByKind<>(allowed, string, rule, object, number);
  }

  public ByKind<T> object(Rule<? extends T> rule) {
    return new ByKind<>(allowed, string, array, rule, number);
  }

  public ByKind<T> number(Rule<? extends T> rule) {
    return new ByKind<>(allowed, string, array, object, rule);
  }

  @Override
  public @Nullable T read(Json given, Reading reading) {
    Rule<? extends T> rule =
        switch (given) {
          case Json.Str s -> string;
          case Json.Arr a -> array;
          case Json.Obj o -> object;
          case Json.Num n -> number;
          case Json.Bool b -> null;
          case Json.Null n -> null;
        };
    if (rule == null) {
      reading.wrong(allowed, given);
      return null;
    }
    return rule.read(given, reading);
  }
}
