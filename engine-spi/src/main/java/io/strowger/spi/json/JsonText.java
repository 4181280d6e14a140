package io.strowger.spi.json;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/** Decoding and measuring of JSON text. */
final class JsonText {
  private static final int SHOWN = 120;

  private JsonText() {}

  static String latin(byte[] source, int start, int end) {
    return new String(source, start, end - start, StandardCharsets.ISO_8859_1);
  }

  /** Decodes the inside of a string literal that a parser has found to be well formed. */
  static String decode(byte[] source, int start, int end) {
    int i = start;
    while (i < end && source[i] != '\\') {
      i++;
    }
    return i == end
        ? new String(source, start, end - start, StandardCharsets.UTF_8)
        : unescape(source, start, i, end);
  }

  private static String unescape(byte[] source, int start, int firstEscape, int end) {
    var out = new StringBuilder(end - start);
    int copied = start;
    int i = firstEscape;
    while (i < end) {
      if (source[i] != '\\') {
        i++;
        continue;
      }
      out.append(new String(source, copied, i - copied, StandardCharsets.UTF_8));
      byte kind = source[i + 1];
      i += 2;
      switch (kind) {
        case 'b' -> out.append('\b');
        case 'f' -> out.append('\f');
        case 'n' -> out.append('\n');
        case 'r' -> out.append('\r');
        case 't' -> out.append('\t');
        case 'u' -> {
          out.append((char) Integer.parseInt(latin(source, i, i + 4), 16));
          i += 4;
        }
        default -> out.append((char) kind); // quote, backslash, slash
      }
      copied = i;
    }
    return out.append(new String(source, copied, end - copied, StandardCharsets.UTF_8)).toString();
  }

  /** Whether the inside of a string literal spells this word. */
  static boolean is(String word, byte[] source, int start, int end) {
    for (int i = 0; start + i < end; i++) {
      byte written = source[start + i];
      if (written == '\\' || written < 0) {
        return decode(source, start, end).equals(word);
      }
      if (i == word.length() || word.charAt(i) != written) {
        return false;
      }
    }
    return word.length() == end - start;
  }

  /** Whether the inside of a string literal begins so, in either case. */
  static boolean startsWith(String ascii, byte[] source, int start, int end) {
    int length = ascii.length();
    for (int i = 0; i < length && start + i < end; i++) {
      byte written = source[start + i];
      if (written == '\\' || written < 0) {
        return decode(source, start, end).regionMatches(true, 0, ascii, 0, length);
      }
      if (Character.toLowerCase((char) written) != Character.toLowerCase(ascii.charAt(i))) {
        return false;
      }
    }
    return end - start >= length;
  }

  static int utf8Length(String text) {
    int length = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        length++;
      } else if (c < 0x800) {
        length += 2;
      } else if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        length += 4;
        i++;
      } else {
        length += 3;
      }
    }
    return length;
  }

  static OptionalLong asLong(String spelling) {
    try {
      return OptionalLong.of(Long.parseLong(spelling));
    } catch (NumberFormatException notPlain) {
      try {
        return OptionalLong.of(new BigDecimal(spelling).longValueExact());
      } catch (ArithmeticException | NumberFormatException notWhole) {
        return OptionalLong.empty();
      }
    }
  }

  /** JSON for a log line or a failed assertion: whole when short, otherwise cut. */
  static String show(Json json) {
    byte[] bytes = json.toBytes();
    String text = new String(bytes, 0, Math.min(bytes.length, SHOWN * 8), StandardCharsets.UTF_8);
    return bytes.length <= SHOWN * 8 ? text : text + "... (" + bytes.length + " bytes)";
  }
}
