package io.strowger.core.guardrail;

import io.strowger.spi.json.Json;
import java.util.Arrays;

/**
 * JSON in a text that grows, such as the arguments of a tool: its characters without escapes, so
 * that nobody hides what a filter looks for behind {@code \}{@code u0034}, and where each was
 * written. For one thread.
 */
final class JsonEscapes implements GuardedText.Spaces {
  private static final String SHORT = "\"\\/bfnrt";
  private static final String MEANT = "\"\\/\b\f\n\r\t";

  private final StringBuilder written = new StringBuilder(); // from base on
  private int base;
  private int[] ends = new int[64]; // where each character's spelling ends
  private boolean[] inside = new boolean[64]; // of a string
  private int first; // the first character that ends and inside know
  private int count;
  private int read; // of what is written
  private boolean string;

  /** The characters of the next piece; the beginning of an escape waits for its rest. */
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
      characters.append(escaped ? meant() : c);
      read += Math.max(1, length);
      add(read, string && !quote);
      string ^= quote;
    }
    return characters.toString();
  }

  private char at(int place) {
    return written.charAt(place - base);
  }

  /** Of the escape that begins here; 0 when its rest is not there, 1 when it is none. */
  private int length(int end) {
    if (read + 1 >= end) {
      return 0;
    }
    char kind = at(read + 1);
    if (kind != 'u') {
      return SHORT.indexOf(kind) >= 0 ? 2 : 1;
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

  private char meant() {
    char kind = at(read + 1);
    return kind == 'u'
        ? (char) Integer.parseInt(written.substring(read + 2 - base, read + 6 - base), 16)
        : MEANT.charAt(SHORT.indexOf(kind));
  }

  private void add(int end, boolean in) {
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, count * 2);
      inside = Arrays.copyOf(inside, count * 2);
    }
    ends[count] = end;
    inside[count++] = in;
  }

  /** What spells the characters from one place to another. */
  String written(int from, int to) {
    return written.substring(begin(from) - base, begin(to) - base);
  }

  private int begin(int character) {
    return character == first ? base : ends[character - first - 1];
  }

  /** A label in a string. */
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

  /** Characters before this one are not asked for any more. */
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
