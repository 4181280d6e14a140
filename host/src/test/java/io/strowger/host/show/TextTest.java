package io.strowger.host.show;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Output for people")
class TextTest {
  @Test
  @DisplayName("has tables with aligned columns, numbers to the right, and no spaces at line ends")
  void table() {
    assertThat(new Table("name", ">n").row("a", "1").row("long one", "200").lines(1))
        .containsExactly(" name        n", " ────────  ───", " a           1", " long one  200");
  }

  @Test
  @DisplayName("continues a last column that does not fit below, so no line exceeds 100 columns")
  void wide() {
    String words = "word ".repeat(30).strip();
    List<String> lines = new Table("k", "text").row("x".repeat(40), words).lines(2);
    assertThat(lines)
        .hasSizeGreaterThan(3)
        .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(100));
    assertThat(String.join(" ", lines.subList(2, lines.size())).replaceAll("\\s+", " "))
        .endsWith(words);
  }

  @Test
  @DisplayName("refuses a row of other size than the table")
  void rowSize() {
    assertThatThrownBy(() -> new Table("a", "b").row("1"))
        .hasMessage("a row has 2 cells, was given 1");
  }

  @ParameterizedTest
  @CsvSource({"5, ab cd", "2, ab|cd", "4, ab|cd", "1, a|b|c|d"})
  @DisplayName("is wrapped between words, and within a word only if the word is too long")
  void wraps(int width, String expected) {
    assertThat(String.join("|", Table.wrap("ab cd", width))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"0, $0", "1, $0.000000001", "1500000000, $1.5", "-2, -$0.000000002"})
  @DisplayName("gives amounts in full")
  void amounts(long nanos, String expected) {
    assertThat(MoneyFormat.dollars(new Usd(nanos))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0.00",
    "1000000, 1.00",
    "150000, 0.15",
    "37500, 0.0375",
    "49, 0.00",
    "51, 0.0001"
  })
  @DisplayName("gives prices per million tokens with two to four decimals")
  void prices(long picos, String expected) {
    assertThat(MoneyFormat.perMillion(new UnitPrice(picos))).isEqualTo(expected);
  }

  @Test
  @DisplayName("shows JSON with each value on one line if it fits, and loses nothing")
  void json() {
    Json small = Json.object().put("a", 1).put("b", Json.array(Json.TRUE)).build();
    assertThat(PrettyJson.pretty(small)).isEqualTo("{\"a\":1,\"b\":[true]}");
    Json big =
        Json.object()
            .put(
                "items",
                Json.array(IntStream.range(0, 40).mapToObj(i -> Json.of("item " + i)).toList()))
            .put("none", Json.Obj.EMPTY)
            .build();
    assertThat(PrettyJson.pretty(big))
        .startsWith("{\n  \"items\": [\n    \"item 0\",\n")
        .endsWith("    \"item 39\"\n  ],\n  \"none\": {}\n}");
    assertThat(PrettyJson.pretty(big).replaceAll("\n *", "").replace("\": ", "\":"))
        .isEqualTo(PrettyJson.line(big));
  }
}
