package io.strowger.spi.json;

/**
 * One parsed document, from which a parser creates values that know their place in it. For authors
 * of parsers only.
 *
 * <p>This object takes ownership of the byte array passed to its constructor, which must not change
 * afterwards. Offsets are in bytes; {@code end} is exclusive. The parser must ensure that positions
 * are right and that text is well formed, strictly valid UTF-8; nothing is checked here, since this
 * runs once per value.
 */
public final class JsonSource {
  private final byte[] bytes;

  /**
   * @param bytes the document in UTF-8; ownership passes to this object
   */
  public JsonSource(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns a string literal; the span includes its quotes. */
  public Json.Str string(int start, int end) {
    return new Json.Str(bytes, start, end);
  }

  public Json.Num number(int start, int end) {
    return new Json.Num(bytes, start, end);
  }

  /**
   * Returns an array; the span includes both brackets.
   *
   * @param items the items; ownership passes to the array
   */
  public Json.Arr array(int start, int end, Json[] items) {
    return new Json.Arr(items, bytes, start, end);
  }

  /**
   * Returns an object; the span includes both braces.
   *
   * @param names unique member names, decoded; ownership passes
   * @param values one per name; ownership passes
   */
  public Json.Obj object(int start, int end, String[] names, Json[] values) {
    return new Json.Obj(names, values, bytes, start, end);
  }
}
