package io.strowger.destinations;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonSource;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads one JSON text: the arguments of a tool call, or the answer of a collector. Accepts exactly
 * the grammar of RFC 8259 up to a depth of {@value #MOST_DEPTH}, and returns null for any other
 * text, which a model or a server may well write. Each instance reads one text on one thread.
 */
final class JsonReader {
  private static final int MOST_DEPTH = 64;

  private static final Pattern NUMBER =
      Pattern.compile("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?");

  private static final int ESCAPED_DIGITS = 4;

  private final byte[] bytes;
  private final JsonSource source;
  private final String latin; // the same bytes as characters, so that offsets agree
  private int at;

  private JsonReader(byte[] bytes) {
    this.bytes = bytes;
    this.source = new JsonSource(bytes);
    this.latin = new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** Returns the value a text holds; null when the text is not JSON. */
  static @Nullable Json read(String text) {
    var reader = new JsonReader(text.getBytes(StandardCharsets.UTF_8));
    Json value = reader.value(MOST_DEPTH);
    reader.skipSpace();
    return value != null && reader.at == reader.bytes.length ? value : null;
  }

  private @Nullable Json value(int depth) {
    skipSpace();
    return switch (peek()) {
      case '{' -> depth == 0 ? null : object(depth);
      case '[' -> depth == 0 ? null : array(depth);
      case '"' -> string();
      case 't' -> word("true", Json.TRUE);
      case 'f' -> word("false", Json.FALSE);
      case 'n' -> word("null", Json.NULL);
      default -> number();
    };
  }

  private @Nullable Json object(int depth) {
    Json.Obj.Builder object = Json.object();
    at++;
    skipSpace();
    if (take('}')) {
      return object.build();
    }
    do {
      skipSpace();
      Json.Str name = peek() == '"' ? string() : null;
      skipSpace();
      if (name == null || !take(':')) {
        return null;
      }
      Json value = value(depth - 1);
      if (value == null) {
        return null;
      }
      object.put(name.text(), value);
      skipSpace();
    } while (take(','));
    return take('}') ? object.build() : null;
  }

  private @Nullable Json array(int depth) {
    var items = new ArrayList<Json>();
    at++;
    skipSpace();
    if (take(']')) {
      return Json.array(items);
    }
    do {
      Json item = value(depth - 1);
      if (item == null) {
        return null;
      }
      items.add(item);
      skipSpace();
    } while (take(','));
    return take(']') ? Json.array(items) : null;
  }

  private Json.@Nullable Str string() {
    int start = at++;
    while (at < bytes.length) {
      int b = bytes[at++];
      if (b == '"') {
        return source.string(start, at);
      }
      boolean control = b >= 0 && b < ' '; // bytes of other than ASCII are negative
      if (control || b == '\\' && !escape()) {
        return null;
      }
    }
    return null;
  }

  private boolean escape() {
    int kind = peek();
    at++;
    if (kind != 'u') {
      return kind >= 0 && "\"\\/bfnrt".indexOf(kind) >= 0;
    }
    for (int i = 0; i < ESCAPED_DIGITS; i++) {
      if (Character.digit(peek(), 16) < 0) {
        return false;
      }
      at++;
    }
    return true;
  }

  private @Nullable Json number() {
    Matcher number = NUMBER.matcher(latin).region(at, latin.length());
    if (!number.lookingAt()) {
      return null;
    }
    int start = at;
    at = number.end();
    return source.number(start, at);
  }

  private @Nullable Json word(String word, Json value) {
    if (!latin.startsWith(word, at)) {
      return null;
    }
    at += word.length();
    return value;
  }

  private void skipSpace() {
    while (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t') {
      at++;
    }
  }

  private boolean take(char expected) {
    boolean there = peek() == expected;
    at += there ? 1 : 0;
    return there;
  }

  /** Returns the next byte; -1 at the end and for what is not ASCII. */
  private int peek() {
    return at < bytes.length ? Math.max(bytes[at], -1) : -1;
  }
}
