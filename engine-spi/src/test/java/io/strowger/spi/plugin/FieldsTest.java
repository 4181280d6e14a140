package io.strowger.spi.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.TinyReader;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A field")
class FieldsTest {
  private static List<String> problems(Field<?> field, String member) {
    var found = new ArrayList<String>();
    field
        .reader()
        .read(TinyReader.read(member), (below, allowed, given) -> found.add(below + " " + allowed));
    return found;
  }

  private static void accepts(Field<?> field, String... members) {
    for (String member : members) {
      assertThat(problems(field, member)).as(member).isEmpty();
    }
  }

  private static void refuses(Field<?> field, String allowed, String... members) {
    for (String member : members) {
      assertThat(problems(field, member)).as(member).containsExactly(" " + allowed);
    }
  }

  @Test
  @DisplayName("for a boolean accepts only true and false")
  void bool() {
    Field<Boolean> field = Fields.bool("b", true, "doc");
    accepts(field, "true", "false");
    refuses(field, "must be true or false", "1", "\"true\"", "[]");
    assertThat(field.defaultValue()).isTrue();
  }

  @Test
  @DisplayName("for a price accepts dollars per million tokens, and never rounds up")
  void prices() {
    Field<UnitPrice> field = Fields.pricePerMillion("max_price", "10", "doc");
    accepts(field, "0", "2.5", "1e-999999", "1e999999");
    refuses(field, "must be a number of at least 0", "-1", "\"4\"", "null");
    assertThat(field.defaultValue()).isEqualTo(new UnitPrice(10_000_000));
    assertThat(price(field, "2.5")).isEqualTo(new UnitPrice(2_500_000));
    assertThat(price(field, "0.0000019")).isEqualTo(new UnitPrice(1));
    assertThat(price(field, "1e-999999")).isEqualTo(UnitPrice.FREE);
    assertThat(price(field, "1e999999")).isEqualTo(UnitPrice.HIGHEST);
    assertThat(Fields.pricePerMillion("max_price", null, "doc").defaultValue()).isNull();
  }

  private static UnitPrice price(Field<UnitPrice> field, String member) {
    return field
        .reader()
        .read(
            TinyReader.read(member),
            (below, allowed, given) -> {
              throw new AssertionError(allowed);
            });
  }

  @Test
  @DisplayName("for a whole number accepts its bounds and nothing beyond, in any spelling")
  void wholeNumber() {
    Field<Long> field = Fields.integer("n", 1, 16, 4L, "doc");
    accepts(field, "1", "16", "1.0", "1.6e1");
    refuses(
        field, "must be a whole number from 1 to 16", "0", "17", "1.5", "\"4\"", "1e99999999999");
    refuses(
        Fields.integer("n", 1, Long.MAX_VALUE, null, "doc"),
        "must be a whole number of at least 1",
        "0",
        "9223372036854775808");
  }

  @Test
  @DisplayName("for a number accepts its bounds and nothing beyond, whatever the exponent")
  void number() {
    Field<BigDecimal> field = Fields.number("n", BigDecimal.ZERO, BigDecimal.ONE, null, "doc");
    accepts(field, "0", "1", "1.0", "0.5", "-0", "1e-999999999");
    refuses(
        field,
        "must be a number from 0 to 1",
        "1.0000001",
        "-0.0000001",
        "\"0\"",
        "1e999999999",
        "1e99999999999",
        "-1e99999999999");
    Field<BigDecimal> open = Fields.number("n", BigDecimal.ZERO, null, null, "doc");
    accepts(open, "0", "1e100");
    refuses(open, "must be a number of at least 0", "-1", "1e99999999999");
  }

  @Test
  @DisplayName("for one word of a list accepts only these words")
  void oneOf() {
    Field<String> field = Fields.oneOf("w", List.of("low", "high"), null, "doc");
    accepts(field, "\"low\"", "\"high\"");
    refuses(field, "must be one of low, high", "\"Low\"", "\"\"", "0");
  }

  @Test
  @DisplayName("for texts limits the items, the characters of each, and the characters of all")
  void texts() {
    Field<List<String>> field = Fields.texts("t", 1, 3, 4, 10, "doc");
    accepts(field, "[\"\"]", "[\"abcd\",\"abcd\",\"ab\"]");
    refuses(field, "must have 1 to 3 items", "[]", "[\"a\",\"b\",\"c\",\"d\"]");
    refuses(field, "must be at most 10 characters in all", "[\"abcd\",\"abcd\",\"abc\"]");
    refuses(field, "must be an array of strings", "\"a\"");
    assertThat(problems(field, "[\"abcde\",7]"))
        .containsExactly("/0 must be at most 4 characters", "/1 must be a string");
  }

