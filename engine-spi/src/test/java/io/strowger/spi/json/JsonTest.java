package io.strowger.spi.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A JSON value")
class JsonTest {
  private static final String SPACED = "{ \"a\" : 1.0 , \"b\" : [ \"x\", { \"c\" : null } ] }";

  private static Json.Obj object(String text) {
    return (Json.Obj) TinyReader.read(text);
  }

  private static String written(Json json) {
    return new String(json.toBytes(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plain words",
        "\\u0061\\/\\n\\u00e9",
        "é€\uD83D\uDE00x",
        "\\ud83d\\ude00\\ud83d",
        "",
        "\\\\\\\"",
      })
  @DisplayName("that is text returns its beginning of any length, whether decoded or not")
  void beginning(String inside) {
    for (int max = 0; max <= 20; max++) {
      String all = ((Json.Str) TinyReader.read('"' + inside + '"')).text();
      Json.Str fresh = (Json.Str) TinyReader.read('"' + inside + '"');
      assertThat(fresh.beginning(max))
          .isEqualTo(all.substring(0, Math.min(max, all.length())))
          .isEqualTo(Json.of(all).beginning(max));
    }
  }

  @Test
  @DisplayName("that is an object returns the strings of a list, and none where there is no list")
  void texts() {
    Json.Obj lists = object("{\"a\":[\"x\",1,null,[\"y\"],\"\"],\"b\":\"x\",\"c\":[]}");

    assertThat(lists.texts("a")).containsExactly("x", "");
    assertThat(lists.texts("b")).isEmpty();
    assertThat(lists.texts("c")).isEmpty();
    assertThat(lists.texts("d")).isEmpty();
  }

  @Nested
  @DisplayName("is equal")
  class Equality {
    @Test
    @DisplayName("by content, not by where it came from or how it is spaced")
    void content() {
      Json.Obj made =
          Json.object()
              .put("b", Json.array(Json.of("x"), Json.object().put("c", Json.NULL).build()))
              .put("a", Json.of(new BigDecimal("1.0")))
              .build();
      assertThat(object(SPACED)).isEqualTo(made).hasSameHashCodeAs(made);
      assertThat(made).isEqualTo(object(SPACED));
    }

    @Test
    @DisplayName("as text by its characters, however they are escaped")
    void text() {
      assertThat(TinyReader.read("\"\\u0061\\/\\n\"")).isEqualTo(Json.of("a/\n"));
      assertThat(Json.of("a")).isNotEqualTo(Json.of("b"));
    }

    @Test
    @DisplayName("as a number by its spelling: 1.0 is not 1")
    void number() {
      assertThat(TinyReader.read("1.0")).isNotEqualTo(Json.of(1));
      assertThat(TinyReader.read("1")).isEqualTo(Json.of(1)).hasSameHashCodeAs(Json.of(1));
    }

    @Test
    @DisplayName("as an array by order, and to any list of equal items")
    void array() {
      Json ab = TinyReader.read("[\"a\", \"b\"]");
      assertThat(ab).isEqualTo(Json.array(Json.of("a"), Json.of("b")));
      assertThat(ab).isNotEqualTo(Json.array(Json.of("b"), Json.of("a")));
      assertThat(ab.equals(List.of(Json.of("a"), Json.of("b")))).isTrue();
      assertThat(List.of(Json.of("a"), Json.of("b")).equals(ab)).isTrue();
      assertThat(ab).hasSameHashCodeAs(List.of(Json.of("a"), Json.of("b")));
    }

    @Test
    @DisplayName("as an object by its names, whatever their order")
    void order() {
      Json abc = object("{\"a\":1,\"b\":2,\"c\":3}");
      assertThat(abc).isEqualTo(object("{\"a\":1,\"c\":3,\"b\":2}"));
      assertThat(abc).isNotEqualTo(object("{\"a\":1,\"c\":2,\"b\":3}"));
      assertThat(abc).isNotEqualTo(object("{\"a\":1,\"b\":2,\"d\":3}"));
      assertThat(abc).isNotEqualTo(object("{\"d\":1,\"b\":2,\"c\":3}"));
    }

    @Test
    @DisplayName("not when one has a member more, or an explicit null where the other has nothing")
    void objects() {
      assertThat(object("{\"a\":1}")).isNotEqualTo(object("{\"a\":1,\"b\":2}"));
      assertThat(object("{\"a\":1,\"b\":2}")).isNotEqualTo(object("{\"a\":1}"));
      assertThat(object("{\"a\":null}")).isNotEqualTo(Json.Obj.EMPTY);
    }
  }

  @Nested
  @DisplayName("when changed")
  class Changes {
    @Test
    @DisplayName("is written again, except for unchanged members, which keep their bytes")
    void siblings() {
      Json.Obj changed = object(SPACED).with("a", Json.of(2));
      assertThat(written(changed)).isEqualTo("{\"a\":2,\"b\":[ \"x\", { \"c\" : null } ]}");
      assertThat(written(object(SPACED))).isEqualTo(SPACED);
    }

    @Test
    @DisplayName("leaves the original as it was")
    void immutable() {
      Json.Obj original = object(SPACED);
      original.with("a", Json.NULL);
      original.without("b");
      assertThat(written(original)).isEqualTo(SPACED);
    }

    @Test
    @DisplayName("keeps a replaced member in its place and appends a new one")
    void places() {
      assertThat(written(object("{\"a\":1,\"b\":2}").with("a", Json.NULL).with("c", Json.of(3))))
          .isEqualTo("{\"a\":null,\"b\":2,\"c\":3}");
    }

    @Test
    @DisplayName(
        "loses a first, middle or last member, and is the same object if the member is absent")
    void without() {
      Json.Obj abc = object("{\"a\":1,\"b\":2,\"c\":3}");
      assertThat(written(abc.without("a"))).isEqualTo("{\"b\":2,\"c\":3}");
      assertThat(written(abc.without("b"))).isEqualTo("{\"a\":1,\"c\":3}");
      assertThat(written(abc.without("c"))).isEqualTo("{\"a\":1,\"b\":2}");
      assertThat(abc.without("d")).isSameAs(abc);
    }

    @Test
    @DisplayName("keeps the bytes of the other items when one item of an array is replaced")
    void item() {
      Json.Arr items = (Json.Arr) TinyReader.read("[ 1e2 , 2, 3 ]");
      assertThat(written(items.with(1, Json.of("two")))).isEqualTo("[1e2,\"two\",3]");
    }
  }

  @Test
  @DisplayName("that is detached is equal, keeps its spelling and no longer refers to the document")
  void detached() {
    Json detached = object(SPACED).detached();
    assertThat(detached).isEqualTo(object(SPACED));
    assertThat(written(detached)).isEqualTo("{\"a\":1.0,\"b\":[\"x\",{\"c\":null}]}");
    byte[] document = "[\"kept\",12]".getBytes(StandardCharsets.UTF_8);
    Json.Arr read = (Json.Arr) TinyReader.read(document);
    Json free = read.detached();
    Arrays.fill(document, (byte) '!');
    assertThat(written(free)).isEqualTo("[\"kept\",12]");
  }

  @Test
  @DisplayName(
      "finds members by name, and returns null or a default when there is none of that kind")
  void members() {
    Json.Obj obj = object("{\"s\":\"t\",\"n\":7,\"o\":{},\"a\":[],\"z\":null}");
    assertThat(obj.text("s")).isEqualTo("t");
    assertThat(obj.text("n")).isNull();
    assertThat(obj.longValue("n", -1)).isEqualTo(7);
    assertThat(obj.longValue("s", -1)).isEqualTo(-1);
    assertThat(obj.object("o")).isEqualTo(Json.Obj.EMPTY);
    assertThat(obj.list("a")).isEmpty();
    assertThat(obj.get("z")).isEqualTo(Json.NULL);
    assertThat(obj.get("absent")).isNull();
    assertThat(obj.has("z")).isTrue();
    assertThat(obj.has("absent")).isFalse();
  }

  @Test
  @DisplayName("that is a whole number of up to 64 bits is read as one, however it is spelled")
  void wholeNumbers() {
    assertThat(number("1.0").asLong()).hasValue(1);
    assertThat(number("1e3").asLong()).hasValue(1000);
    assertThat(number("-0").asLong()).hasValue(0);
    assertThat(number("-17").asLong()).hasValue(-17);
    assertThat(number("999999999999999999").asLong()).hasValue(999_999_999_999_999_999L);
    assertThat(number("-99999999999999999").asLong()).hasValue(-99_999_999_999_999_999L);
    assertThat(number("1000000000000000000").asLong()).hasValue(1_000_000_000_000_000_000L);
    assertThat(number("-9223372036854775808").asLong()).hasValue(Long.MIN_VALUE);
    assertThat(number("9223372036854775807").asLong()).hasValue(Long.MAX_VALUE);
    assertThat(number("9223372036854775808").asLong()).isEmpty();
    assertThat(number("1.5").asLong()).isEmpty();
    assertThat(number("1e999999999").asLong()).isEmpty();
    assertThat(number("1e99999999999").asLong()).isEmpty();
    assertThatThrownBy(() -> number("1e99999999999").decimal())
        .isInstanceOf(NumberFormatException.class);
  }

  private static Json.Num number(String spelling) {
    return (Json.Num) TinyReader.read(spelling);
  }

  @Test
  @DisplayName("bounds the length of its text without decoding it")
  void bound() {
    assertThat(Json.of("aé€\uD83D\uDE00").utf8Bound()).isEqualTo(10);
    assertThat(((Json.Str) TinyReader.read("\"aé€\uD83D\uDE00\"")).utf8Bound()).isEqualTo(10);
    assertThat(((Json.Str) TinyReader.read("\"\\u0061\"")).utf8Bound()).isEqualTo(6);
    assertThat(((Json.Str) TinyReader.read("\"\"")).isEmpty()).isTrue();
    assertThat(Json.of("").isEmpty()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      value = {
        "data:x, data:, true",
        "DaTa:x, data:, true",
        "data:, data:, true",
        "data, data:, false",
        "https://a, data:, false",
        "dat\\u0061:x, data:, true",
        "d\\u0062ta:x, data:, false",
        "größe, gr, true",
        "ädata:, data:, false",
        "~~, data:, false",
        "~~, ~~, true",
      })
  @DisplayName("compares the beginning of its text in any case, however that is escaped")
  void beginning(String written, String prefix, boolean begins) {
    var read = (Json.Str) TinyReader.read('"' + written + '"');
    assertThat(read.startsWithIgnoreCase(prefix)).isEqualTo(begins);
    assertThat(Json.of(read.text()).startsWithIgnoreCase(prefix))
        .as("built from the text")
        .isEqualTo(begins);
    assertThat(read.startsWithIgnoreCase(prefix)).as("after decoding").isEqualTo(begins);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '~',
      value = {
        "user, user, true",
        "user, use, false",
        "user, users, false",
        "user, User, false",
        "use, user, false",
        "us\\u0065r, user, true",
        "us\\u0065rs, user, false",
        "größe, größe, true",
        "größe, grösse, false",
        "~~, ~~, true",
        "~~, a, false",
        "a, ~~, false",
      })
  @DisplayName("compares its text with a word, however that is escaped")
  void word(String written, String word, boolean same) {
    var read = (Json.Str) TinyReader.read('"' + written + '"');
    assertThat(read.is(word)).isEqualTo(same);
    assertThat(read.text().equals(word)).isEqualTo(same);
    assertThat(read.is(word)).as("after decoding").isEqualTo(same);
    assertThat(Json.of(read.text()).is(word)).as("built from the text").isEqualTo(same);
  }

  @Test
  @DisplayName("names its kind as error messages do")
  void kinds() {
    assertThat(((Json.Arr) TinyReader.read("[{},[],\"\",0,true,null]")).stream().map(Json::kind))
        .containsExactly("object", "array", "string", "number", "boolean", "null");
  }

  @Test
  @DisplayName("is shown in full when short, and shortened when long")
  void shown() {
    assertThat(Json.of("a\"b")).hasToString("\"a\\\"b\"");
    assertThat(Json.of("x".repeat(2000)).toString()).hasSizeLessThan(1000).endsWith("(2002 bytes)");
  }

  @Test
  @DisplayName(
      "that is built with a name twice has its first position and the later value, whatever the"
          + " size")
  void builtWithManyNames() {
    for (int members : new int[] {1, 15, 16, 17, 40}) {
      Json.Obj.Builder builder = Json.object();
      for (int i = 0; i < members; i++) {
        builder.put("m" + i, i);
      }
      builder.put("m0", "again");
      Json.Obj built = builder.build();
      assertThat(built.size()).isEqualTo(members);
      assertThat(built.name(0)).isEqualTo("m0");
      assertThat(built.text("m0")).isEqualTo("again");
      assertThat(built.name(members - 1)).isEqualTo("m" + (members - 1));
    }
  }

  @Test
  @DisplayName("knows the number of bytes in which it is written")
  void writtenLength() {
    for (String text :
        List.of("\"\\u00e9 \\n plain\"", "1.50e3", "true", "null", "[1, \"a\"]", "{\"a\" : [ ]}")) {
      Json read = TinyReader.read(text);
      assertThat(read.writtenLength()).as(text).isEqualTo(read.toBytes().length);
    }
    Json made =
        Json.object()
            .put("text", "\u00e9\n")
            .put("number", Json.of(7))
            .put("list", Json.array(Json.TRUE, Json.of("x")))
            .build();
    assertThat(made.writtenLength()).isEqualTo(made.toBytes().length);
    assertThat(Json.of("\u00e9\n").writtenLength()).isEqualTo(6);
    assertThat(Json.of(-70).writtenLength()).isEqualTo(3);
  }
}
