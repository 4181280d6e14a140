package io.strowger.providers.chat;

import static io.strowger.providers.chat.Streams.DONE;
import static io.strowger.providers.chat.Streams.FINISH;
import static io.strowger.providers.chat.Streams.HELLO;
import static io.strowger.providers.chat.Streams.ROLE;
import static io.strowger.providers.chat.Streams.chunk;
import static io.strowger.providers.chat.Streams.sse;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.providers.upstream.CannedTransport;
import io.strowger.spi.error.FailureKind;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A streamed answer fails")
class ChatStreamFailureTest {
  private static final String MIB = "x".repeat(1 << 20);

  private final Streams streams = new Streams();

  @ParameterizedTest
  @ValueSource(
      strings = {"", "[DONE]", "{'choices':[", "nonsense", "[]", "{'choices':[1]}", "\"text\""})
  @DisplayName("as a breach of protocol when it ends early or is malformed")
  void protocol(String frame) throws IOException {
    for (String[] before : new String[][] {{}, {ROLE}, {ROLE, HELLO}}) {
      var frames = new ArrayList<>(List.of(before));
      frames.add(frame);
      assertThat(streams.failure(sse(frames.toArray(String[]::new))))
          .isEqualTo(FailureKind.PROTOCOL);
    }
  }

  @Test
  @DisplayName("as a breach of protocol when a frame is larger than any should be")
  void huge() throws IOException {
    assertThat(streams.failure(sse(HELLO, "x".repeat(9 << 20)))).isEqualTo(FailureKind.PROTOCOL);
  }

  @Test
  @DisplayName("as a breach of protocol when it goes on and on without saying anything")
  void chatter() throws IOException {
    var frames = new ArrayList<>(Collections.nCopies(17, "{'choices':[],'x':'" + MIB + "'}"));
    assertThat(streams.failure(sse(frames.toArray(String[]::new)))).isEqualTo(FailureKind.PROTOCOL);
    frames = new ArrayList<>(Collections.nCopies(100_000, "{}"));
    frames.addAll(List.of(HELLO, FINISH));
    assertThat(streams.failure(sse(frames.toArray(String[]::new)))).isEqualTo(FailureKind.PROTOCOL);
  }

  @Test
  @DisplayName("when it is cut behind frames whose finish reason is an empty text")
  void emptyFinish() throws IOException {
    String frame = chunk("'delta':{'content':'a'},'finish_reason':''", "");
    assertThat(streams.failure(sse(frame, frame))).isEqualTo(FailureKind.PROTOCOL);
    assertThat(streams.failure(sse(frame, DONE))).isEqualTo(FailureKind.PROTOCOL);
  }

  @Test
  @DisplayName("as unavailable when it is cut, in time when it is silent")
  void cut() throws IOException {
    assertThat(streams.failure(sse(HELLO).cutBy(new IOException("reset"))))
        .isEqualTo(FailureKind.UNAVAILABLE);
    assertThat(streams.failure(sse(HELLO).cutBy(new SocketTimeoutException("silent"))))
        .isEqualTo(FailureKind.TIMEOUT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'error':{'message':'x','code':429}}                                | RATE_LIMITED
          {'error':{'message':'x','type':'overloaded_error'}}                 | OVERLOADED
          {'error':'x'}                                                       | UNAVAILABLE
          {'object':'error','message':'x','code':503}                         | OVERLOADED
          {'choices':[{'index':0,'delta':{},'finish_reason':'error'}]}        | UNAVAILABLE
          {'error':{'code':500},'choices':[{'delta':{'content':''},'finish_reason':'error'}]} | UNAVAILABLE
          {'error':{'code':'content_filter','message':'x'}}                   | CONTENT_POLICY
          """)
  @DisplayName("as the upstream says when it reports an error in the middle")
  void error(String frame, FailureKind kind) throws IOException {
    assertThat(streams.failure(sse(frame))).isEqualTo(kind);
    assertThat(streams.failure(sse(ROLE, HELLO, frame, DONE))).isEqualTo(kind);
  }

  @Test
  @DisplayName("when the event is named an error, whatever is in it")
  void namedError() throws IOException {
    var transport = new CannedTransport(200, "event: error\ndata: {\"message\":\"x\"}\n\n");
    assertThat(streams.failure(transport)).isEqualTo(FailureKind.UNAVAILABLE);
  }

  @Test
  @DisplayName("and ends its exchange at once, not in good order")
  void ended() throws IOException {
    CannedTransport transport = sse(HELLO, "nonsense");
    streams.read(transport);
    assertThat(transport.finished()).isZero();
    assertThat(transport.closed()).isPositive();
  }
}
