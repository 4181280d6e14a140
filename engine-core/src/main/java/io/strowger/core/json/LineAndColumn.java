package io.strowger.core.json;

/** Names a place in a document the way editors do. */
final class LineAndColumn {
  private LineAndColumn() {}

  /**
   * Returns the place as {@code line 2, column 18}. Both count from 1; a column is a character, not
   * a byte.
   *
   * @param document UTF-8 as far as the place
   * @param offset of a byte, from 0 to the length of the document
   */
  static String of(byte[] document, long offset) {
    int line = 1;
    int column = 1;
    for (int i = 0; i < offset; i++) {
      if (document[i] == '\n') {
        line++;
        column = 1;
      } else if ((document[i] & 0xC0) != 0x80) { // all but the later bytes of a character
        column++;
      }
    }
    return "line " + line + ", column " + column;
  }
}
