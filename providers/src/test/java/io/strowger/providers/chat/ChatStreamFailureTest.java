package io.strowger.providers.chat;

import static io.strowger.providers.chat.ChatStreams.DONE;
import static io.strowger.providers.chat.ChatStreams.FINISH;
import static io.strowger.providers.chat.ChatStreams.HELLO;
import static io.strowger.providers.chat.ChatStreams.ROLE;
import static io.strowger.providers.chat.ChatStreams.chunk;
import static io.strowger.providers.chat.ChatStreams.sse;
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

  private final ChatStreams streams = new ChatStreams();

  @ParameterizedTest
  @ValueSource(
      strings = {"", "[DONE]", "{'choices':[", "nonsense", "[]", "{'choices':[1]}", "\"text\""})
  @DisplayName("as a protocol error when it ends early or is malformed")
  void protocol(String frame) throws IOException {
    for (String[] before : new String[][] {{}, {ROLE}, {ROLE, HELLO}}) {
      var frames = new ArrayList<>(List.of(before));
      frames.add(frame);
      assertThat(streams.failure(sse(frames.toArray(String[]::new))))
          .isEqualTo(FailureKind.PROTOCOL);
    }
  }

  @Test
  @DisplayName("as a protocol error when a frame is too large")
  void huge() throws IOException {
    assertThat(streams.failure(sse(HELLO, "x".repeat(9 << 20)))).isEqualTo(FailureKind.PROTOCOL);
  }

  @Test
  @DisplayName("as a protocol error when it sends too much before its first content")
  void tooMuchBeforeContent() throws IOException {
    var frames = new ArrayList<>(Collections.nCopies(17, "{'choices':[],'x':'" + MIB + "'}"));
    assertThat(streams.failure(sse(frames.toArray(String[]::new)))).isEqualTo(FailureKind.PROTOCOL);
    frames = new ArrayList<>(Collections.nCopies(100_000, "{}"));
    frames.addAll(List.of(HELLO, FINISH));
    assertThat(streams.failure(sse(frames.toArray(String[]::new)))).isEqualTo(FailureKind.PROTOCOL);
  }

  @Test
  @DisplayName("when it ends after frames whose finish reason is an empty string")
  void emptyFinish() throws IOException {
    String frame = chunk("'delta':{'content':'a'},'finish_reason':''", "");
    assertThat(streams.failure(sse(frame, frame))).isEqualTo(FailureKind.PROTOCOL);
    assertThat(streams.failure(sse(frame, DONE))).isEqualTo(FailureKind.PROTOCOL);
  }

  @Test
  @DisplayName("as unavailable when the connection breaks, as a timeout when it is silent")
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
  @DisplayName("with the kind of an error that the upstream reports in the middle")
  void error(String frame, FailureKind kind) throws IOException {
    assertThat(streams.failure(sse(frame))).isEqualTo(kind);
    assertThat(streams.failure(sse(ROLE, HELLO, frame, DONE))).isEqualTo(kind);
  }

  @Test
  @DisplayName("when an event is named error, whatever its data")
  void namedError() throws IOException {
    var transport = new CannedTransport(200, "event: error\ndata: {\"message\":\"x\"}\n\n");
    assertThat(streams.failure(transport)).isEqualTo(FailureKind.UNAVAILABLE);
  }

  @Test
  @DisplayName("and closes its exchange at once instead of finishing it")
  void ended() throws IOException {
    CannedTransport transport = sse(HELLO, "nonsense");
    streams.read(transport);
    assertThat(transport.finished()).isZero();
    assertThat(transport.closed()).isPositive();
  }
}
