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
    private int at;
    private int depth;

    Reader(byte[] bytes) {
      this.bytes = bytes;
      this.source = new JsonSource(bytes);
    }

    Json document() throws MalformedJsonException {
      Json value = value();
      if (at < bytes.length) {
        throw malformed("something behind the document");
      }
      return value;
    }

    private MalformedJsonException malformed(String what) {
      return new MalformedJsonException(what + " at byte " + at);
    }

    /** Returns the next byte; -1 at the end. */
    private int peek() {
      return at < bytes.length ? bytes[at] : -1;
    }

    private void space() {
      while (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t') {
        at++;
      }
    }

    /** Skips the next byte if it is the expected one, and returns whether it was. */
    private boolean takes(char expected) {
      boolean there = peek() == expected;
      at += there ? 1 : 0;
      return there;
    }

    private void expect(char expected) throws MalformedJsonException {
      if (!takes(expected)) {
        throw malformed("'" + expected + "' is missing");
      }
    }

    private Json value() throws MalformedJsonException {
      space();
      if (++depth > MAX_DEPTH) {
        throw malformed("more than " + MAX_DEPTH + " levels");
      }
      Json value =
          switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", Json.TRUE);
            case 'f' -> word("false", Json.FALSE);
            case 'n' -> word("null", Json.NULL);
            default -> number();
          };
      depth--;
      space();
      return value;
    }

    private Json word(String word, Json value) throws MalformedJsonException {
      for (int i = 0; i < word.length(); i++) {
        expect(word.charAt(i));
      }
      return value;
    }

    private Json.Num number() throws MalformedJsonException {
      int start = at;
      takes('-');
      if (!takes('0')) {
        digits();
      }
      if (takes('.')) {
        digits();
      }
      if (takes('e') || takes('E')) {
        if (!takes('+')) {
          takes('-');
        }
        digits();
      }
      return source.number(start, at);
    }

    private void digits() throws MalformedJsonException {
      int start = at;
      while (peek() >= '0' && peek() <= '9') {
        at++;
      }
      if (at == start) {
        throw malformed("a value or a digit is missing");
      }
    }

    private Json.Str string() throws MalformedJsonException {
      int start = at;
      expect('"');
      while (peek() != '"') {
        if (at >= bytes.length || peek() >= 0 && peek() < ' ') {
          throw malformed("a string that does not end or holds a control character");
        }
        if (takes('\\')) {
          escape();
        } else {
          at++;
        }
      }
      at++;
      return source.string(start, at);
    }

    private void escape() throws MalformedJsonException {
      if (takes('u')) {
        for (int i = 0; i < 4; i++, at++) {
          if (Character.digit(peek(), 16) < 0) {
            throw malformed("four hexadecimal digits are missing");
          }
        }
      } else if (peek() < 0 || "\"\\/bfnrt".indexOf(peek()) < 0) {
        throw malformed("an unknown escape");
      } else {
        at++;
      }
    }

    private Json.Arr array() throws MalformedJsonException {
      int start = at;
      expect('[');
      space();
      var items = new ArrayList<Json>();
      if (!takes(']')) {
        do {
          items.add(value());
        } while (takes(','));
        expect(']');
      }
      return source.array(start, at, items.toArray(new Json[0]));
    }

    private Json.Obj object() throws MalformedJsonException {
      int start = at;
      expect('{');
      space();
      Set<String> names = new LinkedHashSet<>();
      var values = new ArrayList<Json>();
      if (!takes('}')) {
        do {
          space();
          if (!names.add(string().text())) {
            throw malformed("a name that is there twice");
          }
          space();
          expect(':');
          values.add(value());
        } while (takes(','));
        expect('}');
      }
      return source.object(start, at, names.toArray(new String[0]), values.toArray(new Json[0]));
    }
  }
}
