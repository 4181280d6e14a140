package io.strowger.core.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonLimits;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The codec")
class JacksonCodecTest {
  private static final JacksonCodec CODEC =
      new JacksonCodec(new JsonLimits(4, 8, 5, 6, 1000, 1000));

  private static Json parse(String document) throws MalformedJsonException {
    return CODEC.parse(document.getBytes(StandardCharsets.UTF_8));
  }

  private static String fault(byte[] document) {
    try {
      return "read " + CODEC.parse(document);
    } catch (MalformedJsonException refused) {
      return String.valueOf(refused.getMessage());
    }
  }

  private static String fault(String document) {
    return fault(document.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] quoted(String hex) {
    return HexFormat.of().parseHex("22" + hex + "22");
  }

  private static String text(Json json) {
    return new String(json.toBytes(), StandardCharsets.UTF_8);
  }

  @Nested
  @DisplayName("keeps for every value")
  class Spans {
    @Test
    @DisplayName("its own bytes, without the white space and the comma that follow")
    void exactEnds() throws MalformedJsonException {
      var list = (Json.Arr) parse("[ 1 , -2.50 ,\n\"a\\u0041\"\t, [ ] , { \"k\" : [1 , 2] } , 7 ]");
      assertThat(list.stream().map(JacksonCodecTest::text))
          .containsExactly("1", "-2.50", "\"a\\u0041\"", "[ ]", "{ \"k\" : [1 , 2] }", "7");
    }

    @ParameterizedTest
    @ValueSource(strings = {"12", "12  ", " \n12", "\"x\" ", "{ } ", " [ ]", "true", "null "})
    @DisplayName("its own bytes when it is the whole document")
    void atTheRoot(String document) throws MalformedJsonException {
      assertThat(text(parse(document))).isEqualTo(document.strip());
    }

    @Test
    @DisplayName("a comma inside a string")
    void commaInText() throws MalformedJsonException {
      assertThat(text(parse("[\"a,\" , \"b , \" ]"))).isEqualTo("[\"a,\" , \"b , \" ]");
      assertThat(((Json.Arr) parse("[\"a,\" ,1]")).get(0)).isEqualTo(Json.of("a,"));
    }

    @Test
    @DisplayName("a lone surrogate that was written as an escape")
    void loneSurrogate() throws MalformedJsonException {
      Json.Str value = (Json.Str) parse("\"\\ud800\"");
      assertThat(value.text()).isEqualTo("\ud800");
      assertThat(text(value)).isEqualTo("\"\\ud800\"");
    }

    @Test
    @DisplayName("the order of its members and their decoded names")
    void names() throws MalformedJsonException {
      var object = (Json.Obj) parse("{\"b\":1,\"\\u0061\":2,\"\":3}");
      assertThat(object.name(0) + object.name(1) + object.name(2)).isEqualTo("ba");
      assertThat(object.longValue("a", 0)).isEqualTo(2);
    }
  }

  @Nested
  @DisplayName("refuses")
  class Refuses {
    @Test
    @DisplayName("an empty document")
    void empty() {
      assertThat(fault("")).isEqualTo("is empty");
      assertThat(fault(" \n\t ")).isEqualTo("is empty");
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '~',
        value = {
          "{} {}|3",
          "{}1|2",
          "1 2|2",
          "[1] ]|4",
          "\"a\" x|4",
          "{},|2",
        })
    @DisplayName("bytes after the end of the document, with their position")
    void trailing(String document, int at) {
      assertThat(fault(document))
          .doesNotStartWith("read")
          .contains("at line 1, column " + (at + 1));
    }

    @Test
    @DisplayName("a duplicate member name, which the error contains")
    void duplicate() throws MalformedJsonException {
      assertThat(fault("{\"a\":1,\"b\":2,\"a\":3}"))
          .contains("'a'")
          .contains("twice")
          .contains("at line 1, column 14");
      assertThat(fault("[{\"x\":{\"a\":1,\"\\u0061\":3}}]")).contains("'a'").contains("twice");
      assertThat(parse("[{\"a\":1},{\"a\":2}]")).isNotNull();
    }

    @ParameterizedTest(name = "{0} names")
    @ValueSource(ints = {1, 7, 8, 9, 10, 40})
    @DisplayName(
        "a duplicate member name in an object of any size, but not the same name in different"
            + " objects")
    void duplicateAmongMany(int count) throws MalformedJsonException {
      var members = new StringBuilder("\"outer\":{\"n0\":0}");
      for (int i = 0; i < count; i++) {
        members.append(",\"n").append(i).append("\":{\"n").append(count - 1).append("\":0}");
      }
      assertThat(parse("{" + members + "}")).isNotNull();
      assertThat(fault("{" + members + ",\"n0\":1}")).contains("'n0' twice");
      String last = "n" + (count - 1);
      assertThat(fault("{" + members + ",\"" + last + "\":1}")).contains("'" + last + "' twice");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "[1", "{\"a\"", "{\"a\":", "\"abc", "[1,", "tru", "{\"a\":1"})
    @DisplayName("a document that ends too early")
    void truncated(String document) {
      assertThat(fault(document)).doesNotStartWith("read").contains(" at line ");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "{'a':1}",
          "[1,]",
          "{\"a\":1,}",
          "01",
          "+1",
          ".5",
          "1.",
          "NaN",
          "nul",
          "[1 2]",
          "{1:2}",
          "/**/1",
          "\"a\nb\"",
          "\"\\x\"",
          "\"\\u12\"",
          "{\"a\" 1}",
          "}",
          "]",
          ":",
          ",",
        })
    @DisplayName("syntax that lenient parsers accept")
    void lax(String document) {
      assertThat(fault(document)).doesNotStartWith("read").contains(" at line ");
    }

