package io.strowger.spi.json;

/**
 * One parsed document, out of which a parser makes values that know their place in it. For authors
 * of parsers only.
 *
 * <p>The array is handed over: nobody may write to it again. Offsets are bytes; {@code end} is
 * exclusive. The parser answers for the positions and for well-formed, strictly valid UTF-8 text;
 * nothing is checked here, since this runs once per value.
 */
public final class JsonSource {
  private final byte[] bytes;

  /**
   * @param bytes the document in UTF-8; ownership passes to this object
   */
  public JsonSource(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A string literal, its quotes included in the span. */
  public Json.Str string(int start, int end) {
    return new Json.Str(bytes, start, end);
  }

  public Json.Num number(int start, int end) {
    return new Json.Num(bytes, start, end);
  }

  /**
   * An array from its opening to behind its closing bracket.
   *
   * @param items ownership passes
   */
  public Json.Arr array(int start, int end, Json[] items) {
    return new Json.Arr(items, bytes, start, end);
  }

  /**
   * An object from its opening to behind its closing brace.
   *
   * @param names unique member names, decoded; ownership passes
   * @param values one per name; ownership passes
   */
  public Json.Obj object(int start, int end, String[] names, Json[] values) {
    return new Json.Obj(names, values, bytes, start, end);
  }
}
