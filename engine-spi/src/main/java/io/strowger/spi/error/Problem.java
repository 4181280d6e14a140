package io.strowger.spi.error;

import io.strowger.spi.json.JsonPointer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One thing wrong with a document.
 *
 * @param at the place in the document
 * @param allowed the rule that was broken, as the rest of a sentence: {@code must be 0 to 2}
 * @param given the value found, quoted and shortened; empty to omit it, never a secret
 * @param origin what supplied the value, such as {@code preset writer}; null for the caller
 */
public record Problem(JsonPointer at, String allowed, String given, @Nullable String origin) {
  public Problem {
    Objects.requireNonNull(at, "at");
    Objects.requireNonNull(allowed, "allowed");
    Objects.requireNonNull(given, "given");
  }

  /** Creates a problem in what the caller sent. */
  public Problem(JsonPointer at, String allowed, String given) {
    this(at, allowed, given, null);
  }

  /**
   * Returns this as one clause of an error message: {@code /temperature: must be 0 to 2, was 2.5
   * (from the preset writer)}.
   */
  @Override
  public String toString() {
    String place = at.toString();
    String clause = given.isEmpty() ? allowed : allowed + ", was " + given;
    String placed = place.isEmpty() ? clause : place + ": " + clause;
    return origin == null ? placed : placed + " (from the " + origin + ")";
  }
}
