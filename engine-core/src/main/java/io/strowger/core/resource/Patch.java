package io.strowger.core.resource;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a change says of one member, where absent and null differ: leave it, empty it, or set it.
 *
 * @param <T> of the member
 */
public sealed interface Patch<T> {
  /** The member was not there: what it holds stays. */
  record Absent<T>() implements Patch<T> {}

  /** The member was an explicit null. */
  record Clear<T>() implements Patch<T> {}

  /** The member had a value. */
  record Set<T>(T value) implements Patch<T> {
    public Set {
      Objects.requireNonNull(value, "value");
    }
  }

  static <T> Patch<T> absent() {
    return new Absent<>();
  }

  static <T> Patch<T> clear() {
    return new Clear<>();
  }

  static <T> Patch<T> set(T value) {
    return new Set<>(value);
  }

  /**
   * What the member holds after the change.
   *
   * @param current what it holds before; null when it is empty
   */
  default @Nullable T applyTo(@Nullable T current) {
    return switch (this) {
      case Absent<T> absent -> current;
      case Clear<T> clear -> null;
      case Set<T>(T value) -> value;
    };
  }
}
