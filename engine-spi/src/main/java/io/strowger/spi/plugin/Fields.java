package io.strowger.spi.plugin;

import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The usual kinds of {@link Field}. */
public final class Fields {
  private Fields() {}

  public static Field<Boolean> bool(String name, boolean fallback, String doc) {
    return new Field<>(
        name,
        (member, problems) -> {
          if (member instanceof Json.Bool bool) {
            return bool.value();
          }
          problems.problem("", "must be true or false", member);
          return fallback;
        },
        fallback,
        doc,
        Json.object().put("type", "boolean").put("default", fallback).build(),
        false);
  }

  public static Field<String> text(String name, @Nullable String fallback, String doc) {
    return new Field<>(
        name,
        (member, problems) -> {
          if (member instanceof Json.Str str) {
            return str.text();
          }
          problems.problem("", "must be a string", member);
          return "";
        },
        fallback,
        doc,
        Json.object().put("type", "string").build(),
        false);
  }

  /** One of a closed list of words. */
  public static Field<String> oneOf(
      String name, List<String> allowed, @Nullable String fallback, String doc) {
    return new Field<>(
        name,
        (member, problems) -> {
          if (member instanceof Json.Str str && allowed.contains(str.text())) {
            return str.text();
          }
          problems.problem("", "must be one of " + String.join(", ", allowed), member);
          return allowed.get(0);
        },
        fallback,
        doc,
        Json.object()
            .put("type", "string")
            .put("enum", Json.array(allowed.stream().map(Json::of).toList()))
            .build(),
        false);
  }

  /** A whole number within bounds, both inclusive. */
  public static Field<Long> whole(
      String name, long least, long most, @Nullable Long fallback, String doc) {
    String range =
        most == Long.MAX_VALUE
            ? "must be a whole number of at least " + least
            : "must be a whole number from " + least + " to " + most;
    return new Field<>(
        name,
        (member, problems) -> {
          if (member instanceof Json.Num num && num.asLong().isPresent()) {
            long value = num.asLong().getAsLong();
            if (value >= least && value <= most) {
              return value;
            }
          }
          problems.problem("", range, member);
          return least;
        },
        fallback,
        doc,
        bounds(
            "integer",
            BigDecimal.valueOf(least),
            most == Long.MAX_VALUE ? null : BigDecimal.valueOf(most)),
        false);
  }

  /** A number within bounds, both inclusive; no upper bound when most is null. */
  public static Field<BigDecimal> number(
      String name,
      BigDecimal least,
      @Nullable BigDecimal most,
      @Nullable BigDecimal fallback,
      String doc) {
    String range =
        most == null
            ? "must be a number of at least " + least.toPlainString()
            : "must be a number from " + least.toPlainString() + " to " + most.toPlainString();
    return new Field<>(
        name,
        (member, problems) -> {
          BigDecimal value = decimal(member);
          if (value != null
              && value.compareTo(least) >= 0
              && (most == null || value.compareTo(most) <= 0)) {
            return value;
          }
          problems.problem("", range, member);
          return least;
        },
        fallback,
        doc,
        bounds("number", least, most),
        false);
  }

  /**
   * A list of strings.
   *
   * @param mostItems most items
   * @param mostChars most characters of one item
   * @param mostTotal most characters of all items together
   */
  public static Field<List<String>> texts(
      String name, int leastItems, int mostItems, int mostChars, int mostTotal, String doc) {
    return new Field<>(
        name,
        (member, problems) -> {
          if (!(member instanceof Json.Arr items)) {
            problems.problem("", "must be an array of strings", member);
            return List.of();
          }
          if (items.size() < leastItems || items.size() > mostItems) {
            problems.problem(
                "",
                "must have " + leastItems + " to " + mostItems + " items",
                Json.of(items.size()));
          }
          var texts = new ArrayList<String>();
          long total = 0;
          for (int i = 0; i < Math.min(items.size(), mostItems); i++) {
            if (!(items.get(i) instanceof Json.Str str)) {
              problems.problem("/" + i, "must be a string", items.get(i));
            } else if (str.text().length() > mostChars) {
              problems.problem(
                  "/" + i,
                  "must be at most " + mostChars + " characters",
                  Json.of(str.text().length()));
            } else {
              total += str.text().length();
              texts.add(str.text());
            }
          }
          if (total > mostTotal) {
            problems.problem(
                "", "must be at most " + mostTotal + " characters in all", Json.of(total));
          }
          return List.copyOf(texts);
        },
        List.of(),
        doc,
        Json.object()
            .put("type", "array")
            .put("items", Json.object().put("type", "string").build())
            .put("minItems", leastItems)
            .put("maxItems", mostItems)
            .build(),
        false);
  }

  /** The number; null when it is none, or one whose exponent nobody can compute with. */
  private static @Nullable BigDecimal decimal(Json member) {
    try {
      return member instanceof Json.Num num ? num.decimal() : null;
    } catch (NumberFormatException beyondAllBounds) {
      return null;
    }
  }

  private static Json.Obj bounds(String type, BigDecimal least, @Nullable BigDecimal most) {
    var schema = Json.object().put("type", type).put("minimum", Json.of(least));
    return (most == null ? schema : schema.put("maximum", Json.of(most))).build();
  }
}
