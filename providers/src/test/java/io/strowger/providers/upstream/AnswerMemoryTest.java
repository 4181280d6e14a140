package io.strowger.providers.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.UpstreamException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The memory for answers")
class AnswerMemoryTest {
  private static final int TOTAL = 2 << 20;
  private static final int LARGEST = 512 << 10;

  private final AnswerMemory memory = new AnswerMemory(TOTAL, LARGEST);

  /** A body with a given beginning, followed by a text that is repeated without end. */
  private static final class Endless extends InputStream {
    private final byte[] begin;
    private final byte[] again;
    private long readCount;

    Endless(String begin, String again) {
      this.begin = begin.getBytes(StandardCharsets.UTF_8);
      this.again = again.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public int read() {
      long at = readCount++;
      return at < begin.length
          ? begin[(int) at]
          : again[(int) ((at - begin.length) % again.length)];
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      int some = Math.min(length, 4096);
      for (int i = 0; i < some; i++) {
        into[offset + i] = (byte) read();
      }
      return some;
    }
  }

  /** A transport that answers every request with the same body. */
  private record OneBody(int status, InputStream body, @Nullable String length)
      implements Transport {
    @Override
    public Response send(Request request) {
      return new Response() {
        @Override
        public int status() {
          return status;
        }

        @Override
        public @Nullable String header(String name) {
          return name.equals("content-length") ? length : null;
        }

        @Override
        public InputStream body() {
          return body;
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public void close() {}
  }

  private FailureKind failure(Transport transport, boolean streaming) {
    try {
      List<Event> events = MinimalCodec.read(transport, streaming, new Cancellation(), memory);
      return Objects.requireNonNull(((Event.Failed) events.getLast()).kind());
    } catch (UpstreamException failure) {
      return failure.kind();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"ok":"    | x             |
          {"ok":"    | x             | 7
          {"ok":"    | x             | 900000000
          {"ok":"    | x             | 99999999999999999999
          {"ok":[1   | ,1            |
          {"ok":{    | "a":[],       |
          """)
  @DisplayName("makes an endless document fail, whatever length it announces")
  void endlessDocument(String begin, String again, @Nullable String length) {
    var body = new Endless(begin, again);
    assertThat(failure(new OneBody(200, body, length), false)).isEqualTo(FailureKind.PROTOCOL);
    assertThat(body.readCount)
        .as("bytes read")
        .isLessThan(LARGEST + 2 * AnswerMemory.UNCOUNTED_BYTES);
    assertThat(memory.takenBytes()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          one line                 | data: "                     | x
          one event                |                             | data: x~
          one name                 | event:                      | x
          frames without content   |                             | data: {}~~
          large frames             |                             | data: {"x":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}~~
          a line after content     | data: {"say":"hello"}~~     | x
          """)
  @DisplayName("makes an endless stream fail")
  void endlessStream(String what, @Nullable String begin, String again) {
    String first = begin == null ? "" : begin.replace('~', '\n');
    var body = new Endless(first, again.replace('~', '\n'));
    assertThat(failure(new OneBody(200, body, null), true))
        .as(what)
        .isEqualTo(FailureKind.PROTOCOL);
    assertThat(body.readCount).as("bytes read").isLessThan(16L * LARGEST);
    assertThat(memory.takenBytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"data: {\"say\":\"hello\"}~~", "data: {\"x\":\"y\"}~~"})
  @DisplayName("is not taken for frames that a stream passes on after its first content")
  void afterContent(String again) throws UpstreamException {
    var body = new Endless("data: {\"say\":\"hello\"}\n\n", again.replace('~', '\n'));
    try (EventStream stream = MinimalCodec.open(new OneBody(200, body, null), memory)) {
      while (body.readCount < 16L * LARGEST) {
        assertThat(stream.next()).isNotInstanceOf(Event.Failed.class);
      }
      assertThat(memory.takenBytes()).isZero();
    }
  }

  @Test
  @DisplayName("is taken for the JSON values in frames that are kept until the first content")
  void valuesBeforeContent() {
    var body = new Endless("", "data: {\"x\":[" + "1,".repeat(500) + "1]}\n\n");
    assertThat(failure(new OneBody(200, body, null), true)).isEqualTo(FailureKind.PROTOCOL);
    assertThat(body.readCount).as("bytes read").isLessThan(LARGEST / 8);
    assertThat(memory.takenBytes()).isZero();
  }

  private static InputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  @DisplayName("makes a stream fail at a frame after the content whose JSON values exceed it")
  void valuesAfterContent() throws UpstreamException {
    String values = "data: {\"x\":[" + "1,".repeat(50_000) + "1]}\n\n";
    String body = "data: {\"say\":\"hello\"}\n\n" + values + "data: {\"end\":1}\n\n";
    assertThat(failure(new OneBody(200, bytes(body), null), true)).isEqualTo(FailureKind.PROTOCOL);
    String many = values.replace("1,".repeat(49_000), "").repeat(500);
    List<Event> events =
        MinimalCodec.read(
            new OneBody(200, bytes(body.replace(values, many)), null),
            true,
            new Cancellation(),
            memory);
    assertThat(events.getLast())
        .as("frames that fit one by one")
        .isInstanceOf(Event.Finished.class);
    assertThat(memory.takenBytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("that other answers occupy makes an answer fail for overload of the gateway")
  void occupiedByOthers(boolean streaming) throws Exception {
    var others = new ArrayList<AnswerMemory.Share>();
    for (int i = 0; i < 6; i++) {
      AnswerMemory.Share share = memory.begin();
      share.take(300 << 10);
      others.add(share);
    }
    String large = "x".repeat(130 << 10);
    String body =
        streaming
            ? "data: {\"x\":\"" + large + "\"}\n\ndata: {\"end\":1}\n\n"
            : "{\"ok\":\"" + large + "\"}";
    var transport = new OneBody(200, bytes(body), null);
    var failed =
        (Event.Failed)
            MinimalCodec.read(transport, streaming, new Cancellation(), memory).getLast();
    assertThat(failed.cause()).as("no upstream to blame").isNull();
    assertThat(failed.code()).isEqualTo(ErrorCode.UNAVAILABLE);
    assertThat(failed.error().retryAfterSeconds()).hasValue(1);
    assertThat(failed.error().metadata().text("overload")).isEqualTo("memory");
    others.forEach(AnswerMemory.Share::close);
    var again = new OneBody(200, bytes(body), null);
    assertThat(MinimalCodec.read(again, streaming, new Cancellation(), memory).getLast())
        .isNotInstanceOf(Event.Failed.class);
    assertThat(memory.takenBytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 500, 302})
  @DisplayName("bounds how much of an endless refusal is read")
  void endlessRefusal(int status) {
    var body = new Endless("{\"error\":\"", "x");
    failure(new OneBody(status, body, null), false);
    assertThat(body.readCount).isLessThanOrEqualTo(64 << 10);
  }

  @Test
  @DisplayName("is never exceeded, however many answers share it, and is free again after them")
  void sharedByMany() throws IOException {
    var shares = new ArrayList<AnswerMemory.Share>();
    for (int i = 0; i < 50; i++) {
      AnswerMemory.Share share = memory.begin();
      shares.add(share);
      assertThatThrownBy(
              () -> {
                while (true) {
                  share.take(10_000);
                }
              })
          .isInstanceOf(IOException.class);
      assertThat(memory.takenBytes()).isLessThanOrEqualTo(TOTAL);
    }
    AnswerMemory.Share small = memory.begin();
    small.take(AnswerMemory.UNCOUNTED_BYTES);
    shares.forEach(AnswerMemory.Share::close);
    shares.forEach(AnswerMemory.Share::close);
    assertThat(memory.takenBytes()).isZero();
  }

  @Test
  @DisplayName("leaves room for a large answer beside many small ones")
  void largeAnswer() throws IOException {
    AnswerMemory.Share large = memory.begin();
    large.take(LARGEST);
    assertThat(memory.takenBytes()).isEqualTo(LARGEST - AnswerMemory.UNCOUNTED_BYTES);
    for (int i = 0; i < 1000; i++) {
      memory.begin().take(AnswerMemory.UNCOUNTED_BYTES);
    }
    assertThat(memory.takenBytes()).isEqualTo(LARGEST - AnswerMemory.UNCOUNTED_BYTES);
    AnswerMemory.Share closed = memory.begin();
    closed.close();
    closed.take(TOTAL);
    assertThat(memory.takenBytes()).isEqualTo(LARGEST - AnswerMemory.UNCOUNTED_BYTES);
  }

  @Test
  @DisplayName("must have a positive size")
  void positive() {
    assertThatThrownBy(() -> new AnswerMemory(0, 1)).hasMessageContaining("positive");
    assertThatThrownBy(() -> new AnswerMemory(1, 0)).hasMessageContaining("positive");
    assertThat(AnswerMemory.ofHeap().takenBytes()).isZero();
  }

  @Test
  @DisplayName("is taken for the values of a document, not only for its bytes")
  void values() {
    String values = "{\"ok\":[" + "1,".repeat(50_000) + "1]}";
    UpstreamException failure =
        catchThrowableOfType(
            UpstreamException.class,
            () ->
                MinimalCodec.read(
                    new CannedTransport(200, values), false, new Cancellation(), memory));
    assertThat(failure.kind()).isEqualTo(FailureKind.PROTOCOL);
    assertThat(memory.takenBytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e-999999", "1e999999", "1e-99999s", "Tue, 99 Foo 2026 00:00:00 GMT"})
  @DisplayName("is not exhausted by an absurd retry-after header")
  void retryAfter(String wait) throws UpstreamException {
    var transport = new CannedTransport(429, "{}").header("retry-after", wait);
    UpstreamException failure =
        catchThrowableOfType(
            UpstreamException.class,
            () -> MinimalCodec.read(transport, false, new Cancellation(), memory));
    assertThat(failure.failure().retryAfterSeconds()).isNegative();
  }
}
