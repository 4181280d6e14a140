package io.strowger.spi.error;

import io.strowger.spi.json.JsonPointer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One thing wrong with a document.
 *
 * @param at where
 * @param allowed what would be right, as the rest of a sentence: {@code must be 0 to 2}
 * @param given what came, quoted and cut; never the value of a secret
 * @param origin what put it there when it was not the caller: {@code preset writer}; otherwise null
 */
public record Problem(JsonPointer at, String allowed, String given, @Nullable String origin) {
  public Problem {
    Objects.requireNonNull(at, "at");
    Objects.requireNonNull(allowed, "allowed");
    Objects.requireNonNull(given, "given");
  }

  /** Of what the caller sent. */
  public Problem(JsonPointer at, String allowed, String given) {
    this(at, allowed, given, null);
  }

  /**
   * The problem as one clause of an error message: {@code /temperature: must be 0 to 2, was 2.5
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
