package io.strowger.core.decode;

import io.strowger.spi.json.Json;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Checks and converts one value of a document. Immutable, safe on any thread; common rules are in
 * {@link Rules}.
 *
 * @param <T> the type that a valid value is converted to
 */
@FunctionalInterface
public interface Rule<T> {
  /**
   * Checks and converts the value at the current place.
   *
   * @return the converted value; null when it is wrong, and the problem was added to the context,
   *     or when it is an explicit null that is allowed
   */
  @Nullable T read(Json json, DecodingContext context);

  /** Returns this rule, but with an explicit null allowed, which is treated as absent. */
  default Rule<T> orNull() {
    return (json, context) -> json instanceof Json.Null ? null : read(json, context);
  }

  /** Returns this rule, but with the value never shown in problems. */
  default Rule<T> secret() {
    return (json, context) -> context.readSecret(this, json);
  }

  /**
   * Returns this rule with its value converted by a function that may reject it.
   *
   * @param converter converts the value; returns null for one that it rejects
   * @param allowed the message for a rejected value: {@code must be a date}
   */
  default <R> Rule<R> to(Function<? super T, ? extends @Nullable R> converter, String allowed) {
    return (json, context) -> {
      T value = read(json, context);
      if (value == null) {
        return null;
      }
      R converted = converter.apply(value);
      if (converted == null) {
        context.reject(allowed, json);
      }
      return converted;
    };
  }

  /** Returns this rule with its value converted by a function. */
  default <R> Rule<R> to(Function<? super T, ? extends R> converter) {
    return (json, context) -> {
      T value = read(json, context);
      return value == null ? null : converter.apply(value);
    };
  }

  /** Returns this rule, but with the value kept in its JSON form. */
  default Rule<Json> asJson() {
    return (json, context) -> read(json, context) == null ? null : json;
  }
}
