package io.strowger.core.json;

/**
 * What a document may look like. Its size as a whole is bounded by whoever reads it.
 *
 * @param depth most containers inside each other; 1 to 1000
 * @param stringBytes longest string literal in bytes, as written; at least 1
 * @param nameChars longest member name in characters; at least 1
 * @param numberChars longest number in characters; at least 1
 */
public record JsonLimits(int depth, int stringBytes, int nameChars, int numberChars) {
  /** Room for inlined media, none for trickery. */
  public static final JsonLimits DEFAULT = new JsonLimits(64, 32 << 20, 1024, 64);

  public JsonLimits {
    if (depth < 1 || depth > 1000) {
      throw new IllegalArgumentException("depth must be 1 to 1000, was " + depth);
    }
    requirePositive("stringBytes", stringBytes);
    requirePositive("nameChars", nameChars);
    requirePositive("numberChars", numberChars);
  }

  private static void requirePositive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, was " + value);
    }
  }

  /** These limits, and {@link #DEFAULT}'s for the rest. */
  public static JsonLimits of(int depth, int stringBytes, int numberChars) {
    return new JsonLimits(depth, stringBytes, DEFAULT.nameChars, numberChars);
  }

  /** The same limits with another nesting depth. */
  public JsonLimits withDepth(int value) {
    return new JsonLimits(value, stringBytes, nameChars, numberChars);
  }
}
