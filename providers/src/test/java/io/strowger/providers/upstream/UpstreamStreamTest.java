package io.strowger.providers.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.error.FailureKind;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.UpstreamException;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A stream of any dialect")
class UpstreamStreamTest {
  private static final String MIB = "{\"x\":\"" + "x".repeat(1 << 20) + "\"}";
  private static final String TEXT = "{\"say\":\"hi\"}";
  private static final String END = "{\"end\":1}";

  private static CannedTransport sse(List<String> frames) {
    return new CannedTransport(200, "data: " + String.join("\n\ndata: ", frames) + "\n\n");
  }

  private static List<Event> read(CannedTransport transport) throws UpstreamException {
    return MinimalCodec.read(transport, true, new Cancellation());
  }

  private static List<String> kinds(List<Event> events) {
    return events.stream().map(event -> event.getClass().getSimpleName()).toList();
  }

  @Test
  @DisplayName("is complete at the end of its body only if the upstream has sent its last frame")
  void complete() throws UpstreamException {
    assertThat(kinds(read(sse(List.of("{}", TEXT, END)))))
        .containsExactly("Started", "TextDelta", "Finished");
    assertThat(kinds(read(sse(List.of("{}", TEXT)))))
        .containsExactly("Started", "TextDelta", "Failed");
  }

  @Test
  @DisplayName("fails when it sends too much before its first content, but not after it")
  void tooMuchBeforeContent() throws UpstreamException {
    List<String> maximum = Collections.nCopies(16, MIB);
    List<Event> silent = read(sse(join(maximum, List.of("{}", TEXT, END))));
    assertThat(silent).hasSize(17);
    assertThat(silent.getLast())
        .isInstanceOfSatisfying(
            Event.Failed.class,
            failed -> assertThat(failed.kind()).isEqualTo(FailureKind.PROTOCOL));
    assertThat(read(sse(join(List.of(TEXT), join(maximum, List.of("{}", END))))).getLast())
        .isInstanceOf(Event.Finished.class);
  }

  @Test
  @DisplayName("without content is complete when it ends just before the limit")
  void endJustBeforeTheLimit() throws UpstreamException {
    assertThat(read(sse(join(Collections.nCopies(15, MIB), List.of("{}", END)))).getLast())
        .isInstanceOf(Event.Finished.class);
    String large = "{\"end\":\"" + "x".repeat(2 << 20) + "\"}";
    assertThat(read(sse(join(Collections.nCopies(15, MIB), List.of(large)))).getLast())
        .isInstanceOf(Event.Finished.class);
  }

  private static List<String> join(List<String> first, List<String> then) {
    return Stream.concat(first.stream(), then.stream()).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'type':'error','error':{'type':'overloaded_error','message':'x'}}     | OVERLOADED
          {'type':'error','error':{'type':'rate_limit_error','message':'x'}}     | RATE_LIMITED
          {'type':'error','error':{'type':'api_error','message':'x'}}            | UNAVAILABLE
          {'type':'error','error':{'type':'timeout_error','message':'x'}}        | TIMEOUT
          {'type':'error','error':{'type':'request_too_large','message':'x'}}    | INVALID_REQUEST
          {'type':'error','error':{'type':'invalid_request_error','message':'prompt is too long: 9'}} | CONTEXT_LENGTH
          {'type':'error','code':'rate_limit_exceeded','message':'x','param':null} | RATE_LIMITED
          {'type':'error','code':'invalid_prompt','message':'x'}                 | INVALID_REQUEST
          {'type':'error','code':'server_error','message':'x'}                   | UNAVAILABLE
          {'code':429,'message':'x'}                                             | RATE_LIMITED
          {'error':{'status':'UNAVAILABLE','message':'x'}}                       | OVERLOADED
          {'error':{'status':'INVALID_ARGUMENT','message':'x'}}                  | INVALID_REQUEST
          {'error':{'status':'FAILED_PRECONDITION','message':'x'}}               | INVALID_REQUEST
          {'error':{'status':'DEADLINE_EXCEEDED','message':'x'}}                 | TIMEOUT
          {'error':{'status':'RESOURCE_EXHAUSTED','message':'x'}}                | RATE_LIMITED
          {'error':{'status':'UNAUTHENTICATED','message':'x'}}                   | CREDENTIAL
          {'error':{'status':'NOT_FOUND','message':'x'}}                         | NOT_FOUND
          {'error':{'status':'INTERNAL','message':'x'}}                          | UNAVAILABLE
          {'message':'x'}                                                        | UNAVAILABLE
          """)
  @DisplayName(
      "fails with the kind of an error that the upstream reports in the middle, without a status")
  void reported(String error, FailureKind kind) throws UpstreamException {
    String frames = "data: " + TEXT + "\n\nevent: error\ndata: " + error.replace('\'', '"');
    List<Event> events = read(new CannedTransport(200, frames + "\n\n"));
    var failed = (Event.Failed) events.getLast();
    assertThat(failed.kind()).isEqualTo(kind);
    assertThat(failed.error().message()).isNotEmpty();
  }
}
