package io.strowger.spi.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
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
  @DisplayName("writes decimal numbers in plain digits, as BigDecimal does")
  void decimals() {
    long[] all = {0, 1, -1, 9, 10, -10, 999, 12_345, Long.MAX_VALUE, Long.MIN_VALUE};
    for (long unscaled : all) {
      for (int decimals = 0; decimals <= 18; decimals++) {
        var out = new JsonOutput(0);
        out.raw('[');
        out.decimal(unscaled, decimals);
        out.raw(']');
        String plain = BigDecimal.valueOf(unscaled, decimals).toPlainString();
        assertThat(new String(out.toByteArray(), StandardCharsets.UTF_8))
            .isEqualTo("[" + plain + "]");
        assertThat(Json.decimal(unscaled, decimals).spelling()).isEqualTo(plain);
      }
    }
    assertThatThrownBy(() -> new JsonOutput(0).decimal(0, -1))
        .hasMessage("decimals must be 0 to 18, was -1");
    assertThatThrownBy(() -> new JsonOutput(0).decimal(0, 19)).hasMessageContaining("was 19");
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
  @DisplayName("writes a lone surrogate as an escape, since it has no UTF-8 form")
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
  @DisplayName("is empty after a reset")
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

  private static String written(JsonOutput out) throws IOException {
    var to = new ByteArrayOutputStream();
    out.writeTo(to);
    assertThat(to.toByteArray()).isEqualTo(out.toByteArray());
    return to.toString(StandardCharsets.UTF_8);
  }

  @Test
  @DisplayName("writes long values the same whether it copies them or refers to them")
  void refers() throws IOException {
    for (String odd :
        new String[] {"", "\u20ac", "\ud83d\ude00", "\u0001", "\ud800", "\ud800\ud83d\ude00"}) {
      for (int length = 4090; length < 4100; length++) {
        Json text = Json.of("x".repeat(length) + odd + "y".repeat(5000));
        byte[] read = text.toBytes();
        var copying = new JsonOutput(16);
        var referring = JsonOutput.withReferences(16);
        var splicing = JsonOutput.withByteReferences(16);
        for (JsonOutput out : new JsonOutput[] {copying, referring, splicing}) {
          out.raw('[');
          text.writeTo(out);
          out.raw(',');
          out.bytes(read);
          out.raw(',');
          text.writeTo(out);
          out.raw(']');
        }
        assertThat(written(referring)).isEqualTo(written(copying));
        assertThat(written(splicing)).isEqualTo(written(copying));
        assertThat(splicing.length()).as("length").isEqualTo(copying.length());
        referring.reset();
        assertThat(written(referring)).isEmpty();
      }
    }
  }

  @Test
  @DisplayName("can be truncated between long values, and keeps those before the position")
  void truncatesLong() throws IOException {
    byte[] many = "1,".repeat(5000).getBytes(StandardCharsets.UTF_8);
    var out = JsonOutput.withReferences(16);
    out.bytes(many);
    int first = out.length();
    out.bytes(many);
    out.string("x".repeat(5000));
    int second = out.length();
    out.string("y".repeat(5000));
    out.raw('z');
    out.truncate(second);
    assertThat(written(out)).isEqualTo("1,".repeat(10_000) + '"' + "x".repeat(5000) + '"');
    out.truncate(first);
    out.raw('!');
    assertThat(written(out)).isEqualTo("1,".repeat(5000) + "!");
  }

  @Test
  @DisplayName("finds line breaks in long values, from a position on")
  void lineBreaksInLong() {
    byte[] spaced = "1,\n".repeat(5000).getBytes(StandardCharsets.UTF_8);
    var out = JsonOutput.withReferences(16);
    out.raw('[');
    int start = out.length();
    out.bytes(spaced);
    int end = out.length();
    out.string("x\n".repeat(5000));
    assertThat(out.hasLineBreakFrom(start)).isTrue();
    assertThat(out.hasLineBreakFrom(end)).isFalse();
    out.raw('\n');
    assertThat(out.hasLineBreakFrom(end)).isTrue();
  }
}
