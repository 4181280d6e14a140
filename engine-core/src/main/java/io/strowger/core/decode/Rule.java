package io.strowger.core.decode;

import io.strowger.spi.json.Json;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one value of a document has to be. Immutable, safe on any thread; the usual ones are in
 * {@link Rules}.
 *
 * @param <T> what a good value becomes
 */
@FunctionalInterface
public interface Rule<T> {
  /**
   * Judges the value at the place where the reading stands.
   *
   * @return the value in its type; null when it is wrong, which the reading then knows, and when it
   *     is an explicit null that may be one
   */
  @Nullable T read(Json given, DecodingContext context);

  /** The same, but an explicit null is right and means the same as nothing. */
  default Rule<T> orNull() {
    return (given, context) -> given instanceof Json.Null ? null : read(given, context);
  }

  /** The same, but what came is never shown. */
  default Rule<T> secret() {
    return (given, context) -> context.readSecret(this, given);
  }

  /**
   * The same, made into something else.
   *
   * @param made null for what cannot be
   * @param allowed what is said of that: {@code must be a date}
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

  /** The same, made into something else. */
  default <R> Rule<R> to(Function<? super T, ? extends R> made) {
    return (given, context) -> {
      T value = read(given, context);
      return value == null ? null : made.apply(value);
    };
  }

  /** The same value, kept in its JSON form. */
  default Rule<Json> asJson() {
    return (given, context) -> read(given, context) == null ? null : given;
  }
}
