package io.strowger.plugins.responsehealing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The check of JSON syntax")
class JsonSyntaxTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        " [ ] ",
        "{\"a\":{}}",
        "[[],{}]",
        "0",
        "-0.5e+10",
        "1E3",
        "\"\"",
        "true",
        "false",
        "null",
        "{\"a\":1,\"b\":[1,2,{\"c\":null}]}",
        "\"\\u00Ff\\\"\\/\\b\"",
        "[1 ,2 ]\n"
      })
  @DisplayName("accepts valid JSON")
  void valid(String text) {
    assertThat(JsonSyntax.isValid(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "}",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{\"a\"}",
        "{\"a\":}",
        "{a:1}",
        "{\"a\":1,}",
        "{,}",
        "{\"a\":1]",
        "[1}",
        "01",
        "1.",
        ".5",
        "+1",
        "1e",
        "-",
        "tru",
        "nullx",
        "\"",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"a\nb\"",
        "{} {}",
        "1 2",
        "'a'",
        "\u00a0{}",
        "\"\\u123",
        "{\"a\":1,,\"b\":2}"
      })
  @DisplayName("rejects invalid JSON")
  void invalid(String text) {
    assertThat(JsonSyntax.isValid(text)).isFalse();
  }

  @Test
  @DisplayName("has no limit on the depth")
  void deep() {
    int depth = 2_000_000;
    assertThat(JsonSyntax.isValid("[".repeat(depth) + "]".repeat(depth))).isTrue();
    assertThat(JsonSyntax.isValid("[".repeat(depth) + "]".repeat(depth - 1))).isFalse();
  }
}
