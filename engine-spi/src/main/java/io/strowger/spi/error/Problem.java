package io.strowger.spi.error;

import io.strowger.spi.json.JsonPointer;
import java.util.Objects;

/**
 * One thing wrong with a document.
 *
 * @param at where
 * @param allowed what would be right, as the rest of a sentence: {@code must be 0 to 2}
 * @param given what came, quoted and cut; never the value of a secret
 */
public record Problem(JsonPointer at, String allowed, String given) {
  public Problem {
    Objects.requireNonNull(at, "at");
    Objects.requireNonNull(allowed, "allowed");
    Objects.requireNonNull(given, "given");
  }

  /**
   * The problem as one clause of an error message: {@code /temperature: must be 0 to 2, was 2.5}.
   */
  @Override
  public String toString() {
    String place = at.toString();
    String clause = given.isEmpty() ? allowed : allowed + ", was " + given;
    return place.isEmpty() ? clause : place + ": " + clause;
  }
}
