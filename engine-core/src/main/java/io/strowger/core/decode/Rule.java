package io.strowger.core.decode;

import io.strowger.spi.json.Json;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Checks and converts one value of a document. Immutable, safe on any thread; common ones are in
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
  @Nullable T read(Json given, DecodingContext context);

  /** Returns this rule, but with an explicit null allowed, which is treated as absent. */
  default Rule<T> orNull() {
    return (given, context) -> given instanceof Json.Null ? null : read(given, context);
  }

  /** Returns this rule, but with the value never shown in problems. */
  default Rule<T> secret() {
    return (given, context) -> context.readSecret(this, given);
  }

  /**
   * Returns this rule with its value converted by a function that may reject it.
   *
   * @param made converts the value; returns null for one that it rejects
   * @param allowed the message for a rejected value: {@code must be a date}
   */
  default <R> Rule<R> to(Function<? super T, ? extends @Nullable R> made, String allowed) {
    return (given, context) -> {
      T value = read(given, context);
      if (value == null) {
        return null;
      }
      R other = made.apply(value);
      if (other == null) {
        context.reject(allowed, given);
      }
      return other;
    };
  }

  /** Returns this rule with its value converted by a function. */
  default <R> Rule<R> to(Function<? super T, ? extends R> made) {
    return (given, context) -> {
      T value = read(given, context);
      return value == null ? null : made.apply(value);
    };
  }

  /** Returns this rule, but with the value kept in its JSON form. */
  default Rule<Json> asJson() {
    return (given, context) -> read(given, context) == null ? null : given;
  }
}
