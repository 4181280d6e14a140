package io.strowger.tck;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonSource;
import io.strowger.spi.provider.JsonCodec;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Reads JSON for adapters under test, as strictly as the engine's own codec: UTF-8, one document,
 * no duplicate names in an object, at most {@value #MAX_DEPTH} levels. Not made for speed.
 *
 * <p>The kit has a reader of its own, so that it does not put a JSON library on its users' class
 * path, which may have another version of that library.
 *
 * <p>Safe on any thread.
 */
public final class TestJsonCodec implements JsonCodec {
  private static final int MAX_DEPTH = 128;

  @Override
  public Json parse(byte[] document) throws MalformedJsonException {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(document));
    } catch (CharacterCodingException e) {
      throw new MalformedJsonException("the document is not UTF-8");
    }
    return new Reader(document).document();
  }

  private static final class Reader {
    private final byte[] bytes;
    private final JsonSource source;
    private int position;
    private int depth;

    Reader(byte[] bytes) {
      this.bytes = bytes;
      this.source = new JsonSource(bytes);
    }

    Json document() throws MalformedJsonException {
      Json value = value();
      if (position < bytes.length) {
        throw malformed("surplus bytes after the document");
      }
      return value;
    }

    private MalformedJsonException malformed(String what) {
      return new MalformedJsonException(what + " at byte " + position);
    }

    /** Returns the next byte; -1 at the end. */
    private int peek() {
      return position < bytes.length ? bytes[position] : -1;
    }

    private void skipSpace() {
      while (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t') {
        position++;
      }
    }

    /** Skips the next byte if it is the expected one, and returns whether it was. */
    private boolean skipIf(char expected) {
      boolean isNext = peek() == expected;
      position += isNext ? 1 : 0;
      return isNext;
    }

    private void expect(char expected) throws MalformedJsonException {
      if (!skipIf(expected)) {
        throw malformed("'" + expected + "' is missing");
      }
    }

    private Json value() throws MalformedJsonException {
      skipSpace();
      if (++depth > MAX_DEPTH) {
        throw malformed("more than " + MAX_DEPTH + " levels");
      }
      Json value =
          switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> literal("true", Json.TRUE);
            case 'f' -> literal("false", Json.FALSE);
            case 'n' -> literal("null", Json.NULL);
            default -> number();
          };
      depth--;
      skipSpace();
      return value;
    }

    private Json literal(String word, Json value) throws MalformedJsonException {
      for (int i = 0; i < word.length(); i++) {
        expect(word.charAt(i));
      }
      return value;
    }

    private Json.Num number() throws MalformedJsonException {
      int start = position;
      skipIf('-');
      if (!skipIf('0')) {
        digits();
      }
      if (skipIf('.')) {
        digits();
      }
      if (skipIf('e') || skipIf('E')) {
        if (!skipIf('+')) {
          skipIf('-');
        }
        digits();
      }
      return source.number(start, position);
    }

    private void digits() throws MalformedJsonException {
      int start = position;
      while (peek() >= '0' && peek() <= '9') {
        position++;
      }
      if (position == start) {
        throw malformed("a value or a digit is missing");
      }
    }

    private Json.Str string() throws MalformedJsonException {
      int start = position;
      expect('"');
      while (peek() != '"') {
        if (position >= bytes.length || peek() >= 0 && peek() < ' ') {
          throw malformed("a string that does not end or holds a control character");
        }
        if (skipIf('\\')) {
          escape();
        } else {
          position++;
        }
      }
      position++;
      return source.string(start, position);
    }

    private void escape() throws MalformedJsonException {
      if (skipIf('u')) {
        for (int i = 0; i < 4; i++, position++) {
          if (Character.digit(peek(), 16) < 0) {
            throw malformed("four hexadecimal digits are missing");
          }
        }
      } else if (peek() < 0 || "\"\\/bfnrt".indexOf(peek()) < 0) {
        throw malformed("an unknown escape");
      } else {
        position++;
      }
    }

    private Json.Arr array() throws MalformedJsonException {
      int start = position;
      expect('[');
      skipSpace();
      var items = new ArrayList<Json>();
      if (!skipIf(']')) {
        do {
          items.add(value());
        } while (skipIf(','));
        expect(']');
      }
      return source.array(start, position, items.toArray(new Json[0]));
    }

    private Json.Obj object() throws MalformedJsonException {
      int start = position;
      expect('{');
      skipSpace();
      Set<String> names = new LinkedHashSet<>();
      var values = new ArrayList<Json>();
      if (!skipIf('}')) {
        do {
          skipSpace();
          if (!names.add(string().text())) {
            throw malformed("a duplicate name");
          }
          skipSpace();
          expect(':');
          values.add(value());
        } while (skipIf(','));
        expect('}');
      }
      return source.object(
          start, position, names.toArray(new String[0]), values.toArray(new Json[0]));
    }
  }
}
