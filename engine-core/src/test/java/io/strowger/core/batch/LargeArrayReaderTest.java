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

@DisplayName("An object with an array too large for memory")
class LargeArrayReaderTest {
  private static final int MAX_ITEM_BYTES = 1 << 20;

  private final List<Json> items = new ArrayList<>();
  private final List<Long> memoryUse = new ArrayList<>();
  private Json.@Nullable Obj membersBefore;

  private Json.Obj read(String text) {
    return read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), MAX_ITEM_BYTES);
  }

  private Json.Obj read(InputStream in, int maxItemBytes) {
    var reader =
        new LargeArrayReader(in, new JacksonCodec(), "items", maxItemBytes, memoryUse::add);
    try {
      return reader.read(
          new LargeArrayReader.ItemListener() {
            @Override
            public void begin(Json.Obj members) {
              membersBefore = members;
            }

            @Override
            public void onItem(Json item) {
              items.add(item);
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static GatewayError refusal(Runnable read) {
    return catchThrowableOfType(GatewayException.class, read::run).error();
  }

  @Test
  @DisplayName("is read item by item, and the other members are returned in order")
  void whole() {
    Json.Obj object =
        read(
            " {\"a\": [1,{\"b\":\"]}\\\"\"}], \"items\" :\n"
                + "[ 1 , \"x,]\",{\"y\":[[]]},null ] , \"z\":true} ");
    assertThat(object).hasToString("{\"a\":[1,{\"b\":\"]}\\\"\"}],\"items\":[],\"z\":true}");
    assertThat(membersBefore).hasToString("{\"a\":[1,{\"b\":\"]}\\\"\"}]}");
    assertThat(items.stream().map(Json::toString))
        .containsExactly("1", "\"x,]\"", "{\"y\":[[]]}", "null");
  }

  @Test
  @DisplayName("may have no items, another type of value, or no such member")
  void none() {
    assertThat(read("{\"items\":[]}")).hasToString("{\"items\":[]}");
    assertThat(membersBefore).isEqualTo(Json.Obj.EMPTY);
    assertThat(read("{\"items\":{\"x\":1}}")).hasToString("{\"items\":{\"x\":1}}");
    assertThat(read("{}")).isEqualTo(Json.Obj.EMPTY);
    assertThat(items).isEmpty();
  }

  @Test
  @DisplayName("may write the name of the array with escapes")
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
  @DisplayName("is refused if it is not JSON")
  void broken(String text) {
    GatewayError error = refusal(() -> read(text));
    assertThat(error.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
    assertThat(error.problems()).hasSize(1);
  }

  @Test
  @DisplayName("is refused if an item is not UTF-8")
  void utf8() {
    byte[] text = "{\"items\":[\"?\"]}".getBytes(StandardCharsets.UTF_8);
    text[11] = (byte) 0xFF;
    assertThat(refusal(() -> read(new ByteArrayInputStream(text), MAX_ITEM_BYTES)).message())
        .contains("/items/0")
        .contains("UTF-8");
  }

  @Test
  @DisplayName("is refused if an item is too large")
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
  @DisplayName("needs memory only for its largest item, not for all items")
  void bounded() {
    String item = "{\"x\":\"" + "y".repeat(1000) + "\"},";
    InputStream in = generated(item, 20_000);
    read(in, 2000);
    assertThat(memoryUse).allSatisfy(bytes -> assertThat(bytes).isLessThan(70_000));
  }

  /** Returns an object with this number of equal items, generated while it is read. */
  private static InputStream generated(String item, int count) {
    byte[] itemBytes = item.getBytes(StandardCharsets.UTF_8);
    byte[] head = "{\"items\":[".getBytes(StandardCharsets.UTF_8);
    byte[] tail = "0]}".getBytes(StandardCharsets.UTF_8);
    long length = head.length + (long) itemBytes.length * count + tail.length;
    return new InputStream() {
      private long at;

      @Override
      public int read() {
        if (at == length) {
          return -1;
        }
        long position = at++;
        if (position < head.length) {
          return head[(int) position];
        }
        long offset = position - head.length;
        return offset < (long) itemBytes.length * count
            ? itemBytes[(int) (offset % itemBytes.length)]
            : tail[(int) (offset - (long) itemBytes.length * count)];
      }
    };
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "3", "7", "64"})
  @DisplayName("is the same for any sizes of the pieces in which its bytes arrive")
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
    assertThat(read(in, MAX_ITEM_BYTES)).hasToString("{\"a\":\"é\",\"items\":[],\"z\":0}");
    assertThat(items).hasSize(3);
  }
}
