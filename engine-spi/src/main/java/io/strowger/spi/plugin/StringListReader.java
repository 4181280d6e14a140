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
record StringListReader(int minItems, int maxItems, int maxChars, int maxTotalChars)
    implements Field.Reader<List<String>> {
  private static final int MAX_BYTES_PER_CHAR = 12; // two escaped surrogates

  @Override
  public List<String> read(Json member, Field.Reporter problems) {
    if (!(member instanceof Json.Arr items)) {
      problems.report("", "must be an array of strings", member);
      return List.of();
    }
    if (items.size() < minItems || items.size() > maxItems) {
      problems.report("", "must have " + range(), Json.of(items.size()));
    }
    var texts = new ArrayList<String>();
    long total = 0;
    for (int i = 0; i < Math.min(items.size(), maxItems); i++) {
      if (!(items.get(i) instanceof Json.Str str)) {
        problems.report("/" + i, "must be a string", items.get(i));
      } else if (isTooLong(str)) {
        problems.report("/" + i, "must be at most " + maxChars + " characters", str);
      } else {
        total += length(str.text());
        texts.add(str.text());
      }
    }
    if (total > maxTotalChars) {
      problems.report(
          "", "must be at most " + maxTotalChars + " characters in all", Json.of(total));
    }
    return List.copyOf(texts);
  }

  private String range() {
    String range =
        maxItems == Integer.MAX_VALUE
            ? "at least " + minItems
            : minItems == 0 ? "at most " + maxItems : minItems + " to " + maxItems;
    return range + (range.endsWith(" 1") ? " item" : " items");
  }

  private boolean isTooLong(Json.Str str) {
    int bytes = str.utf8Bound();
    return bytes > maxChars
        && (bytes > (long) maxChars * MAX_BYTES_PER_CHAR || length(str.text()) > maxChars);
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  static Json.Obj schema(int minItems, int maxItems, int maxChars) {
    var item = Json.object().put("type", "string");
    if (maxChars < Integer.MAX_VALUE) {
      item.put("maxLength", maxChars);
    }
    var list =
        Json.object().put("type", "array").put("items", item.build()).put("minItems", minItems);
    return (maxItems < Integer.MAX_VALUE ? list.put("maxItems", maxItems) : list).build();
  }
}
