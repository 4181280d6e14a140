package io.strowger.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.conformance.dialects.PiecewiseInputStream;
import io.strowger.core.batch.LargeArrayReader;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;

/**
 * Any bytes as the body of a batch, read piece by piece and compared with a reader that has all of
 * it at once.
 */
@DisplayName("The reader of batch bodies, given anything,")
class LargeArrayReaderFuzz {
  private static final String ARRAY = "requests";
  private static final int ROOM = 1 << 20;
  private static final int LITTLE = 32;
  private static final int MAX_CUTS = 16;
  private static final int MANY = 2000;

  private final JacksonCodec codec = new JacksonCodec();

  /**
   * What a reading came to.
   *
   * @param before the members before the array; null when none began
   * @param all null when it was refused
   * @param held most bytes it said it holds
   */
  private record Outcome(
      Json.@Nullable Obj before,
      List<Json> items,
      Json.@Nullable Obj all,
      @Nullable GatewayError error,
      long held) {
    boolean isSame(Outcome other) {
      return Objects.equals(before, other.before)
          && items.equals(other.items)
          && Objects.equals(all, other.all)
          && Objects.equals(text(error), text(other.error));
    }

    private static @Nullable String text(@Nullable GatewayError error) {
      return error == null ? null : error.code() + " " + error.message();
    }
  }

  @FuzzTest
  @DisplayName("gives what a reader of the whole gives, however the bytes were cut")
  void reads(byte[] input) throws IOException {
    Outcome outcome = read(new ByteArrayInputStream(input), ROOM);
    same(outcome, input);
    var random = new Random(Arrays.hashCode(input));
    for (PiecewiseInputStream cut : List.of(PiecewiseInputStream.byteByByte(input), PiecewiseInputStream.cutAtRandom(input, MAX_CUTS, random))) {
      Outcome again = read(cut, ROOM);
      assertThat(again.isSame(outcome)).as("%s however it is cut, was %s", outcome, again).isTrue();
    }
    bounded(outcome, read(new ByteArrayInputStream(input), LITTLE));
    if (outcome.all != null && !outcome.items.isEmpty()) {
      holdsOne(outcome.items);
    }
  }

  private Outcome read(InputStream in, int mostItemBytes) throws IOException {
    var items = new ArrayList<Json>();
    var before = new ArrayList<Json.Obj>();
    var held = new long[1];
    var reader =
        new LargeArrayReader(
            in,
            codec,
            ARRAY,
            mostItemBytes,
            bytes -> {
              assertThat(bytes).as("told only when it is more").isGreaterThan(held[0]);
              held[0] = bytes;
            });
    Json.Obj all = null;
    GatewayError error = null;
    try {
      all =
          reader.read(
              new LargeArrayReader.ItemListener() {
                @Override
                public void begin(Json.Obj members) {
                  before.add(members);
                }

                @Override
                public void onItem(Json item) {
                  assertThat(before).as("the array has begun").isNotEmpty();
                  items.add(item);
                }
              });
    } catch (GatewayException documented) {
      error = documented.error();
      assertThat(error.code().status()).isIn(400, 413);
      assertThat(error.message()).isNotBlank().doesNotContain("Exception");
    }
    assertThat(before).hasSizeLessThan(2);
    return new Outcome(before.isEmpty() ? null : before.getFirst(), items, all, error, held[0]);
  }

  /** With all of it at once the items are the same; or it is refused there too. */
  private void same(Outcome outcome, byte[] input) {
    Json whole;
    try {
      whole = codec.parse(input);
    } catch (MalformedJsonException refused) {
      // an item stands two levels higher by itself
      boolean deep = String.valueOf(refused.getMessage()).startsWith("is nested deeper than");
      assertThat(outcome.all == null || deep).as("refused: %s", refused.getMessage()).isTrue();
      return;
    }
    if (!(whole instanceof Json.Obj object)) {
      assertThat(outcome.error).isNotNull();
      return;
    }
    assertThat(outcome.error).as("JSON is taken").isNull();
    if (object.get(ARRAY) instanceof Json.Arr array) {
      assertThat(outcome.items).isEqualTo(array.stream().toList());
      assertThat(outcome.all).isEqualTo(object.with(ARRAY, Json.array()));
      assertThat(outcome.before).isEqualTo(before(object));
    } else {
      assertThat(outcome.items).isEmpty();
      assertThat(outcome.before).isNull();
      assertThat(outcome.all).isEqualTo(object);
    }
  }

  private static Json.Obj before(Json.Obj object) {
    Json.Obj.Builder before = Json.object();
    for (int i = 0; i < object.size() && !object.name(i).equals(ARRAY); i++) {
      before.put(object.name(i), object.value(i));
    }
    return before.build();
  }

  /** With little room for an item, those before the first that is too large are there. */
  private static void bounded(Outcome outcome, Outcome little) {
    assertThat(outcome.items.subList(0, Math.min(little.items.size(), outcome.items.size())))
        .isEqualTo(little.items);
    little.items.forEach(item -> assertThat(item.writtenLength()).isLessThanOrEqualTo(LITTLE));
    boolean tooLarge = little.error != null && little.error.code().status() == 413;
    assertThat(tooLarge || little.isSame(outcome)).isTrue();
  }

  /** A thousand times as many items are held in no more memory. */
  private void holdsOne(List<Json> items) throws IOException {
    var few = read(new ByteArrayInputStream(body(items, 1)), ROOM);
    var many = read(new ByteArrayInputStream(body(items, MANY / items.size() + 1)), ROOM);
    assertThat(many.items).hasSize(items.size() * (MANY / items.size() + 1) + 1);
    assertThat(many.held).isEqualTo(few.held);
  }

  private static byte[] body(List<Json> items, int times) {
    var body = new ByteArrayOutputStream();
    body.writeBytes("{\"requests\":[".getBytes(StandardCharsets.UTF_8));
    for (int i = 0; i < times; i++) {
      for (Json item : items) {
        body.writeBytes(item.toBytes());
        body.write(',');
      }
    }
    body.writeBytes("0]}".getBytes(StandardCharsets.UTF_8));
    return body.toByteArray();
  }
}
