package io.strowger.providers.responses;

import static io.strowger.providers.responses.ResponsesStreams.COMPLETED;
import static io.strowger.providers.responses.ResponsesStreams.CREATED;
import static io.strowger.providers.responses.ResponsesStreams.delta;
import static io.strowger.providers.responses.ResponsesStreams.frame;
import static io.strowger.providers.responses.ResponsesStreams.item;
import static io.strowger.providers.responses.ResponsesStreams.sse;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.providers.upstream.CannedTransport;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.model.Event;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A streamed response fails")
class ResponsesStreamFailureTest {
  private static final String HELLO = delta("response.output_text", 0, "Hello");

  private final ResponsesStreams streams = new ResponsesStreams();

  @ParameterizedTest
  @ValueSource(
      strings = {"", "[DONE]", "{'type':'resp", "nonsense", "[]", "{'type':'response.completed'}"})
  @DisplayName("as a protocol error when it ends early or is malformed")
  void protocol(String last) throws IOException {
    for (String[] before : new String[][] {{}, {CREATED}, {CREATED, HELLO}}) {
      var frames = new ArrayList<>(List.of(before));
      frames.add(last);
      assertThat(streams.failure(frames.toArray(String[]::new))).isEqualTo(FailureKind.PROTOCOL);
    }
  }

  @Test
  @DisplayName("as a protocol error wherever it is cut before its end")
  void cutOff() throws IOException {
    String whole = sse(CREATED, HELLO, COMPLETED);
    for (int length = 0; length < whole.length() - 2; length++) {
      List<Event> events = streams.read(new CannedTransport(200, whole.substring(0, length)));
      assertThat(((Event.Failed) events.getLast()).kind())
          .as("cut to %d bytes", length)
          .isEqualTo(FailureKind.PROTOCOL);
    }
  }

  @Test
  @DisplayName("as a protocol error when it has too many parts")
  void parts() throws IOException {
    var frames = new ArrayList<String>();
    for (int i = 0; i < 10_001; i++) {
      frames.add(i % 2 == 0 ? delta("response.refusal", i, "x") : done(i));
    }
    assertThat(streams.failure(frames.toArray(String[]::new))).isEqualTo(FailureKind.PROTOCOL);
    frames.set(10_000, COMPLETED);
    assertThat(streams.read(frames.toArray(String[]::new)).getLast())
        .isInstanceOf(Event.Finished.class);
  }

  @Test
  @DisplayName("as a protocol error when it has too many function calls")
  void calls() throws IOException {
    var frames = new ArrayList<String>();
    for (int i = 0; i < 10_001; i++) {
      String what = i % 2 == 0 ? "added" : "done";
      frames.add(item(what, i, "{'type':'function_call','call_id':'c','name':'f'}"));
    }
    List<Event> events = streams.read(frames.toArray(String[]::new));
    assertThat(((Event.Failed) events.getLast()).kind()).isEqualTo(FailureKind.PROTOCOL);
    assertThat(events).filteredOn(Event.ToolCallDelta.class::isInstance).hasSize(10_000);
    frames.set(10_000, COMPLETED);
    assertThat(streams.read(frames.toArray(String[]::new)).getLast())
        .isInstanceOf(Event.Finished.class);
  }

  private static String done(int index) {
    return frame("response.output_text.done", "'output_index':%d,'text':'x'".formatted(index));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'type':'error','code':'rate_limit_exceeded','message':'x','param':null}          | RATE_LIMITED
          {'type':'error','error':{'type':'invalid_request_error','code':null,'message':'x'}} | INVALID_REQUEST
          {'type':'error','code':null,'message':'x','error':null}                           | UNAVAILABLE
          {'error':{'message':'x','code':429}}                                              | RATE_LIMITED
          {'type':'response.failed','response':{'error':{'code':'server_error','message':'x'}}} | UNAVAILABLE
          {'type':'response.failed','response':{'error':{'code':'invalid_prompt','message':'x'}}} | INVALID_REQUEST
          {'type':'response.failed','response':{'error':{'code':'context_length_exceeded'}}} | CONTEXT_LENGTH
          {'type':'response.failed','response':{'error':{'code':'invalid_image_format'}}}   | INVALID_REQUEST
          {'type':'response.failed','response':{}}                                          | UNAVAILABLE
          {'type':'response.cancelled','response':{}}                                       | UNAVAILABLE
          """)
  @DisplayName("with the kind of the upstream's error, before and after its first content")
  void error(String frame, FailureKind kind) throws IOException {
    assertThat(streams.failure(frame)).isEqualTo(kind);
    assertThat(streams.failure(CREATED, HELLO, frame, COMPLETED)).isEqualTo(kind);
  }

  @Test
  @DisplayName("when an event is named error, whatever its data")
  void namedError() throws IOException {
    var transport =
        new CannedTransport(200, "event: error\ndata: {\"message\":\"x\",\"type\":\"y\"}\n\n");
    assertThat(((Event.Failed) streams.read(transport).getLast()).kind())
        .isEqualTo(FailureKind.UNAVAILABLE);
  }

  @Test
  @DisplayName("with its usage if the failed response has one")
  void usage() throws IOException {
    List<Event> events =
        streams.read(
            "{'type':'response.failed','response':{'usage':{'input_tokens':3},'error':{}}}");
    assertThat(ResponsesStreams.kinds(events)).containsExactly("UsageReport", "Failed");
  }
}
