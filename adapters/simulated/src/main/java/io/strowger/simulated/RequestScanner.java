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
  private int position;
  private @Nullable String model;
  private boolean streaming;
  private boolean wantsUsage;
  private final Map<String, String> otherMembers = new HashMap<>();

  private RequestScanner(byte[] body) {
    this.body = body;
  }

  /** Scans a body; returns null when it is not an object. */
  static @Nullable RequestScanner of(byte[] body) {
    var scanner = new RequestScanner(body);
    return scanner.scan() ? scanner : null;
  }

  /** Returns the raw text of a member that has no accessor of its own; null when it is absent. */
  @Nullable String member(String name) {
    return otherMembers.get(name);
  }

  /** Returns the number of items of a non-empty array, given as JSON text. */
  static int countItems(String array) {
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

  boolean wantsUsage() {
    return wantsUsage;
  }

  private boolean scan() {
    skipBlanks();
    if (position == body.length || body[position] != '{') {
      return false;
    }
    position++;
    while (position < body.length && body[position] != '}') {
      skipBlanks();
      if (position < body.length && body[position] == '"') {
        member();
      } else {
        position++;
      }
    }
    return position < body.length;
  }

  private void member() {
    String name = textFrom(skipValue());
    skipBlanks();
    position++; // the colon
    skipBlanks();
    int from = skipValue();
    switch (name) {
      case "\"model\"" -> model = textFrom(from).replace("\"", "");
      case "\"stream\"" -> streaming = textFrom(from).equals("true");
      case "\"stream_options\"" ->
          wantsUsage = textFrom(from).replaceAll("\\s", "").contains("\"include_usage\":true");
      default -> otherMembers.put(name.replace("\"", ""), textFrom(from));
    }
  }

  /** Skips one value and returns where it began. */
  private int skipValue() {
    int from = position;
    int depth = 0;
    while (position < body.length) {
      switch (body[position]) {
        case '"' -> skipString();
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        default -> {}
      }
      if (depth < 0 || depth == 0 && body[position] == ',') {
        return from; // the end of a bare word
      }
      position++;
      if (depth == 0
          && (body[position - 1] == '"'
              || body[position - 1] == '}'
              || body[position - 1] == ']')) {
        return from;
      }
    }
    return from;
  }

  /** Moves to the closing quote of the string that begins here. */
  private void skipString() {
    position++;
    while (position < body.length && body[position] != '"') {
      position += body[position] == '\\' ? 2 : 1;
    }
    position = Math.min(position, body.length - 1);
  }

  private void skipBlanks() {
    while (position < body.length && body[position] <= ' ' && body[position] >= 0) {
      position++;
    }
  }

  private String textFrom(int from) {
    return new String(body, from, position - from, StandardCharsets.UTF_8).strip();
  }
}
