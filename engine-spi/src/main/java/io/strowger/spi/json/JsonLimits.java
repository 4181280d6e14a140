package io.strowger.spi.json;

/**
 * Limits on the shape of a JSON document. Its total size is limited by its reader.
 *
 * @param depth most objects and arrays inside each other; 1 to 1000
 * @param stringBytes longest string literal in bytes, as written; at least 1
 * @param nameChars longest member name in characters; at least 1
 * @param numberChars longest number in characters; at least 1
 * @param members most members of one object, or items of one array; at least 1
 * @param values most values in the whole document, since a value takes more room than the bytes it
 *     is written in; at least 1
 */
public record JsonLimits(
    int depth, int stringBytes, int nameChars, int numberChars, int members, int values) {
  /** The default limits: room for inlined media, but not for abusive documents. */
  public static final JsonLimits DEFAULT =
      new JsonLimits(64, 32 << 20, 1024, 64, 100_000, 1_000_000);

  public JsonLimits {
    if (depth < 1 || depth > 1000) {
      throw new IllegalArgumentException("depth must be 1 to 1000, was " + depth);
    }
    requirePositive("stringBytes", stringBytes);
    requirePositive("nameChars", nameChars);
    requirePositive("numberChars", numberChars);
    requirePositive("members", members);
    requirePositive("values", values);
  }

  private static void requirePositive(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, was " + value);
    }
  }

  /** Returns the same limits with another nesting depth. */
  public JsonLimits withDepth(int value) {
    return new JsonLimits(value, stringBytes, nameChars, numberChars, members, values);
  }

  /** Returns the same limits with another number of values. */
  public JsonLimits withValues(int value) {
    return new JsonLimits(depth, stringBytes, nameChars, numberChars, members, value);
  }
}
