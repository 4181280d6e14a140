package io.strowger.spi.json;

import java.nio.charset.StandardCharsets;
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
  private int at;
  private int depth;

  private JsonReader(byte[] bytes) {
    this.bytes = bytes;
    this.source = new JsonSource(bytes);
  }

  /** Returns the parsed value; null when it is not JSON or an object repeats a name. */
  static @Nullable Json read(String text) {
    var reader = new JsonReader(text.getBytes(StandardCharsets.UTF_8));
    Json value = reader.value();
    return reader.at == reader.bytes.length ? value : null;
  }

  /** Reads a value and the space around it; null when there is none. */
  private @Nullable Json value() {
    space();
    int start = at;
    Json value =
        switch (peek()) {
          case '{' -> nested(start);
          case '[' -> nested(start);
          case '"' -> string();
          case 't' -> word("true", Json.TRUE);
          case 'f' -> word("false", Json.FALSE);
          case 'n' -> word("null", Json.NULL);
          default -> number(start);
        };
    space();
    return value;
  }

  /** Returns the next byte; -1 (never in UTF-8) at the end. */
  private int peek() {
    return at < bytes.length ? bytes[at] : -1;
  }

  private boolean skip(char expected) {
    boolean found = peek() == expected;
    at += found ? 1 : 0;
    return found;
  }

  private void space() {
    while (at < bytes.length
        && (bytes[at] == ' ' || bytes[at] == '\n' || bytes[at] == '\r' || bytes[at] == '\t')) {
      at++;
    }
  }

  private @Nullable Json word(String word, Json value) {
    for (int i = 0; i < word.length(); i++) {
      if (!skip(word.charAt(i))) {
        return null;
      }
    }
    return value;
  }

  private @Nullable Json number(int start) {
    skip('-');
    if (!skip('0') && !digits()) {
      return null;
    }
    if (skip('.') && !digits()) {
      return null;
    }
    if (skip('e') || skip('E')) {
      at += peek() == '+' || peek() == '-' ? 1 : 0;
      if (!digits()) {
        return null;
      }
    }
    return source.number(start, at);
  }

  private boolean digits() {
    int start = at;
    while (peek() >= '0' && peek() <= '9') {
      at++;
    }
    return at > start;
  }

  private Json.@Nullable Str string() {
    int start = at;
    if (!skip('"')) {
      return null;
    }
    while (!skip('"')) {
      int next = peek();
      if (next == -1 || next >= 0 && next < ' ') {
        return null;
      }
      at++;
      if (next == '\\' && !escape()) {
        return null;
      }
    }
    return source.string(start, at);
  }

  private boolean escape() {
    if (!skip('u')) {
      boolean known = peek() > 0 && "\"\\/bfnrt".indexOf(peek()) >= 0;
      at += known ? 1 : 0;
      return known;
    }
    for (int i = 0; i < 4; i++) {
      if (!HexFormat.isHexDigit(peek())) {
        return false;
      }
      at++;
    }
    return true;
  }

  private @Nullable Json nested(int start) {
    if (depth == MAX_DEPTH) {
      return null;
    }
    depth++;
    Json value = skip('{') ? object(start) : array(start);
    depth--;
    return value;
  }

  private @Nullable Json array(int start) {
    var items = new ArrayList<Json>();
    at++;
    space();
    while (!skip(']')) {
      if (!items.isEmpty() && !skip(',')) {
        return null;
      }
      Json item = value();
      if (item == null) {
        return null;
      }
      items.add(item);
    }
    return source.array(start, at, items.toArray(new Json[0]));
  }

  private @Nullable Json object(int start) {
    var names = new ArrayList<String>();
    var values = new ArrayList<Json>();
    space();
    while (!skip('}')) {
      if (!names.isEmpty() && !skip(',')) {
        return null;
      }
      space();
      Json.Str name = string();
      space();
      Json value = name == null || !skip(':') ? null : value();
      if (name == null || value == null) {
        return null;
      }
      names.add(name.text());
      values.add(value);
    }
    return new HashSet<>(names).size() < names.size()
        ? null
        : source.object(start, at, names.toArray(new String[0]), values.toArray(new Json[0]));
  }
}
