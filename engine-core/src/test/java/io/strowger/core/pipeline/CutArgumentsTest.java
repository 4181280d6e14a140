package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.drain;
import static io.strowger.core.pipeline.Asking.inOrder;
import static io.strowger.core.pipeline.Asking.settled;
import static io.strowger.core.pipeline.Loops.call;
import static io.strowger.core.pipeline.ScriptedEngine.MODEL;
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

@DisplayName("A tool call whose arguments end in the middle")
class CutArgumentsTest {
  private static final Tool LOOKUP = new Tool.Function("lookup", null, null, Json.Obj.EMPTY, null);
  private static final Tool FREE = new Tool.Unknown("custom", Json.Obj.EMPTY);

  private static InferenceRequest asking(boolean streaming, Tool... tools) {
    var request = streaming ? Given.streaming(MODEL, "hello") : Given.request(MODEL, "hello");
    return inOrder(request, "alpha", "beta").toBuilder().tools(List.of(tools)).build();
  }

  private static Answer called(String arguments, StopReason reason) {
    var call = new Part.ToolCall("a", "lookup", Json.of(arguments), Json.Obj.EMPTY, null);
    return new Answer(List.of(call), reason, null, Given.usage(7, 5), Dialect.CHAT, null);
  }

  @Test
  @DisplayName(
      "is an error in the stream that shows it, for nothing, and to health a bad call, no"
          + " breakdown")
  void streamed() {
    try (var exchange = new ScriptedEngine()) {
      exchange.alpha.streams(
          call(0, "a", "lookup", "{\"city\":"),
          call(0, null, null, "\"Par"),
          usage(7, 5),
          finished(StopReason.TOOL_CALLS));
      List<Event> events = drain(answered(exchange.serve(asking(true, LOOKUP))));
      assertThat(((Event.Failed) events.getLast()).kind()).isEqualTo(FailureKind.PROTOCOL);
      assertThat(exchange.balance()).isEqualTo(settled(0));
      var told =
          exchange.health.healthOf(exchange.board.catalog()).published().of(exchange.at("alpha"));
      assertThat(told.failures(CountingPeriod.FIVE_MINUTES)).isZero();
      assertThat(told.toolErrors()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("is made good by the next candidate when it came whole")
  void whole() {
    try (var exchange = new ScriptedEngine()) {
      exchange.alpha.answers(called("{\"city\": \"Par", StopReason.TOOL_CALLS));
      exchange.beta.answers(answer("fine"));
      var reply = answered(exchange.serve(asking(false, LOOKUP)));
      drain(reply);
      assertThat(reply.delivery().endpoint()).hasToString(MODEL + "@beta");
      var told =
          exchange.health.healthOf(exchange.board.catalog()).published().of(exchange.at("alpha"));
      assertThat(told.failures(CountingPeriod.FIVE_MINUTES)).isZero();
      assertThat(told.toolErrors()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("is made good by the next candidate while the stream is held back")
  void heldBack() {
    try (var exchange =
        new ScriptedEngine().guarded(new SlowStreamGuard(Duration.ofSeconds(5), 50))) {
      exchange.alpha.streams(
          call(0, "a", "lookup", "{\"city\": \"Par"), finished(StopReason.TOOL_CALLS));
      exchange.beta.streams(text("fine"), finished());
      var reply = answered(exchange.serve(asking(true, LOOKUP)));
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
  @DisplayName("is told from one that the limit cut, and from a model's own mistakes")
  void told(String arguments, StopReason reason, boolean complete) {
    try (var exchange = new ScriptedEngine()) {
      exchange.alpha.streams(
          call(0, "a", "lookup", arguments == null ? "" : arguments),
          usage(7, 5),
          finished(reason));
      Event last = drain(answered(exchange.serve(asking(true, LOOKUP)))).getLast();
      assertThat(last).isInstanceOf(complete ? Event.Finished.class : Event.Failed.class);
      assertThat(exchange.balance()).isEqualTo(settled(complete ? 12_000 : 0));
    }
  }

  @Test
  @DisplayName("is not looked for in the input of a tool that takes free text")
  void freeText() {
    try (var exchange = new ScriptedEngine()) {
      exchange.alpha.streams(
          call(0, "a", "patch", "void f() {"), usage(7, 5), finished(StopReason.TOOL_CALLS));
      Event last = drain(answered(exchange.serve(asking(true, LOOKUP, FREE)))).getLast();
      assertThat(last).isInstanceOf(Event.Finished.class);
    }
  }
}
