package io.strowger.spi.error;

import io.strowger.spi.json.JsonPointer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One thing wrong with a document.
 *
 * @param pointer the place in the document
 * @param allowed the rule that was broken, as the rest of a sentence: {@code must be 0 to 2}
 * @param value the value found, quoted and shortened; empty to omit it, never a secret
 * @param origin what supplied the value, such as {@code preset writer}; null for the caller
 */
public record Problem(JsonPointer pointer, String allowed, String value, @Nullable String origin) {
  public Problem {
    Objects.requireNonNull(pointer, "pointer");
    Objects.requireNonNull(allowed, "allowed");
    Objects.requireNonNull(value, "value");
  }

  /** Creates a problem in what the caller sent. */
  public Problem(JsonPointer pointer, String allowed, String value) {
    this(pointer, allowed, value, null);
  }

  /**
   * Returns this as one clause of an error message: {@code /temperature: must be 0 to 2, was 2.5
   * (from the preset writer)}.
   */
  @Override
  public String toString() {
    String path = pointer.toString();
    String clause = value.isEmpty() ? allowed : allowed + ", was " + value;
    String clauseWithPath = path.isEmpty() ? clause : path + ": " + clause;
    return origin == null ? clauseWithPath : clauseWithPath + " (from the " + origin + ")";
  }
}
