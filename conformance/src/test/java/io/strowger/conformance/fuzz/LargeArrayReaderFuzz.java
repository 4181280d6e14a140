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
 * Fuzzes the reader of batches with any bytes as a body, and compares the result with that of a
 * parser which gets the whole body.
 */
@DisplayName("The reader of batch bodies, given any bytes,")
class LargeArrayReaderFuzz {
  private static final String ARRAY = "requests";
  private static final int MAX_ITEM_BYTES = 1 << 20;
  private static final int SMALL_ITEM_BYTES = 32;
  private static final int MAX_CUTS = 16;
  private static final int MANY = 2000;

  private final JacksonCodec codec = new JacksonCodec();

  /**
   * The result of reading a body.
   *
   * @param before the members before the array; null when the array did not begin
   * @param items the items of the array
   * @param all the body without the items; null when it was refused
   * @param error the reason for a refusal; null for none
   * @param held the most bytes that the reader reported to hold
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
  @DisplayName("gives the same result as a parser of the whole body, however the bytes are cut")
  void reads(byte[] input) throws IOException {
    Outcome outcome = read(new ByteArrayInputStream(input), MAX_ITEM_BYTES);
    assertSameAsWhole(outcome, input);
    var random = new Random(Arrays.hashCode(input));
    for (PiecewiseInputStream cut :
        List.of(
            PiecewiseInputStream.byteByByte(input),
            PiecewiseInputStream.cutAtRandom(input, MAX_CUTS, random))) {
      Outcome again = read(cut, MAX_ITEM_BYTES);
      assertThat(again.isSame(outcome)).as("%s however it is cut, was %s", outcome, again).isTrue();
    }
    assertBounded(outcome, read(new ByteArrayInputStream(input), SMALL_ITEM_BYTES));
    if (outcome.all != null && !outcome.items.isEmpty()) {
      assertHoldsOneItem(outcome.items);
    }
  }

  private Outcome read(InputStream in, int maxItemBytes) throws IOException {
    var items = new ArrayList<Json>();
    var before = new ArrayList<Json.Obj>();
    var held = new long[1];
    var reader =
        new LargeArrayReader(
            in,
            codec,
            ARRAY,
            maxItemBytes,
            bytes -> {
              assertThat(bytes).as("reported only when it is more").isGreaterThan(held[0]);
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

  /** Asserts that a parser of the whole body finds the same items, or refuses the body, too. */
  private void assertSameAsWhole(Outcome outcome, byte[] input) {
    Json whole;
    try {
      whole = codec.parse(input);
    } catch (MalformedJsonException refused) {
      // parsed alone, an item is nested two levels less
      boolean tooDeep = String.valueOf(refused.getMessage()).startsWith("is nested deeper than");
      assertThat(outcome.all == null || tooDeep).as("refused: %s", refused.getMessage()).isTrue();
      return;
    }
    if (!(whole instanceof Json.Obj object)) {
      assertThat(outcome.error).isNotNull();
      return;
    }
    assertThat(outcome.error).as("valid JSON is accepted").isNull();
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

  /** Asserts that with a small limit the items before the first one that is too large are read. */
  private static void assertBounded(Outcome outcome, Outcome limited) {
    assertThat(outcome.items.subList(0, Math.min(limited.items.size(), outcome.items.size())))
        .isEqualTo(limited.items);
    limited.items.forEach(
        item -> assertThat(item.writtenLength()).isLessThanOrEqualTo(SMALL_ITEM_BYTES));
    boolean tooLarge = limited.error != null && limited.error.code().status() == 413;
    assertThat(tooLarge || limited.isSame(outcome)).isTrue();
  }

  /** Asserts that the reader holds one item at a time: many items need no more memory than few. */
  private void assertHoldsOneItem(List<Json> items) throws IOException {
    var few = read(new ByteArrayInputStream(body(items, 1)), MAX_ITEM_BYTES);
    var many = read(new ByteArrayInputStream(body(items, MANY / items.size() + 1)), MAX_ITEM_BYTES);
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
