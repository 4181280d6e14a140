package io.strowger.spi.json;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/** Decoding and measuring of JSON text. */
final class JsonText {
  /** The number of digits up to which any whole number fits into 64 bits. */
  static final int LONG_DIGITS = 18;

  private static final int MAX_SHOWN_BYTES = 960;

  /** The length of a Unicode escape, the longest way to write a character. */
  private static final int MAX_BYTES_PER_CHAR = 6;

  private JsonText() {}

  static String decodeLatin1(byte[] source, int start, int end) {
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

  /** Decodes into one array: decoded text is never longer than its source. */
  private static String unescape(byte[] source, int start, int firstEscape, int end) {
    byte[] out = new byte[end - start];
    int length = firstEscape - start;
    System.arraycopy(source, start, out, 0, length);
    int i = firstEscape;
    while (i < end) {
      byte octet = source[i++];
      if (octet != '\\') {
        out[length++] = octet;
        continue;
      }
      byte kind = source[i++];
      if (kind != 'u') {
        out[length++] = unescapedChar(kind);
        continue;
      }
      int c = parseHex(source, i);
      i += 4;
      if (Character.isSurrogate((char) c)) {
        return unescapeInPieces(source, start, firstEscape, end);
      }
      length = writeUtf8(c, out, length);
    }
    return new String(out, 0, length, StandardCharsets.UTF_8);
  }

  private static byte unescapedChar(byte kind) {
    return switch (kind) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> kind; // quote, backslash, slash
    };
  }

  private static int parseHex(byte[] source, int at) {
    int c = 0;
    for (int i = at; i < at + 4; i++) {
      c = c << 4 | Character.digit(source[i], 16);
    }
    return c;
  }

  /** Writes a character that is no surrogate: at most three bytes for the six of its escape. */
  private static int writeUtf8(int c, byte[] out, int length) {
    int position = length;
    if (c < 0x80) {
      out[position++] = (byte) c;
    } else if (c < 0x800) {
      out[position++] = (byte) (0xC0 | c >> 6);
      out[position++] = (byte) (0x80 | c & 0x3F);
    } else {
      out[position++] = (byte) (0xE0 | c >> 12);
      out[position++] = (byte) (0x80 | c >> 6 & 0x3F);
      out[position++] = (byte) (0x80 | c & 0x3F);
    }
    return position;
  }

  /** Decodes text with escaped surrogates; a lone one has no UTF-8 form and is kept. */
  private static String unescapeInPieces(byte[] source, int start, int firstEscape, int end) {
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
      if (kind == 'u') {
        out.append((char) parseHex(source, i));
        i += 4;
      } else {
        out.append((char) unescapedChar(kind));
      }
      copied = i;
    }
    return out.append(new String(source, copied, end - copied, StandardCharsets.UTF_8)).toString();
  }

  /**
   * Returns where the first {@code maxChars} characters of a string literal's content end; {@code
   * end} when there are no more. A sequence of four bytes, which is two characters, is not split.
   */
  static int endOfChars(int maxChars, byte[] source, int start, int end) {
    int i = start;
    for (int chars = 0; chars < maxChars && i < end; chars++) {
      byte octet = source[i];
      if (octet == '\\') {
        i += source[i + 1] == 'u' ? 6 : 2;
      } else if (octet >= 0) {
        i++;
      } else {
        int leadByte = octet & 0xFF;
        i += leadByte >= 0xF0 ? 4 : leadByte >= 0xE0 ? 3 : 2;
        chars += leadByte >= 0xF0 ? 1 : 0;
      }
    }
    return Math.min(i, end);
  }

  /** Returns whether the content of a string literal is this word. */
  static boolean is(String word, byte[] source, int start, int end) {
    for (int i = 0; start + i < end; i++) {
      byte octet = source[start + i];
      if (octet == '\\' || octet < 0) {
        return end - start <= word.length() * MAX_BYTES_PER_CHAR
            && decode(source, start, end).equals(word);
      }
      if (i == word.length() || word.charAt(i) != octet) {
        return false;
      }
    }
    return word.length() == end - start;
  }

  /** Returns whether the content of a string literal begins with this prefix, ignoring case. */
  static boolean startsWithIgnoreCase(String ascii, byte[] source, int start, int end) {
    int length = ascii.length();
    for (int i = 0; i < length && start + i < end; i++) {
      byte octet = source[start + i];
      if (octet == '\\' || octet < 0) {
        return decode(source, start, endOfChars(length, source, start, end))
            .regionMatches(true, 0, ascii, 0, length);
      }
      if (Character.toLowerCase((char) octet) != Character.toLowerCase(ascii.charAt(i))) {
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

  /** Parses a number of at most {@link #LONG_DIGITS} bytes. Plain digits create no string. */
  static OptionalLong asLong(byte[] source, int start, int end) {
    boolean negative = source[start] == '-';
    long value = 0;
    for (int i = negative ? start + 1 : start; i < end; i++) {
      if (source[i] < '0' || source[i] > '9') {
        return asLong(decodeLatin1(source, start, end));
      }
      value = value * 10 + source[i] - '0';
    }
    return OptionalLong.of(negative ? -value : value);
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

  /** Returns JSON for a log line or a failed assertion: whole when short, otherwise cut. */
  static String show(Json json) {
    byte[] bytes = json.toBytes();
    String text =
        new String(bytes, 0, Math.min(bytes.length, MAX_SHOWN_BYTES), StandardCharsets.UTF_8);
    return bytes.length <= MAX_SHOWN_BYTES ? text : text + "... (" + bytes.length + " bytes)";
  }
}
