package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.EngineCalls.inOrder;
import static io.strowger.core.pipeline.EngineCalls.settled;
import static io.strowger.core.pipeline.ScriptedEngine.MODEL;
import static io.strowger.core.pipeline.ToolLoops.toolCall;
import static io.strowger.tck.Given.answer;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.text;
import static io.strowger.tck.Step.usage;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.attempt.SlowStreamGuard;
import io.strowger.core.health.EndpointStatistics.CountingPeriod;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Tool;
import io.strowger.tck.Given;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A tool call whose arguments are cut off")
class CutArgumentsTest {
  private static final Tool LOOKUP = new Tool.Function("lookup", null, null, Json.Obj.EMPTY, null);
  private static final Tool FREE_TEXT = new Tool.Unknown("custom", Json.Obj.EMPTY);

  private static InferenceRequest requestWithTools(boolean streaming, Tool... tools) {
    var request = streaming ? Given.streaming(MODEL, "hello") : Given.request(MODEL, "hello");
    return inOrder(request, "alpha", "beta").toBuilder().tools(List.of(tools)).build();
  }

  private static Answer answerWithCall(String arguments, StopReason reason) {
    var call = new Part.ToolCall("a", "lookup", Json.of(arguments), Json.Obj.EMPTY, null);
    return new Answer(List.of(call), reason, null, Given.usage(7, 5), Dialect.CHAT, null);
  }

  @Test
  @DisplayName(
      "ends its stream with an error, is not billed, and counts as a tool error, not as a failure")
  void streamed() {
    try (var engine = new ScriptedEngine()) {
      engine.alpha.streams(
          toolCall(0, "a", "lookup", "{\"city\":"),
          toolCall(0, null, null, "\"Par"),
          usage(7, 5),
          finished(StopReason.TOOL_CALLS));
      List<Event> events = drain(answered(engine.serve(requestWithTools(true, LOOKUP))));
      assertThat(((Event.Failed) events.getLast()).kind()).isEqualTo(FailureKind.PROTOCOL);
      assertThat(engine.balance()).isEqualTo(settled(0));
      var statistics =
          engine
              .health
              .healthOf(engine.catalogHealth.catalog())
              .published()
              .of(engine.endpointOf("alpha"));
      assertThat(statistics.failures(CountingPeriod.FIVE_MINUTES)).isZero();
      assertThat(statistics.toolErrors()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("is replaced by the next candidate's answer when the answer is not streamed")
  void whole() {
    try (var engine = new ScriptedEngine()) {
      engine.alpha.answers(answerWithCall("{\"city\": \"Par", StopReason.TOOL_CALLS));
      engine.beta.answers(answer("fine"));
      var reply = answered(engine.serve(requestWithTools(false, LOOKUP)));
      drain(reply);
      assertThat(reply.delivery().endpoint()).hasToString(MODEL + "@beta");
      var statistics =
          engine
              .health
              .healthOf(engine.catalogHealth.catalog())
              .published()
              .of(engine.endpointOf("alpha"));
      assertThat(statistics.failures(CountingPeriod.FIVE_MINUTES)).isZero();
      assertThat(statistics.toolErrors()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("is replaced by the next candidate's answer while the stream is held back")
  void heldBack() {
    try (var engine =
        new ScriptedEngine().withSlowStreamGuard(new SlowStreamGuard(Duration.ofSeconds(5), 50))) {
      engine.alpha.streams(
          toolCall(0, "a", "lookup", "{\"city\": \"Par"), finished(StopReason.TOOL_CALLS));
      engine.beta.streams(text("fine"), finished());
      var reply = answered(engine.serve(requestWithTools(true, LOOKUP)));
      drain(reply);
      assertThat(reply.delivery().endpoint()).hasToString(MODEL + "@beta");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"city\": \"Par; LENGTH; true",
        "{\"city\": \"Par; CONTENT_FILTER; true",
        "'';                TOOL_CALLS; true",
        "{};                TOOL_CALLS; true",
        "{\"a\":\"}\\\"{[\"}; TOOL_CALLS; true",
        "{'city': Paris};   TOOL_CALLS; true",
        "oops;              TOOL_CALLS; true",
        "{\"a\":[1,2;       TOOL_CALLS; false",
        "{\"a\":\"b\\\";    TOOL_CALLS; false",
        "{;                 TOOL_CALLS; false"
      })
  @DisplayName(
      "is distinguished from arguments cut by the output limit, and from invalid JSON of the model")
  void detected(String arguments, StopReason reason, boolean complete) {
    try (var engine = new ScriptedEngine()) {
      engine.alpha.streams(
          toolCall(0, "a", "lookup", arguments == null ? "" : arguments),
          usage(7, 5),
          finished(reason));
      Event last = drain(answered(engine.serve(requestWithTools(true, LOOKUP)))).getLast();
      assertThat(last).isInstanceOf(complete ? Event.Finished.class : Event.Failed.class);
      assertThat(engine.balance()).isEqualTo(settled(complete ? 12_000 : 0));
    }
  }

  @Test
  @DisplayName("is not detected in the input of a tool that takes free text")
  void freeText() {
    try (var engine = new ScriptedEngine()) {
      engine.alpha.streams(
          toolCall(0, "a", "patch", "void f() {"), usage(7, 5), finished(StopReason.TOOL_CALLS));
      Event last =
          drain(answered(engine.serve(requestWithTools(true, LOOKUP, FREE_TEXT)))).getLast();
      assertThat(last).isInstanceOf(Event.Finished.class);
    }
  }
}
