package io.strowger.spi.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;

/** A minimal reader of well-formed JSON whose values keep their bytes. Validates nothing. */
public final class TinyReader {
  private final byte[] bytes;
  private final JsonSource source;
  private int at;

  private TinyReader(byte[] bytes) {
    this.bytes = bytes;
    this.source = new JsonSource(bytes);
  }

  public static Json read(String document) {
    return read(document.getBytes(StandardCharsets.UTF_8));
  }

  public static Json read(byte[] document) {
    return new TinyReader(document).value();
  }

  private Json value() {
    space();
    int start = at;
    Json value =
        switch (bytes[at]) {
          case '{' -> object(start);
          case '[' -> array(start);
          case '"' -> string(start);
          case 't' -> literal(Json.TRUE, 4);
          case 'f' -> literal(Json.FALSE, 5);
          case 'n' -> literal(Json.NULL, 4);
          default -> number(start);
        };
    space();
    return value;
  }

  private Json literal(Json value, int length) {
    at += length;
    return value;
  }

  private Json number(int start) {
    while (at < bytes.length && "+-.eE0123456789".indexOf(bytes[at]) >= 0) {
      at++;
    }
    return source.number(start, at);
  }

  private Json.Str string(int start) {
    at++;
    while (bytes[at] != '"') {
      at += bytes[at] == '\\' ? 2 : 1;
    }
    return source.string(start, ++at);
  }

  private Json array(int start) {
    var items = new ArrayList<Json>();
    at++;
    space();
    while (bytes[at] != ']') {
      items.add(value());
      at += bytes[at] == ',' ? 1 : 0;
    }
    return source.array(start, ++at, items.toArray(new Json[0]));
  }

  private Json object(int start) {
    var names = new ArrayList<String>();
    var values = new ArrayList<Json>();
    at++;
    space();
    while (bytes[at] != '}') {
      space();
      names.add(string(at).text());
      space();
      at++; // colon
      values.add(value());
      at += bytes[at] == ',' ? 1 : 0;
    }
    return source.object(start, ++at, names.toArray(new String[0]), values.toArray(new Json[0]));
  }

  private void space() {
    while (at < bytes.length && bytes[at] <= ' ') {
      at++;
    }
  }
}
