package io.strowger.core.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An object with an array too large to be held")
class LargeArrayReaderTest {
  private static final int MOST = 1 << 20;

  private final List<Json> items = new ArrayList<>();
  private final List<Long> held = new ArrayList<>();
  private Json.@Nullable Obj before;

  private Json.Obj read(String text) {
    return read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), MOST);
  }

  private Json.Obj read(InputStream in, int most) {
    var reader = new LargeArrayReader(in, new JacksonCodec(), "items", most, held::add);
    try {
      return reader.read(
          new LargeArrayReader.ItemListener() {
            @Override
            public void begin(Json.Obj members) {
              before = members;
            }

            @Override
            public void onItem(Json item) {
              items.add(item);
            }
          });
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static GatewayError refusal(Runnable reading) {
    return catchThrowableOfType(GatewayException.class, reading::run).error();
  }

  @Test
  @DisplayName("is read with its items one by one, and the rest without them, in its order")
  void whole() {
    Json.Obj all =
        read(
            " {\"a\": [1,{\"b\":\"]}\\\"\"}], \"items\" :\n"
                + "[ 1 , \"x,]\",{\"y\":[[]]},null ] , \"z\":true} ");
    assertThat(all).hasToString("{\"a\":[1,{\"b\":\"]}\\\"\"}],\"items\":[],\"z\":true}");
    assertThat(before).hasToString("{\"a\":[1,{\"b\":\"]}\\\"\"}]}");
    assertThat(items.stream().map(Json::toString))
        .containsExactly("1", "\"x,]\"", "{\"y\":[[]]}", "null");
  }

  @Test
  @DisplayName("may have no items, no array, or nothing at all")
  void none() {
    assertThat(read("{\"items\":[]}")).hasToString("{\"items\":[]}");
    assertThat(before).isEqualTo(Json.Obj.EMPTY);
    assertThat(read("{\"items\":{\"x\":1}}")).hasToString("{\"items\":{\"x\":1}}");
    assertThat(read("{}")).isEqualTo(Json.Obj.EMPTY);
    assertThat(items).isEmpty();
  }

  @Test
  @DisplayName("is found by the name that is meant, however it is written")
  void escaped() {
    read("{\"it\\u0065ms\":[7]}");
    assertThat(items).containsExactly(Json.of(7));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "[]",
        "{",
        "{\"items\"",
        "{\"items\":",
        "{\"items\":[",
        "{\"items\":[1",
        "{\"items\":[1,",
        "{\"items\":[1,]}",
        "{\"items\":[1 2]}",
        "{\"items\":[,1]}",
        "{\"items\":[1]",
        "{\"items\":[1],}",
        "{\"items\":[1]}x",
        "{\"items\":[1]}{}",
        "{items:[1]}",
        "{\"a\" 1}",
        "{\"a\":1 \"b\":2}",
        "{\"a\":\"",
        "{\"a\":tru}",
        "{\"a\":}",
        "{\"items\":[[}]}",
        "{\"items\":[tru]}",
        "{\"items\":[{\"x\":1,\"x\":2}]}",
        "{\"items\":[1],\"items\":[2]}",
        "{\"a\":1,\"a\":2,\"items\":[]}",
        "{\"items\":[\"\\x\"]}",
        "{\"items\":[01]}",
      })
  @DisplayName("is refused when it is not JSON, however it is broken")
  void broken(String text) {
    GatewayError error = refusal(() -> read(text));
    assertThat(error.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
    assertThat(error.problems()).hasSize(1);
  }

  @Test
  @DisplayName("is refused when its bytes are not UTF-8, in an item and beside it")
  void utf8() {
    byte[] text = "{\"items\":[\"?\"]}".getBytes(StandardCharsets.UTF_8);
    text[11] = (byte) 0xFF;
    assertThat(refusal(() -> read(new ByteArrayInputStream(text), MOST)).message())
        .contains("/items/0")
        .contains("UTF-8");
  }

  @Test
  @DisplayName("is refused when an item is too large, before it is all in memory")
  void large() {
    String item = "\"" + "x".repeat(100) + "\"";
    read(in("{\"items\":[" + item + "]}"), 102);
    assertThat(items).hasSize(1);
    assertThat(refusal(() -> read(in("{\"items\":[" + item + "]}"), 101)).code())
        .isEqualTo(ErrorCode.PAYLOAD_TOO_LARGE);
  }

  private static InputStream in(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  @DisplayName("takes no more memory than its largest item, however many there are")
  void bounded() {
    String item = "{\"x\":\"" + "y".repeat(1000) + "\"},";
    InputStream many = endless(item, 20_000);
    read(many, 2000);
    assertThat(held).allSatisfy(bytes -> assertThat(bytes).isLessThan(70_000));
  }

  /** As many items as told, made while they are read. */
  private static InputStream endless(String item, int count) {
    byte[] one = item.getBytes(StandardCharsets.UTF_8);
    byte[] head = "{\"items\":[".getBytes(StandardCharsets.UTF_8);
    byte[] tail = "0]}".getBytes(StandardCharsets.UTF_8);
    long length = head.length + (long) one.length * count + tail.length;
    return new InputStream() {
      private long at;

      @Override
      public int read() {
        if (at == length) {
          return -1;
        }
        long place = at++;
        if (place < head.length) {
          return head[(int) place];
        }
        long behind = place - head.length;
        return behind < (long) one.length * count
            ? one[(int) (behind % one.length)]
            : tail[(int) (behind - (long) one.length * count)];
      }
    };
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "3", "7", "64"})
  @DisplayName("is the same however its bytes come")
  void pieces(int size) {
    byte[] text =
        "{\"a\":\"é\",\"items\":[\"ü\\\\\",[1,2],{\"b\":\"\\\"\"}],\"z\":0}"
            .getBytes(StandardCharsets.UTF_8);
    InputStream in =
        new ByteArrayInputStream(text) {
          @Override
          public synchronized int read(byte[] into, int from, int length) {
            return super.read(into, from, Math.min(length, size));
          }
        };
    assertThat(read(in, MOST)).hasToString("{\"a\":\"é\",\"items\":[],\"z\":0}");
    assertThat(items).hasSize(3);
  }
}
