package io.strowger.core.resource;

import io.strowger.core.decode.Problems;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a query, by name, in the order they came. Percent escapes have to be UTF-8; a
 * plus is a blank. Immutable, safe on any thread.
 */
public final class Query {
  /** The most characters that a query may have. */
  public static final int MAX_CHARS = 65_536;

  private final Map<String, List<String>> values;

  private Query(Map<String, List<String>> values) {
    this.values = values;
  }

  /**
   * Reads a query. A parameter with an invalid encoding is a problem and left out.
   *
   * @param raw the raw text after the question mark; null for none
   */
  public static Query parse(@Nullable String raw, Problems problems) {
    var values = new LinkedHashMap<String, List<String>>();
    if (raw != null && raw.length() > MAX_CHARS) {
      problems.add(
          JsonPointer.ROOT,
          "the query must have at most " + MAX_CHARS + " characters",
          Problems.displayText(Json.of(raw)));
      return new Query(values);
    }
    for (String pair : raw == null ? new String[0] : raw.split("&")) {
      int equals = pair.indexOf('=');
      String name = decode(equals < 0 ? pair : pair.substring(0, equals));
      String value = decode(equals < 0 ? "" : pair.substring(equals + 1));
      if (name == null || value == null) {
        problems.add(
            JsonPointer.ROOT,
            "the query must be percent-encoded UTF-8",
            Problems.displayText(Json.of(pair)));
      } else if (!name.isEmpty()) {
        values.computeIfAbsent(name, first -> new ArrayList<>(1)).add(value);
      }
    }
    return new Query(values);
  }

  /** Returns every value of a parameter, in order; empty when it is absent. */
  public List<String> values(String name) {
    return values.getOrDefault(name, List.of());
  }

  private static @Nullable String decode(String text) {
    if (text.indexOf('%') < 0 && text.chars().allMatch(c -> c < 0x80 && c != '+')) {
      return text;
    }
    return PercentEncoding.decode(text.replace('+', ' '));
  }
}
