package io.strowger.spi.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("JSON output")
class JsonOutputTest {
  private static String literal(String text) {
    var out = new JsonOutput(0);
    out.string(text);
    return new String(out.toByteArray(), StandardCharsets.UTF_8);
  }

  @Test
  @DisplayName("escapes quotes, backslashes and every control character, and nothing else")
  void escapes() {
    assertThat(literal("\"\\/\n\r\t")).isEqualTo("\"\\\"\\\\/\\n\\r\\t\"");
    assertThat(literal("\b\f\u0000\u001f\u007f"))
        .isEqualTo("\"\\u0008\\u000c\\u0000\\u001f\u007f\"");
  }

  @Test
  @DisplayName("writes one, two, three and four bytes at the bounds of UTF-8")
  void utf8() {
    String bounds = "\u007f\u0080\u07ff\u0800\ud7ff\ue000\uffff\ud800\udc00\udbff\udfff";
    assertThat(literal(bounds)).isEqualTo("\"" + bounds + "\"");
  }

  @Test
  @DisplayName("writes a lone surrogate as an escape, for it has no UTF-8 form")
  void loneSurrogates() {
    assertThat(literal("\ud800")).isEqualTo("\"\\ud800\"");
    assertThat(literal("\udc00x")).isEqualTo("\"\\udc00x\"");
    assertThat(literal("\ud800\ud83d\ude00")).isEqualTo("\"\\ud800\ud83d\ude00\"");
    assertThat(((Json.Str) TinyReader.read(literal("a\udfff"))).text()).isEqualTo("a\udfff");
  }

  @Test
  @DisplayName("grows as needed, wherever the text forces it to")
  void grows() {
    for (int length = 0; length < 70; length++) {
      for (String tail : new String[] {"", "\u20ac", "\ud83d\ude00", "\u0001", "\ud800"}) {
        String text = "x".repeat(length) + tail + "y";
        assertThat(((Json.Str) TinyReader.read(literal(text))).text()).isEqualTo(text);
      }
    }
  }

  @Test
  @DisplayName("forgets on reset and starts again")
  void reset() {
    var out = new JsonOutput(4);
    out.ascii("something long enough to grow");
    out.reset();
    out.raw('[');
    out.bytes("1,2".getBytes(StandardCharsets.UTF_8));
    out.raw(']');
    assertThat(out.length()).isEqualTo(5);
    assertThat(new String(out.toByteArray(), StandardCharsets.UTF_8)).isEqualTo("[1,2]");
  }
}
