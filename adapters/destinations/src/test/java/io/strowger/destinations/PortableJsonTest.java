package io.strowger.destinations;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("JSON for strict parsers")
class PortableJsonTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'a':'plain'}|{'a':'plain'}",
        "{'a':'\\ud83d\\ude00'}|{'a':'\\ud83d\\ude00'}",
        "{'a':'\\uD83D\\uDE00'}|{'a':'\\uD83D\\uDE00'}",
        "{'a':'\\ud83d'}|{'a':'\\ufffd'}",
        "{'a':'\\ude00'}|{'a':'\\ufffd'}",
        "{'a':'\\uDE00\\uD83D'}|{'a':'\\ufffd\\ufffd'}",
        "{'a':'\\ud83d\\ud83d\\ude00'}|{'a':'\\ufffd\\ud83d\\ude00'}",
        "{'a':'\\ud83dx'}|{'a':'\\ufffdx'}",
        "{'a':'\\\\ud83d'}|{'a':'\\\\ud83d'}", // an escaped backslash and five letters
        "{'a':'\\\\\\ud83d'}|{'a':'\\\\\\ufffd'}",
        "{'a':'\\ud7ff\\ue000\\n'}|{'a':'\\ud7ff\\ue000\\n'}",
      })
  @DisplayName("has no escaped half of a surrogate pair, and everything else as it was")
  void halves(String json, String expected) {
    byte[] repaired = PortableJson.repair(json.getBytes(StandardCharsets.UTF_8));
    assertThat(new String(repaired, StandardCharsets.UTF_8)).isEqualTo(expected);
  }

  @Test
  @DisplayName("is not read beyond its end")
  void end() {
    for (String cut : new String[] {"\\", "\\u", "\\ud83", "\\ud83d\\ude0"}) {
      byte[] bytes = cut.getBytes(StandardCharsets.UTF_8);
      assertThat(PortableJson.repair(bytes)).isSameAs(bytes);
    }
  }

  @Test
  @DisplayName("has texts without halves of surrogate pairs")
  void texts() {
    String plain = "B\u00fcro \ud83d\ude00";
    assertThat(PortableJson.text(plain)).isSameAs(plain);
    assertThat(PortableJson.text("\ud83d\ud83d\ude00\ude00")).isEqualTo("\ufffd\ud83d\ude00\ufffd");
  }

  @Test
  @DisplayName("has a text in place of each number that no double can hold")
  void numbers() {
    Json.Obj plain = ExportFixtures.json("{'a':[1e308,-0.5,{'b':1e-999}]}");
    assertThat(PortableJson.withoutHugeNumbers(plain)).isSameAs(plain);
    assertThat(
            PortableJson.withoutHugeNumbers(
                ExportFixtures.json("{'a':[1e309,{'b':-1e99999999999}],'c':2}")))
        .isEqualTo(ExportFixtures.json("{'a':['1e309',{'b':'-1e99999999999'}],'c':2}"));
  }
}
