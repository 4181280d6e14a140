package io.strowger.destinations;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The reader of JSON that others wrote")
class JsonReaderTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        " { \"a\" : [ 1 , -0.5e+3 , true , false , null ] , \"b\" : { \"c\" : \"d\" } } ",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00 é 😀\"",
        "{\"a\":1,\"a\\u0062\":2}",
        "0",
        "12345678901234567890123",
      })
  @DisplayName("reads what the gateway's own reader does")
  void good(String text) throws MalformedJsonException {
    Json expected = new JacksonCodec().parse(text.getBytes(StandardCharsets.UTF_8));
    assertThat(JsonReader.read(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "}",
        "[",
        "[1",
        "[1,",
        "[1,]",
        "[,1]",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,}",
        "{a:1}",
        "{1:1}",
        "\"",
        "\"\\",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"a\nb\"",
        "01",
        "-",
        "1.",
        ".5",
        "1e",
        "+1",
        "tru",
        "True",
        "NaN",
        "1 2",
        "{} x",
        "é",
        "\u0000",
      })
  @DisplayName("returns nothing for what is not JSON, and throws nothing")
  void bad(String text) {
    assertThat(JsonReader.read(text)).isNull();
  }

  @Test
  @DisplayName("returns nothing for what is nested too deeply to be read on one stack")
  void deep() {
    assertThat(JsonReader.read("[".repeat(64) + "]".repeat(64))).isNotNull();
    assertThat(JsonReader.read("[".repeat(65) + "]".repeat(65))).isNull();
    assertThat(JsonReader.read("{\"a\":".repeat(100_000))).isNull();
  }
}