    @Test
    @DisplayName("a byte-order mark, UTF-16 and UTF-32")
    void encodings() {
      assertThat(fault("\ufeff{}")).contains("byte-order mark");
      for (String name : new String[] {"UTF-16BE", "UTF-16LE", "UTF-32BE", "UTF-32LE", "UTF-16"}) {
        assertThat(fault("{\"a\":1}".getBytes(Charset.forName(name)))).contains("UTF-8");
        assertThat(fault("1".getBytes(Charset.forName(name)))).contains("UTF-8");
      }
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "c080",
          "c1bf",
          "e08080",
          "e09fbf",
          "f0808080",
          "f08fbfbf", // overlong
          "eda080",
          "edbfbf", // surrogates
          "f4908080",
          "f5808080",
          "ff",
          "fe", // out of range
          "80",
          "bf",
          "c2",
          "e282",
          "f09f98",
          "c220",
          "e28220",
          "f09f9820", // truncated, or a continuation byte without a start
          "4142434445464748c0af", // after eight bytes of ASCII, which are checked together
        })
    @DisplayName("invalid UTF-8 in a string, with its position")
    void strictUtf8(String hex) {
      int ascii = hex.startsWith("41") ? 9 : 1;
      assertThat(fault(quoted(hex)))
          .isEqualTo("must be UTF-8, but is not at line 1, column " + (ascii + 1));
    }

    @ParameterizedTest
    @ValueSource(
        strings = {"c280", "dfbf", "e0a080", "ed9fbf", "ee8080", "efbfbf", "f0908080", "f48fbfbf"})
    @DisplayName("but accepts the first and last UTF-8 sequence of each length")
    void boundsOfUtf8(String hex) throws MalformedJsonException {
      byte[] document = quoted(hex);
      assertThat(CODEC.parse(document.clone()).toBytes()).isEqualTo(document);
    }

    @Test
    @DisplayName("a lone surrogate in a member name")
    void surrogateName() {
      assertThat(fault("{\"\\ud800\":1}")).doesNotStartWith("read");
    }
  }

  @Nested
  @DisplayName("limits")
  class Bounds {
    @Test
    @DisplayName("the depth of nesting")
    void depth() throws MalformedJsonException {
      assertThat(parse("[[[[]]]]")).isNotNull();
      assertThat(fault("[[[[[]]]]]")).isEqualTo("is nested deeper than 4 at line 1, column 5");
      assertThat(fault("{\"a\":".repeat(4) + "[]}}}}")).contains("deeper than 4");
      assertThat(parse("[[[[]]],[[[1]]]]")).isNotNull();
    }

    @Test
    @DisplayName("the depth of a document without a stack overflow")
    void veryDeep() {
      assertThat(fault("[".repeat(1_000_000))).contains("deeper than 4");
    }

    @Test
    @DisplayName("strings by the number of bytes in the document")
    void strings() throws MalformedJsonException {
      assertThat(parse("\"12345678\"")).isEqualTo(Json.of("12345678"));
      assertThat(fault("[\"123456789\"]"))
          .contains("more than 8 bytes")
          .contains("line 1, column 2");
      assertThat(fault("\"\\u0041\\u0041\"")).contains("more than 8 bytes");
    }

    @Test
    @DisplayName("member names by their number of characters")
    void names() throws MalformedJsonException {
      assertThat(parse("{\"12345\":1}")).isNotNull();
      assertThat(parse("{\"\u20ac\u20ac\u20ac\u20ac\u20ac\":1}")).isNotNull();
      String refusal = "has a member name of more than 5 characters at line 1, column ";
      assertThat(fault("{\"123456\":1}")).isEqualTo(refusal + 2);
      assertThat(fault("{\"" + "n".repeat(100_000) + "\":1}")).startsWith(refusal);
    }

    @Test
    @DisplayName("the number of member names with the same hash")
    void collidingNames() {
      // "Aa" and "BB" have the same hash code, so all names made of these pairs collide
      String members =
          IntStream.range(0, 1 << 16)
              .mapToObj(i -> '"' + collidingName(i) + "\":1")
              .collect(Collectors.joining(",", "{", "}"));
      assertThatThrownBy(() -> new JacksonCodec().parse(members.getBytes(StandardCharsets.UTF_8)))
          .isInstanceOf(MalformedJsonException.class)
          .hasMessage("has too many member names with the same hash");
    }

    private static String collidingName(int number) {
      return IntStream.range(0, 16)
          .mapToObj(bit -> (number >> bit & 1) == 0 ? "Aa" : "BB")
          .collect(Collectors.joining("", "member-", "-"));
    }

    @Test
    @DisplayName("numbers by their number of characters")
    void numbers() throws MalformedJsonException {
      assertThat(text(parse("-1.2e3"))).isEqualTo("-1.2e3");
      assertThat(fault("[1234567]"))
          .contains("more than 6 characters")
          .contains("line 1, column 2");
      assertThat(fault("1".repeat(100_000))).contains("more than 6 characters");
    }

    @Test
    @DisplayName("the number of members of an object and of items of an array")
    void members() throws MalformedJsonException {
      var limitedToSeven = new JacksonCodec(new JsonLimits(4, 8, 5, 6, 7, 1000));
      String tooMany = "has more than 7 values in one object or array at line 1, column ";
      assertThat(limitedToSeven.parse(utf8("[1,1,1,1,1,1,1]"))).isNotNull();
      assertThatThrownBy(() -> limitedToSeven.parse(utf8("[1,1,1,1,1,1,1,1]")))
          .hasMessage(tooMany + 16);
      String object = "{'a':1,'b':1,'c':1,'d':1,'e':1,'f':1,'g':1";
      assertThat(limitedToSeven.parse(utf8(object.replace('\'', '"') + "}"))).isNotNull();
      assertThatThrownBy(() -> limitedToSeven.parse(utf8((object + ",'h':1}").replace('\'', '"'))))
          .hasMessage(tooMany + 44);
    }

    @Test
    @DisplayName("the number of values in the whole document")
    void values() throws MalformedJsonException {
      var limitedToNine = new JacksonCodec(JsonLimits.DEFAULT.withValues(9));
      assertThat(limitedToNine.parse(utf8("[[1,1,1],[1,1,1]]"))).isNotNull();
      assertThatThrownBy(() -> limitedToNine.parse(utf8("[[1,1,1],[1,1,1],1]")))
          .hasMessage("has more than 9 values at line 1, column 18");
      assertThatThrownBy(() -> limitedToNine.parse(utf8("[[1,1,1],[1,1,1,{}]]")))
          .hasMessage("has more than 9 values at line 1, column 17");
    }

    private byte[] utf8(String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
  }

  @Test
  @DisplayName("reports an error without repeating the document")
  void shortMessages() {
    assertThat(fault("[" + "x".repeat(10_000) + "]")).hasSizeLessThan(300);
    assertThat(fault("{\"" + "n".repeat(10_000) + "\":1}")).hasSizeLessThan(300);
    String name = "n".repeat(1000);
    String twice = "{\"" + name + "\":1,\"" + name + "\":2}";
    assertThatThrownBy(() -> new JacksonCodec().parse(twice.getBytes(StandardCharsets.UTF_8)))
        .hasMessageContaining("twice")
        .extracting(Throwable::getMessage, STRING)
        .hasSizeLessThan(300);
  }

  @Test
  @DisplayName("refuses limits that are out of range")
  void limits() {
    assertThat(new JsonLimits(1000, 1, 1, 1, 1, 1).withDepth(1).depth()).isOne();
    assertThatThrownBy(() -> new JsonLimits(0, 1, 1, 1, 1, 1)).hasMessageContaining("was 0");
    assertThatThrownBy(() -> new JsonLimits(1001, 1, 1, 1, 1, 1)).hasMessageContaining("was 1001");
    assertThatThrownBy(() -> new JsonLimits(1, 0, 1, 1, 1, 1)).hasMessageContaining("stringBytes");
    assertThatThrownBy(() -> new JsonLimits(1, 1, 0, 1, 1, 1)).hasMessageContaining("nameChars");
    assertThatThrownBy(() -> new JsonLimits(1, 1, 1, 0, 1, 1)).hasMessageContaining("numberChars");
    assertThatThrownBy(() -> new JsonLimits(1, 1, 1, 1, 0, 1)).hasMessageContaining("members");
    assertThatThrownBy(() -> new JsonLimits(1, 1, 1, 1, 1, 0)).hasMessageContaining("values");
  }
}