  @Test
  @DisplayName("for texts counts code points, not UTF-16 units")
  void characters() {
    Field<List<String>> field = Fields.texts("t", 0, 2, 2, 3, "doc");
    String smile = "\uD83D\uDE00";
    String escaped = "\\uD83D\\uDE00";
    accepts(field, "[\"" + smile + smile + "\",\"" + escaped + "\"]");
    accepts(field, "[\"" + escaped + escaped + "\"]");
    refuses(field, "must be at most 3 characters in all", "[\"ab\",\"" + smile + "c\"]");
    refuses(field, "must have at most 2 items", "[\"\",\"\",\"\"]");
    assertThat(problems(field, "[\"" + smile.repeat(3) + "\",\"" + escaped.repeat(9) + "\"]"))
        .containsExactly("/0 must be at most 2 characters", "/1 must be at most 2 characters");
    assertThat(problems(field, "[1,2,3,4]"))
        .containsExactly(
            " must have at most 2 items", "/0 must be a string", "/1 must be a string");
  }

  @Test
  @DisplayName("for texts without limits accepts any texts")
  void anyTexts() {
    Field<List<String>> field = Fields.texts("t", "doc");
    accepts(field, "[]", "[\"\",\"" + "x".repeat(100_000) + "\"]");
    refuses(field, "must be an array of strings", "null", "{}");
    refuses(Fields.texts("t", 1, Integer.MAX_VALUE, "doc"), "must have at least 1 item", "[]");
    assertThat(field.schema().has("maxItems")).isFalse();
    assertThat(Fields.texts("t", 1, 8, 4, 9, "doc").schema())
        .isEqualTo(
            TinyReader.read(
                "{\"type\":\"array\",\"items\":{\"type\":\"string\",\"maxLength\":4},"
                    + "\"minItems\":1,\"maxItems\":8}"));
  }

  @Test
  @DisplayName("reports a missing member below it as required")
  void missing() {
    var found = new ArrayList<String>();
    Field.Reporter reporter = (below, allowed, given) -> found.add(below + " " + allowed);
    reporter.reportMissing("/type");
    assertThat(found).containsExactly("/type is required");
  }

  @Test
  @DisplayName("must have a name in snake_case")
  void names() {
    assertThatThrownBy(() -> Fields.text("camelCase", null, "doc"))
        .isInstanceOf(IllegalArgumentException.class);
    accepts(Fields.text("snake_case", null, "doc"), "\"\"");
    refuses(Fields.text("snake_case", null, "doc"), "must be a string", "null", "1");
  }

  @Test
  @DisplayName("is the key of its value; an unset field returns its fallback or throws")
  void config() {
    Field<Long> calls = Fields.integer("calls", 1, 16, 4L, "doc");
    Field<String> model = Fields.text("model", null, "doc");
    var set = new LinkedHashMap<Field<?>, Object>(Map.of(calls, 7L));
    var config = new PluginConfig(set);
    set.clear();

    assertThat(config.get(calls)).isEqualTo(7);
    assertThat(config.isSet(calls)).isTrue();
    assertThat(PluginConfig.EMPTY.get(calls)).isEqualTo(4);
    assertThat(config.isSet(model)).isFalse();
    assertThatThrownBy(() -> config.get(model)).hasMessageContaining("model");
    assertThat(config).hasToString("[calls]");
  }

  @Test
  @DisplayName("must not be declared twice, nor have the name of a member that every entry has")
  void schema() {
    Field<String> model = Fields.text("model", null, "which one");
    for (Field<?> duplicate :
        List.of(model, Fields.text("id", null, ""), Fields.bool("enabled", true, ""))) {
      assertThatThrownBy(() -> ConfigSchema.of(model, duplicate))
          .isInstanceOf(IllegalArgumentException.class);
    }
    Json.Obj schema = ConfigSchema.of(model).toJsonSchema("web");
    var described = Json.object().put("type", "string").put("description", "which one").build();
    assertThat(schema.object("properties"))
        .isEqualTo(
            Json.object()
                .put("id", Json.object().put("const", "web").build())
                .put("enabled", Json.object().put("type", "boolean").put("default", true).build())
                .put("model", described)
                .build());
    assertThat(
            Stream.of(
                Fields.text("f", "x", ""),
                Fields.oneOf("f", List.of("x", "y"), "y", ""),
                Fields.integer("f", 1, 9, 4L, ""),
                Fields.number("f", BigDecimal.ZERO, null, BigDecimal.TWO, ""),
                Fields.number("f", BigDecimal.ZERO, null, null, "")))
        .extracting(field -> String.valueOf(field.schema().get("default")))
        .containsExactly("\"x\"", "\"y\"", "4", "2", "null");
    Json.Obj fixed = new ConfigSchema(List.of(), false).toJsonSchema("moderation");
    assertThat(String.valueOf(fixed)).doesNotContain("enabled");
  }
}
