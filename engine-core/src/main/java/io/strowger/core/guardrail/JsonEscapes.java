package io.strowger.core.guardrail;

import io.strowger.spi.json.Json;
import java.util.Arrays;

/**
 * Decodes the escapes in JSON that grows, such as the arguments of a tool, so that an escape such
 * as {@code \}{@code u0034} does not hide a match. Also records the place of each decoded character
 * in the JSON. Confined to one thread.
 */
final class JsonEscapes implements GuardedText.ReplaceableRanges {
  private static final String ESCAPE_LETTERS = "\"\\/bfnrt";
  private static final String UNESCAPED = "\"\\/\b\f\n\r\t";

  private final StringBuilder json = new StringBuilder(); // the JSON from the base offset on
  private int baseOffset;
  private int[] ends = new int[64]; // the offset in the JSON at which each character ends
  private boolean[] inString = new boolean[64]; // whether each character is in a string
  private int firstCharacter; // the character at index 0 of both arrays
  private int count;
  private int decodedTo; // the offset up to which the JSON is decoded
  private boolean isInString;

  /**
   * Appends JSON and returns its decoded characters. An incomplete escape at the end is decoded
   * once the rest of it arrives.
   */
  String decode(String added, boolean isEnd) {
    json.append(added);
    var characters = new StringBuilder(added.length());
    int end = baseOffset + json.length();
    while (decodedTo < end) {
      char c = charAt(decodedTo);
      int length = c == '\\' ? escapeLength(end) : 1;
      if (length == 0 && !isEnd) {
        break;
      }
      boolean isEscape = length > 1;
      boolean isQuote = c == '"';
      characters.append(isEscape ? decodeEscape() : c);
      decodedTo += Math.max(1, length);
      add(decodedTo, isInString && !isQuote);
      isInString ^= isQuote;
    }
    return characters.toString();
  }

  private char charAt(int offset) {
    return json.charAt(offset - baseOffset);
  }

  /**
   * Returns the length of the escape at the current position; 0 when it is incomplete, 1 when it is
   * invalid.
   */
  private int escapeLength(int end) {
    if (decodedTo + 1 >= end) {
      return 0;
    }
    char letter = charAt(decodedTo + 1);
    if (letter != 'u') {
      return ESCAPE_LETTERS.indexOf(letter) >= 0 ? 2 : 1;
    }
    for (int i = decodedTo + 2; i < decodedTo + 6; i++) {
      if (i >= end) {
        return 0;
      }
      if (Character.digit(charAt(i), 16) < 0) {
        return 1;
      }
    }
    return 6;
  }

  private char decodeEscape() {
    char letter = charAt(decodedTo + 1);
    return letter == 'u'
        ? (char)
            Integer.parseInt(
                json.substring(decodedTo + 2 - baseOffset, decodedTo + 6 - baseOffset), 16)
        : UNESCAPED.charAt(ESCAPE_LETTERS.indexOf(letter));
  }

  private void add(int end, boolean isInside) {
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, count * 2);
      inString = Arrays.copyOf(inString, count * 2);
    }
    ends[count] = end;
    inString[count++] = isInside;
  }

  /** Returns the JSON in which the characters of a range are written. */
  String jsonOf(int from, int to) {
    return json.substring(jsonStart(from) - baseOffset, jsonStart(to) - baseOffset);
  }

  private int jsonStart(int character) {
    return character == firstCharacter ? baseOffset : ends[character - firstCharacter - 1];
  }

  /** Returns a label escaped for use in a JSON string. */
  static String escapeLabel(String label) {
    String quoted = Json.of(label).toString();
    return quoted.substring(1, quoted.length() - 1);
  }

  @Override
  public boolean isReplaceable(int start, int end) {
    for (int i = start; i < end; i++) {
      if (i < firstCharacter || !inString[i - firstCharacter]) {
        return false;
      }
    }
    return true;
  }

  /** Discards the data of the characters before this one. */
  void forget(int character) {
    int discarded = character - firstCharacter;
    if (discarded < TextScanner.MAX_UNDECIDED_CHARS / 8) {
      return;
    }
    int start = jsonStart(character);
    json.delete(0, start - baseOffset);
    baseOffset = start;
    ends = Arrays.copyOfRange(ends, discarded, discarded + Math.max(64, count - discarded));
    inString = Arrays.copyOfRange(inString, discarded, discarded + Math.max(64, count - discarded));
    count -= discarded;
    firstCharacter = character;
  }
}
