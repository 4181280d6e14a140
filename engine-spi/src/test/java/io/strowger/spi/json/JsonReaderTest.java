package io.strowger.spi.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Texts that may be JSON")
class JsonReaderTest {
  @Test
  @DisplayName("are read with names, texts and numbers decoded")
  void reads() {
    Json read =
        Json.parseOrNull(
            " {\"\\u0061\" : [1, -2.5e+3, true, false, null, \"\\u0053\\n"
                + "\\\"\"], \"b\":{}, \"c\" : [ ] }\n");
    assertThat(read).isInstanceOf(Json.Obj.class);
    var object = (Json.Obj) Objects.requireNonNull(read);
    assertThat(object.name(0)).isEqualTo("a");
    assertThat(object.get("b")).isEqualTo(Json.Obj.EMPTY);
    var items = (Json.Arr) object.value(0);
    assertThat(items.get(1))
        .isInstanceOfSatisfying(Json.Num.class, n -> assertThat(n.spelling()).isEqualTo("-2.5e+3"));
    assertThat(items.get(5))
        .isInstanceOfSatisfying(Json.Str.class, s -> assertThat(s.text()).isEqualTo("S\n\""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0.5",
        "1e9",
        "12345678901234567890123",
        "\"\"",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00 é 😀\"",
        "true",
        "null",
        "[]",
        "{}",
        "{\"a\":1,\"a\\u0062\":2}",
        "[[],[{}]]",
        "\t1 "
      })
  @DisplayName("may be any JSON value, with white space around it")
  void values(String json) {
    assertThat(Json.parseOrNull(json)).hasToString(json.strip());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[",
        "\"",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,}",
        "{,}",
        "{a:1}",
        "{'a':1}",
        "[1,]",
        "[,1]",
        "[1 2]",
        "{\"a\":1 \"b\":2}",
        "1 2",
        "{1:1}",
        "}",
        "[1",
        "[1,",
        "{} {}",
        "tru",
        "trues",
        "nul",
        "01",
        "1.",
        ".5",
        "+1",
        "-",
        "1e",
        "1e+",
        "NaN",
        "Infinity",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\\u123",
        "\"a\nb\"",
        "\"\u0001\"",
        "\"a\\",
        "find it",
        "True",
        "\"\\",
        "\"\\u12\"",
        "\u00e9",
        "\u0000",
        "\ufeff{}",
        "//\n{}"
      })
  @DisplayName("that are not JSON give null, without an exception")
  void none(String text) {
    assertThat(Json.parseOrNull(text)).isNull();
  }

  @Test
  @DisplayName("that have a member name twice, however it is escaped, give null")
  void twice() {
    assertThat(Json.parseOrNull("{\"a\":1,\"\\u0061\":2}")).isNull();
    assertThat(Json.parseOrNull("[{\"a\":1},{\"a\":2}]")).isNotNull();
  }

  @Test
  @DisplayName("are read to a depth of 500, and give null when they are deeper, however deep")
  void deep() {
    assertThat(Json.parseOrNull("[".repeat(500) + "]".repeat(500))).isNotNull();
    assertThat(Json.parseOrNull("[".repeat(501) + "]".repeat(501))).isNull();
    assertThat(Json.parseOrNull("{\"a\":".repeat(501) + "1" + "}".repeat(501))).isNull();
    assertThat(Json.parseOrNull("[".repeat(1_000_000))).isNull();
    assertThat(Json.parseOrNull("[[],[],[]]".replace("[]", "[".repeat(499) + "]".repeat(499))))
        .isNotNull();
  }
}
