package io.strowger.spi.plugin;

import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Factory methods for common kinds of {@link Field}. */
public final class Fields {
  private Fields() {}

  /**
   * Creates a field for a boolean.
   *
   * @param defaultValue the value when the member is absent
   */
  public static Field<Boolean> bool(String name, boolean defaultValue, String doc) {
    return new Field<>(
        name,
        (member, problems) -> {
          if (member instanceof Json.Bool bool) {
            return bool.value();
          }
          problems.report("", "must be true or false", member);
          return defaultValue;
        },
        defaultValue,
        doc,
        Json.object().put("type", "boolean").put("default", defaultValue).build(),
        false);
  }

  /**
   * Creates a field for a string of any length.
   *
   * @param defaultValue the value when the member is absent; null when there is none
   */
  public static Field<String> text(String name, @Nullable String defaultValue, String doc) {
    return new Field<>(
        name,
        (member, problems) -> {
          if (member instanceof Json.Str str) {
            return str.text();
          }
          problems.report("", "must be a string", member);
          return "";
        },
        defaultValue,
        doc,
        schema(
            Json.object().put("type", "string"),
            defaultValue == null ? null : Json.of(defaultValue)),
        false);
  }

  /**
   * Creates a field for one word of a fixed list.
   *
   * @param defaultValue the value when the member is absent; null when there is none
   */
  public static Field<String> oneOf(
      String name, List<String> allowed, @Nullable String defaultValue, String doc) {
    return new Field<>(
        name,
        (member, problems) -> {
          if (member instanceof Json.Str str && allowed.contains(str.text())) {
            return str.text();
          }
          problems.report("", "must be one of " + String.join(", ", allowed), member);
          return allowed.get(0);
        },
        defaultValue,
        doc,
        schema(
            Json.object()
                .put("type", "string")
                .put("enum", Json.array(allowed.stream().map(Json::of).toList())),
            defaultValue == null ? null : Json.of(defaultValue)),
        false);
  }

  /**
   * Creates a field for a whole number within bounds, both inclusive.
   *
   * @param max {@link Long#MAX_VALUE} for no upper bound
   * @param defaultValue the value when the member is absent; null when there is none
   */
  public static Field<Long> integer(
      String name, long min, long max, @Nullable Long defaultValue, String doc) {
    String range =
        max == Long.MAX_VALUE
            ? "must be a whole number of at least " + min
            : "must be a whole number from " + min + " to " + max;
    return new Field<>(
        name,
        (member, problems) -> {
          if (member instanceof Json.Num num && num.asLong().isPresent()) {
            long value = num.asLong().getAsLong();
            if (value >= min && value <= max) {
              return value;
            }
          }
          problems.report("", range, member);
          return min;
        },
        defaultValue,
        doc,
        schema(
            bounds(
                "integer",
                BigDecimal.valueOf(min),
                max == Long.MAX_VALUE ? null : BigDecimal.valueOf(max)),
            defaultValue == null ? null : Json.of(defaultValue)),
        false);
  }

  /**
   * Creates a field for a number within bounds, both inclusive.
   *
   * @param max null for no upper bound
   * @param defaultValue the value when the member is absent; null when there is none
   */
  public static Field<BigDecimal> number(
      String name,
      BigDecimal min,
      @Nullable BigDecimal max,
      @Nullable BigDecimal defaultValue,
      String doc) {
    String range =
        max == null
            ? "must be a number of at least " + min.toPlainString()
            : "must be a number from " + min.toPlainString() + " to " + max.toPlainString();
    return new Field<>(
        name,
        (member, problems) -> {
          BigDecimal value = decimal(member);
          if (value != null
              && value.compareTo(min) >= 0
              && (max == null || value.compareTo(max) <= 0)) {
            return value;
          }
          problems.report("", range, member);
          return min;
        },
        defaultValue,
        doc,
        schema(bounds("number", min, max), defaultValue == null ? null : Json.of(defaultValue)),
        false);
  }

  /**
   * Creates a field for the price of a token, written as price lists quote it: a number of dollars
   * per million tokens, at least 0.
   *
   * @param defaultDollars the price when the member is absent, in dollars per million tokens; null
   *     when there is none
   */
  public static Field<UnitPrice> pricePerMillion(
      String name, @Nullable String defaultDollars, String doc) {
    @Nullable BigDecimal dollars = defaultDollars == null ? null : new BigDecimal(defaultDollars);
    Field<BigDecimal> number = number(name, BigDecimal.ZERO, null, dollars, doc);
    return new Field<>(
        name,
        (member, problems) -> UnitPrice.ofDollarsPerMillion(number.reader().read(member, problems)),
        dollars == null ? null : UnitPrice.ofDollarsPerMillion(dollars),
        doc,
        number.schema(),
        false);
  }

  /** Creates a field for a list of strings, of any number and any length. */
  public static Field<List<String>> texts(String name, String doc) {
    return texts(name, 0, Integer.MAX_VALUE, doc);
  }

  /** Creates a field for a list of strings of any length; both bounds on items are inclusive. */
  public static Field<List<String>> texts(String name, int minItems, int maxItems, String doc) {
    return texts(name, minItems, maxItems, Integer.MAX_VALUE, Integer.MAX_VALUE, doc);
  }

  /**
   * Creates a field for a list of strings.
   *
   * @param maxItems maximum number of items; {@link Integer#MAX_VALUE} for any number
   * @param maxChars maximum code points of one item; {@link Integer#MAX_VALUE} for any
   * @param maxTotalChars maximum code points of all items together; {@link Integer#MAX_VALUE} for
   *     any
   */
  public static Field<List<String>> texts(
      String name, int minItems, int maxItems, int maxChars, int maxTotalChars, String doc) {
    return new Field<>(
        name,
        new StringListReader(minItems, maxItems, maxChars, maxTotalChars),
        List.of(),
        doc,
        StringListReader.schema(minItems, maxItems, maxChars),
        false);
  }

  /** Returns the number; null when it is not a number or its exponent is out of range. */
  private static @Nullable BigDecimal decimal(Json member) {
    try {
      return member instanceof Json.Num num ? num.decimal() : null;
    } catch (NumberFormatException outOfRange) {
      return null;
    }
  }

  private static Json.Obj.Builder bounds(String type, BigDecimal min, @Nullable BigDecimal max) {
    var schema = Json.object().put("type", type).put("minimum", Json.of(min));
    return max == null ? schema : schema.put("maximum", Json.of(max));
  }

  private static Json.Obj schema(Json.Obj.Builder schema, @Nullable Json defaultValue) {
    return (defaultValue == null ? schema : schema.put("default", defaultValue)).build();
  }
}
