package io.strowger.simulated;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the members of a request body that a simulated model needs, without a JSON parser, which
 * this module does not have. Understands strings and nesting and validates nothing.
 */
final class RequestScanner {
  private final byte[] body;
  private int at;
  private @Nullable String model;
  private boolean streaming;
  private boolean usageWanted;
  private final Map<String, String> others = new HashMap<>();

  private RequestScanner(byte[] body) {
    this.body = body;
  }

  /** Scans a body; returns null when it is not an object. */
  static @Nullable RequestScanner of(byte[] body) {
    var requestScanner = new RequestScanner(body);
    return requestScanner.read() ? requestScanner : null;
  }

  /** Returns the raw text of a member that has no accessor of its own; null when it is absent. */
  @Nullable String member(String name) {
    return others.get(name);
  }

  /** Returns the number of items of a non-empty array, given as JSON text. */
  static int items(String array) {
    int depth = 0;
    int items = 1;
    boolean quoted = false;
    for (int i = 0; i < array.length(); i++) {
      char c = array.charAt(i);
      if (quoted) {
        i += c == '\\' ? 1 : 0;
        quoted = c != '"';
      } else {
        quoted = c == '"';
        depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
        items += c == ',' && depth == 1 ? 1 : 0;
      }
    }
    return items;
  }

  @Nullable String model() {
    return model;
  }

  boolean streaming() {
    return streaming;
  }

  boolean usageWanted() {
    return usageWanted;
  }

  private boolean read() {
    blanks();
    if (at == body.length || body[at] != '{') {
      return false;
    }
    at++;
    while (at < body.length && body[at] != '}') {
      blanks();
      if (at < body.length && body[at] == '"') {
        member();
      } else {
        at++;
      }
    }
    return at < body.length;
  }

  private void member() {
    String name = span(value());
    blanks();
    at++; // the colon
    blanks();
    int from = value();
    switch (name) {
      case "\"model\"" -> model = span(from).replace("\"", "");
      case "\"stream\"" -> streaming = span(from).equals("true");
      case "\"stream_options\"" ->
          usageWanted = span(from).replaceAll("\\s", "").contains("\"include_usage\":true");
      default -> others.put(name.replace("\"", ""), span(from));
    }
  }

  /** Skips one value and returns where it began. */
  private int value() {
    int from = at;
    int depth = 0;
    while (at < body.length) {
      switch (body[at]) {
        case '"' -> string();
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        default -> {}
      }
      if (depth < 0 || depth == 0 && body[at] == ',') {
        return from; // the end of a bare word
      }
      at++;
      if (depth == 0 && (body[at - 1] == '"' || body[at - 1] == '}' || body[at - 1] == ']')) {
        return from;
      }
    }
    return from;
  }

  /** Moves to the closing quote of the string that begins here. */
  private void string() {
    at++;
    while (at < body.length && body[at] != '"') {
      at += body[at] == '\\' ? 2 : 1;
    }
    at = Math.min(at, body.length - 1);
  }

  private void blanks() {
    while (at < body.length && body[at] <= ' ' && body[at] >= 0) {
      at++;
    }
  }

  private String span(int from) {
    return new String(body, from, at - from, StandardCharsets.UTF_8).strip();
  }
}
