package io.strowger.core.decode;

import io.strowger.spi.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An object whose members depend on one of them, usually {@code type}: a line a kind, in the order
 * of the contract. Immutable once built, safe on any thread.
 *
 * @param <T> what a good value becomes
 */
public final class Union<T> implements Rule<T> {
  private final String discriminator;
  private final Map<String, Rule<? extends T>> kinds;
  private final String[] names;
  private final List<Rule<? extends T>> rules;
  private final @Nullable Rule<? extends T> other;
  private final String allowed;

  private Union(
      String discriminator,
      Map<String, Rule<? extends T>> kinds,
      @Nullable Rule<? extends T> other) {
    this.discriminator = discriminator;
    this.kinds = kinds;
    this.names = kinds.keySet().toArray(new String[0]);
    this.rules = List.copyOf(kinds.values());
    this.other = other;
    this.allowed = "must be " + (names.length == 1 ? "" : "one of ") + String.join(", ", names);
  }

  /**
   * @param discriminator the member that tells; its rule need not be repeated in the kinds' tables
   */
  public static <T> Union<T> on(String discriminator) {
    return new Union<>(discriminator, Map.of(), null);
  }

  /** One kind. */
  public Union<T> when(String kind, Rule<? extends T> rule) {
    var more = new LinkedHashMap<>(kinds);
    if (more.putIfAbsent(kind, rule) != null) {
      throw new IllegalArgumentException("two rules for " + kind);
    }
    return new Union<>(discriminator, more, other);
  }

  /** What a kind of any other name has to be; without it such a kind is wrong. */
  public Union<T> otherwise(Rule<? extends T> rule) {
    return new Union<>(discriminator, kinds, rule);
  }

  @Override
  public @Nullable T read(Json given, Reading reading) {
    if (!(given instanceof Json.Obj object)) {
      reading.wrong("must be an object", given);
      return null;
    }
    Json kind = object.get(discriminator);
    if (kind == null) {
      reading.missing(discriminator);
      return null;
    }
    if (!(kind instanceof Json.Str name)) {
      reading.wrong(discriminator, other == null ? allowed : "must be a string", kind);
      return null;
    }
    Rule<? extends T> rule = ruleOf(name);
    if (rule == null) {
      reading.wrong(discriminator, allowed, kind);
      return null;
    }
    return rule.read(given, reading);
  }

  /** Looks through the kinds, which are few, rather than decode the name. */
  private @Nullable Rule<? extends T> ruleOf(Json.Str name) {
    for (int i = 0; i < names.length; i++) {
      if (name.is(names[i])) {
        return rules.get(i);
      }
    }
    return other;
  }
}
