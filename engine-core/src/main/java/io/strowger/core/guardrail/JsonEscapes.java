package io.strowger.core.guardrail;

import io.strowger.spi.json.Json;
import java.util.Arrays;

/**
 * Decodes the escapes in JSON that grows, such as the arguments of a tool, so that an escape such
 * as {@code \}{@code u0034} does not hide a match, and records the place of each character in the
 * JSON. Confined to one thread.
 */
final class JsonEscapes implements GuardedText.ReplaceableRanges {
  private static final String ESCAPE_LETTERS = "\"\\/bfnrt";
  private static final String UNESCAPED = "\"\\/\b\f\n\r\t";

  private final StringBuilder written = new StringBuilder(); // the JSON from the base offset on
  private int base;
  private int[] ends = new int[64]; // the offset in the JSON at which each character ends
  private boolean[] inside = new boolean[64]; // whether each character is in a string
  private int first; // the character at index 0 of both arrays
  private int count;
  private int read; // the offset up to which the JSON is decoded
  private boolean string;

  /**
   * Appends JSON and returns its decoded characters. An incomplete escape at the end is decoded
   * once the rest of it arrives.
   */
  String read(String piece, boolean ended) {
    written.append(piece);
    var characters = new StringBuilder(piece.length());
    int end = base + written.length();
    while (read < end) {
      char c = at(read);
      int length = c == '\\' ? length(end) : 1;
      if (length == 0 && !ended) {
        break;
      }
      boolean escaped = length > 1;
      boolean quote = c == '"';
      characters.append(escaped ? unescaped() : c);
      read += Math.max(1, length);
      add(read, string && !quote);
      string ^= quote;
    }
    return characters.toString();
  }

  private char at(int place) {
    return written.charAt(place - base);
  }

  /**
   * Returns the length of the escape at the current position; 0 when it is incomplete, 1 when it is
   * invalid.
   */
  private int length(int end) {
    if (read + 1 >= end) {
      return 0;
    }
    char kind = at(read + 1);
    if (kind != 'u') {
      return ESCAPE_LETTERS.indexOf(kind) >= 0 ? 2 : 1;
    }
    for (int i = read + 2; i < read + 6; i++) {
      if (i >= end) {
        return 0;
      }
      if (Character.digit(at(i), 16) < 0) {
        return 1;
      }
    }
    return 6;
  }

  private char unescaped() {
    char kind = at(read + 1);
    return kind == 'u'
        ? (char) Integer.parseInt(written.substring(read + 2 - base, read + 6 - base), 16)
        : UNESCAPED.charAt(ESCAPE_LETTERS.indexOf(kind));
  }

  private void add(int end, boolean in) {
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, count * 2);
      inside = Arrays.copyOf(inside, count * 2);
    }
    ends[count] = end;
    inside[count++] = in;
  }

  /** Returns the JSON in which the characters of a range are written. */
  String written(int from, int to) {
    return written.substring(begin(from) - base, begin(to) - base);
  }

  private int begin(int character) {
    return character == first ? base : ends[character - first - 1];
  }

  /** Returns a label escaped for use in a JSON string. */
  static String label(String label) {
    String quoted = Json.of(label).toString();
    return quoted.substring(1, quoted.length() - 1);
  }

  @Override
  public boolean isReplaceable(int start, int end) {
    for (int i = start; i < end; i++) {
      if (i < first || !inside[i - first]) {
        return false;
      }
    }
    return true;
  }

  /** Discards the data of the characters before this one. */
  void forget(int character) {
    int gone = character - first;
    if (gone < TextScanner.MAX_HELD / 8) {
      return;
    }
    int begin = begin(character);
    written.delete(0, begin - base);
    base = begin;
    ends = Arrays.copyOfRange(ends, gone, gone + Math.max(64, count - gone));
    inside = Arrays.copyOfRange(inside, gone, gone + Math.max(64, count - gone));
    count -= gone;
    first = character;
  }
}
