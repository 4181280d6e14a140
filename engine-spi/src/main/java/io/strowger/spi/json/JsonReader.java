package io.strowger.spi.json;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Parses a text that may be JSON. A model or a server wrote it, so invalid JSON is expected and
 * throws no exception. Strict; runs in linear time, and descends at most {@value #MAX_DEPTH}
 * levels. Each instance reads one text on one thread.
 */
final class JsonReader {
  private static final int MAX_DEPTH = 500;

  private final byte[] bytes;
  private final JsonSource source;
  private int position;
  private int depth;

  private JsonReader(byte[] bytes) {
    this.bytes = bytes;
    this.source = new JsonSource(bytes);
  }

  /** Returns the parsed value; null when it is not JSON or an object repeats a name. */
  static @Nullable Json read(byte[] document) {
    var reader = new JsonReader(document);
    Json value = reader.readValue();
    return reader.position == reader.bytes.length ? value : null;
  }

  /** Reads a value and the space around it; null when there is none. */
  private @Nullable Json readValue() {
    skipSpace();
    int start = position;
    Json value =
        switch (peek()) {
          case '{' -> readNested(start);
          case '[' -> readNested(start);
          case '"' -> readString();
          case 't' -> readWord("true", Json.TRUE);
          case 'f' -> readWord("false", Json.FALSE);
          case 'n' -> readWord("null", Json.NULL);
          default -> readNumber(start);
        };
    skipSpace();
    return value;
  }

  /** Returns the next byte; -1 (never in UTF-8) at the end. */
  private int peek() {
    return position < bytes.length ? bytes[position] : -1;
  }

  private boolean skip(char expected) {
    boolean isExpected = peek() == expected;
    position += isExpected ? 1 : 0;
    return isExpected;
  }

  private void skipSpace() {
    while (position < bytes.length
        && (bytes[position] == ' '
            || bytes[position] == '\n'
            || bytes[position] == '\r'
            || bytes[position] == '\t')) {
      position++;
    }
  }

  private @Nullable Json readWord(String word, Json value) {
    for (int i = 0; i < word.length(); i++) {
      if (!skip(word.charAt(i))) {
        return null;
      }
    }
    return value;
  }

  private @Nullable Json readNumber(int start) {
    skip('-');
    if (!skip('0') && !skipDigits()) {
      return null;
    }
    if (skip('.') && !skipDigits()) {
      return null;
    }
    if (skip('e') || skip('E')) {
      position += peek() == '+' || peek() == '-' ? 1 : 0;
      if (!skipDigits()) {
        return null;
      }
    }
    return source.number(start, position);
  }

  private boolean skipDigits() {
    int start = position;
    while (peek() >= '0' && peek() <= '9') {
      position++;
    }
    return position > start;
  }

  private Json.@Nullable Str readString() {
    int start = position;
    if (!skip('"')) {
      return null;
    }
    while (!skip('"')) {
      int next = peek();
      if (next == -1 || next >= 0 && next < ' ') {
        return null;
      }
      position++;
      if (next == '\\' && !skipEscape()) {
        return null;
      }
    }
    return source.string(start, position);
  }

  private boolean skipEscape() {
    if (!skip('u')) {
      boolean isKnownEscape = peek() > 0 && "\"\\/bfnrt".indexOf(peek()) >= 0;
      position += isKnownEscape ? 1 : 0;
      return isKnownEscape;
    }
    for (int i = 0; i < 4; i++) {
      if (!HexFormat.isHexDigit(peek())) {
        return false;
      }
      position++;
    }
    return true;
  }

  private @Nullable Json readNested(int start) {
    if (depth == MAX_DEPTH) {
      return null;
    }
    depth++;
    Json value = skip('{') ? readObject(start) : readArray(start);
    depth--;
    return value;
  }

  private @Nullable Json readArray(int start) {
    var items = new ArrayList<Json>();
    position++;
    skipSpace();
    while (!skip(']')) {
      if (!items.isEmpty() && !skip(',')) {
        return null;
      }
      Json item = readValue();
      if (item == null) {
        return null;
      }
      items.add(item);
    }
    return source.array(start, position, items.toArray(new Json[0]));
  }

  private @Nullable Json readObject(int start) {
    var names = new ArrayList<String>();
    var values = new ArrayList<Json>();
    skipSpace();
    while (!skip('}')) {
      if (!names.isEmpty() && !skip(',')) {
        return null;
      }
      skipSpace();
      Json.Str name = readString();
      skipSpace();
      Json value = name == null || !skip(':') ? null : readValue();
      if (name == null || value == null) {
        return null;
      }
      names.add(name.text());
      values.add(value);
    }
    return new HashSet<>(names).size() < names.size()
        ? null
        : source.object(start, position, names.toArray(new String[0]), values.toArray(new Json[0]));
  }
}
