package io.strowger.conformance;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Writes JSON in an unusual spelling: with white space anywhere, and with some characters escaped.
 */
final class UnusualJsonWriter {
  private static final String[] SPACES = {"", "", "", " ", "\n", "\t ", "\r\n  "};

  private final Random random;

  UnusualJsonWriter(Random random) {
    this.random = random;
  }

  String write(Json json) {
    return space() + value(json) + space();
  }

  private String value(Json json) {
    return switch (json) {
      case Json.Obj object -> {
        List<String> members = new ArrayList<>();
        for (int i = 0; i < object.size(); i++) {
          members.add(string(object.name(i)) + space() + ":" + write(object.value(i)));
        }
        yield "{" + space() + String.join(space() + "," + space(), members) + "}";
      }
      case Json.Arr array -> {
        List<String> items = new ArrayList<>();
        for (Json item : array) {
          items.add(write(item));
        }
        yield "[" + space() + String.join(",", items) + "]";
      }
      case Json.Str str -> string(str.text());
      case Json.Num num -> num.spelling();
      case Json.Bool bool -> bool.toString();
      case Json.Null n -> "null";
    };
  }

  private String string(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean mustEscape = c < ' ' || c == '"' || c == '\\';
      if (mustEscape || random.nextInt(12) == 0) {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }

  private String space() {
    return SPACES[random.nextInt(SPACES.length)];
  }
}
