package io.strowger.spi.plugin;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a list of strings and reports everything that is wrong with it. Characters are code points.
 *
 * <p>If a list is too long, only the allowed number of items is read. A string whose byte length
 * already shows that it is too long is not decoded.
 */
record Texts(int leastItems, int mostItems, int mostChars, int mostTotal)
    implements Field.Reader<List<String>> {
  private static final int MAX_BYTES = 12; // per character: two escaped surrogates

  @Override
  public List<String> read(Json member, Field.Reporter problems) {
    if (!(member instanceof Json.Arr items)) {
      problems.problem("", "must be an array of strings", member);
      return List.of();
    }
    if (items.size() < leastItems || items.size() > mostItems) {
      problems.problem("", "must have " + range(), Json.of(items.size()));
    }
    var texts = new ArrayList<String>();
    long total = 0;
    for (int i = 0; i < Math.min(items.size(), mostItems); i++) {
      if (!(items.get(i) instanceof Json.Str str)) {
        problems.problem("/" + i, "must be a string", items.get(i));
      } else if (isTooLong(str)) {
        problems.problem("/" + i, "must be at most " + mostChars + " characters", str);
      } else {
        total += length(str.text());
        texts.add(str.text());
      }
    }
    if (total > mostTotal) {
      problems.problem("", "must be at most " + mostTotal + " characters in all", Json.of(total));
    }
    return List.copyOf(texts);
  }

  private String range() {
    String range =
        mostItems == Integer.MAX_VALUE
            ? "at least " + leastItems
            : leastItems == 0 ? "at most " + mostItems : leastItems + " to " + mostItems;
    return range + (range.endsWith(" 1") ? " item" : " items");
  }

  private boolean isTooLong(Json.Str str) {
    int bytes = str.utf8Bound();
    return bytes > mostChars
        && (bytes > (long) mostChars * MAX_BYTES || length(str.text()) > mostChars);
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  static Json.Obj schema(int leastItems, int mostItems, int mostChars) {
    var item = Json.object().put("type", "string");
    if (mostChars < Integer.MAX_VALUE) {
      item.put("maxLength", mostChars);
    }
    var list =
        Json.object().put("type", "array").put("items", item.build()).put("minItems", leastItems);
    return (mostItems < Integer.MAX_VALUE ? list.put("maxItems", mostItems) : list).build();
  }
}
