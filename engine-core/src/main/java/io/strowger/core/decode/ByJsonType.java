package io.strowger.core.decode;

import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * Rule for a value of one of several JSON types, such as a string or an array. Immutable, safe on
 * any thread.
 *
 * @param <T> the type that a valid value is converted to
 */
public record ByJsonType<T>(
    String allowed,
    @Nullable Rule<? extends T> string,
    @Nullable Rule<? extends T> array,
    @Nullable Rule<? extends T> object,
    @Nullable Rule<? extends T> number)
    implements Rule<T> {
  /**
   * Returns a rule that rejects every value; add the types it accepts.
   *
   * @param allowed the message for other types: {@code must be a string or an array of parts}
   */
  public static <T> ByJsonType<T> of(String allowed) {
    return new ByJsonType<>(allowed, null, null, null, null);
  }

  public ByJsonType<T> string(Rule<? extends T> rule) {
    return new ByJsonType<>(allowed, rule, array, object, number);
  }

  public ByJsonType<T> array(Rule<? extends T> rule) {
    return new ByJsonType<>(allowed, string, rule, object, number);
  }

  public ByJsonType<T> object(Rule<? extends T> rule) {
    return new ByJsonType<>(allowed, string, array, rule, number);
  }

  public ByJsonType<T> number(Rule<? extends T> rule) {
    return new ByJsonType<>(allowed, string, array, object, rule);
  }

  @Override
  public @Nullable T read(Json json, DecodingContext context) {
    Rule<? extends T> rule =
        switch (json) {
          case Json.Str s -> string;
          case Json.Arr a -> array;
          case Json.Obj o -> object;
          case Json.Num n -> number;
          case Json.Bool b -> null;
          case Json.Null n -> null;
        };
    if (rule == null) {
      context.reject(allowed, json);
      return null;
    }
    return rule.read(json, context);
  }
}
