package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.EngineCalls.helloRequest;
import static io.strowger.core.pipeline.EngineCalls.inOrder;
import static io.strowger.core.pipeline.EngineCalls.refused;
import static io.strowger.core.pipeline.EngineCalls.settled;
import static io.strowger.core.pipeline.ScriptedEngine.MODEL;
import static io.strowger.tck.Given.answer;
import static io.strowger.tck.Given.endpoint;
import static io.strowger.tck.Given.failure;
import static io.strowger.tck.Given.request;
import static io.strowger.tck.Given.streaming;
import static io.strowger.tck.Step.emit;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.started;
import static io.strowger.tck.Step.text;
import static io.strowger.tck.Step.usage;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.dialect.RouterMetadata;
import io.strowger.core.inference.Inference;
import io.strowger.core.inference.Reply;
import io.strowger.core.inference.RequestDecoding;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Call;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A request for inference")
class InferenceTest {
  @Test
  @DisplayName("whose plugins fail when it is decoded again is refused with its id")
  void brokenDecoding() {
    try (var engine = new ScriptedEngine()) {
      var decoding =
          new RequestDecoding(
              (entry, at, problems) -> {},
              plugins -> {
                throw new IllegalStateException("a bug of a plugin");
              });
      Inference.PendingCall call =
          engine.begin(new Inference.DecodedRequest(helloRequest(), null, decoding));
      assertThat(call.reply())
          .isInstanceOfSatisfying(
              Reply.Refused.class,
              refusal -> {
                assertThat(refusal.id()).isEqualTo(call.id());
                assertThat(refusal.error().code()).isEqualTo(ErrorCode.INTERNAL);
              });
      assertThat(engine.records).isEmpty();
      assertThat(engine.callsInProgress()).isZero();
    }
  }

  @Nested
  @DisplayName("that is answered")
  class Answers {
    @Test
    @DisplayName(
        "receives every event in order, the usage before the end, and a bill exact to the"
            + " nanodollar")
    void stream() {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.streams(started(), text("Hel"), text("lo"), usage(7, 3), finished());
        var reply = answered(engine.serve(helloRequest()));
        assertThat(engine.balance().held().nanos()).isPositive();
        assertThat(reply.answer().bill()).isNull();
        List<Event> events = drain(reply);
        assertThat(events)
            .extracting(event -> event.getClass().getSimpleName())
            .containsExactly("Started", "TextDelta", "TextDelta", "UsageReport", "Finished");
        assertThat(reply.answer().bill()).isNotNull();
        assertThat(engine.balance()).isEqualTo(settled(10_000)); // 10 tokens at $1 a million
        reply.answer().close();
        assertThat(engine.balance()).isEqualTo(settled(10_000));
        assertThat(engine.callsInProgress()).isZero();
      }
    }

    @Test
    @DisplayName("is recorded once, with a bill line for each attempt and the whole trace")
    void recorded() {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.refuses(failure(FailureKind.RATE_LIMITED, 429, 3));
        engine.beta.answers(answer("Hello"));
        var reply = answered(engine.serve(inOrder(request(MODEL, "x"), "alpha", "beta")));
        drain(reply);
        reply.answer().close();
        assertThat(engine.records).hasSize(1);
        CallRecord record = engine.records.get(0);
        assertThat(record.outcome()).isEqualTo(CallRecord.Outcome.COMPLETE);
        assertThat(record.billLines())
            .extracting(CallRecord.BillLine::endpoint)
            .containsExactly(MODEL + "@alpha", MODEL + "@beta");
        assertThat(record.billLines().get(0).cost()).isEqualTo(Usd.ZERO);
        assertThat(record.cost()).isEqualTo(new Usd(1_500_000)); // 15 tokens at $100 a million
        assertThat(record.trace())
            .anyMatch(e -> e instanceof TraceEntry.Ranked)
            .anyMatch(
                e ->
                    e instanceof TraceEntry.Attempted a && a.failure() == FailureKind.RATE_LIMITED);
        assertThat(reply.delivery().attemptNumber()).isEqualTo(2);
      }
    }

    @Test
    @DisplayName(
        "without a usage report from the upstream is billed by an estimate, which is marked as"
            + " such")
    void estimated() {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.streams(text("12345678"), text("9"), finished());
        var reply = answered(engine.serve(helloRequest()));
        List<Event> events = drain(reply);
        var report = (Event.UsageReport) events.get(events.size() - 2);
        assertThat(report.usage().isEstimated()).isTrue();
        assertThat(report.usage().outputText()).isEqualTo(3); // 9 bytes, 4 for each token
        assertThat(report.usage().freshInput()).isEqualTo(2); // "hello"
      }
    }

    @Test
    @DisplayName("is billed by the upstream's last usage report, not by the sum of all")
    void lastCount() {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.streams(text("a"), usage(5, 1), usage(7, 3), finished());
        drain(answered(engine.serve(helloRequest())));
        assertThat(engine.balance()).isEqualTo(settled(10_000));
      }
    }

    @Test
    @DisplayName(
        "by an upstream whose usage is too large for an amount of money is billed by an estimate")
    void absurdCount() {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.streams(text("abcd"), usage(Long.MAX_VALUE, 0), finished());
        drain(answered(engine.serve(helloRequest())));
        assertThat(engine.balance()).isEqualTo(settled(3_000));
      }
    }

    @Proves("chat.user")
    @Test
    @DisplayName("is sent upstream with a hash of its end user that is the same for the same key")
    void endUser() {
      try (var engine = new ScriptedEngine()) {
        engine.alpha.answers(answer("a")).answers(answer("b"));
        InferenceRequest byAnn = helloRequest().toBuilder().user("ann@example.org").build();
        drain(answered(engine.serve(byAnn)));
        drain(answered(engine.serve(byAnn)));
        engine.alpha.answers(answer("c"));
        Json.Obj pairs = Json.object().put("user_id", "ann@example.org").build();
        drain(answered(engine.serve(helloRequest().toBuilder().member("metadata", pairs).build())));
        var users = engine.alpha.calls().stream().map(call -> call.endUser()).toList();
        assertThat(users.get(0)).startsWith("user-").doesNotContain("ann").isEqualTo(users.get(1));
        assertThat(users.get(2)).isEqualTo(users.get(0));
      }
    }
  }

  @Nested
  @DisplayName("with a spending limit")
  class Limits {
    @Proves("resources.key.KY-1")
    @Test
    @DisplayName(
        "KY-1: and without a token limit is limited to what the budget affords, also upstream")
    void capped() {
      try (var engine = new ScriptedEngine("0.0005", endpoint("alpha", MODEL, "1"))) {
        engine.alpha.answers(answer("fine"));
        var reply = answered(engine.serve(request(MODEL, "hello")));
        // the budget affords 500 tokens; the prompt counts as 5 bytes and 16 tokens
        assertThat(engine.alpha.calls().get(0).outputCap()).isEqualTo(479);
        assertThat(engine.balance().held()).isEqualTo(new Usd(500_000));
        assertThat(reply.delivery().attempts())
            .anyMatch(
                e ->
                    e instanceof TraceEntry.Note note
                        && note.text().startsWith("output_capped_by_budget"));
        assertThat(RouterMetadata.of(reply.delivery()).object("output_cap"))
            .hasToString("{\"tokens\":479,\"reason\":\"budget\"}");
        drain(reply);
      }
    }

    @ParameterizedTest(name = "at most {0}: {1} are held for, {2} are asked for")
    @CsvSource({"100000, 100000, 0", "0, 1000, 1000"})
    @DisplayName(
        "and without a token limit is sent upstream without one when the hold covers the largest"
            + " output")
    void unlimited(int endpointLimit, int held, int sent) {
      var endpoint =
          endpoint("alpha", MODEL, "1").toBuilder().maxOutputTokens(endpointLimit).build();
      try (var engine = new ScriptedEngine("1", endpoint)) {
        engine.alpha.answers(answer("fine"));
        var reply = answered(engine.serve(request(MODEL, "hello")));
        Call call = engine.alpha.calls().getFirst();
        assertThat(call.outputCap()).isEqualTo(sent);
        assertThat(call.outputHold()).isEqualTo(held);
        assertThat(engine.balance().held()).isEqualTo(new Usd((21L + held) * 1000));
        drain(reply);
      }
    }

    @Proves({"resources.key.exhausted", "resources.key.KY-1"})
    @Test
    @DisplayName(
        "KY-1: that its token limit exceeds is refused with 402 and the number of tokens that"
            + " would fit")
    void tooDear() {
      try (var engine = new ScriptedEngine("0.0005", endpoint("alpha", MODEL, "1"))) {
        InferenceRequest tooExpensive =
            request(MODEL, "hello").toBuilder().maxOutputTokens(480).build();
        var refused = refused(engine.serve(tooExpensive));
        assertThat(refused.error().code()).isEqualTo(ErrorCode.PAYMENT_REQUIRED);
        assertThat(refused.error().message()).contains("479");
        assertThat(engine.alpha.calls()).isEmpty();
      }
    }

    @Test
    @DisplayName("that other requests hold is refused with 402, the amount held and a retry hint")
    void held() {
      try (var engine = new ScriptedEngine("0.0015", endpoint("alpha", MODEL, "1"))) {
        engine.alpha.always(call -> List.of(text("x"), usage(21, 79), finished()));
        InferenceRequest ask = streaming(MODEL, "hello").toBuilder().maxOutputTokens(979).build();
        var first = answered(engine.serve(ask));
        GatewayError error = refused(engine.serve(ask)).error();
        assertThat(error.code()).isEqualTo(ErrorCode.PAYMENT_REQUIRED);
        assertThat(error.message())
            .contains("needs $0.001 and $0.0005 is left")
            .endsWith("; $0.001 is held by requests under way");
        assertThat(error.metadata().object("budget"))
            .hasToString("{\"left\":0.0005,\"held\":0.001}");
        assertThat(error.retryAfterSeconds()).isPresent();

        InferenceRequest tooExpensive = ask.toBuilder().maxOutputTokens(1500).build();
        error = refused(engine.serve(tooExpensive)).error();
        assertThat(error.message()).contains("$0.001 is held by requests under way");
        assertThat(error.retryAfterSeconds()).as("waiting would not help").isEmpty();

        drain(first);
        first.answer().close();
        drain(answered(engine.serve(ask)));
        error = refused(engine.serve(tooExpensive)).error();
        assertThat(error.message()).doesNotContain("held");
        assertThat(error.metadata().has("budget")).isFalse();
      }
    }

    @Test
    @DisplayName("never exceeds it together with many concurrent requests")
    void crowd() throws InterruptedException {
      try (var engine = new ScriptedEngine("0.01", endpoint("alpha", MODEL, "1"))) {
        engine.alpha.always(call -> List.of(text("x"), usage(21, call.outputCap()), finished()));
        var threads = new java.util.ArrayList<Thread>();
        for (int i = 0; i < 64; i++) {
          threads.add(
              engine.ambient.start(
                  "request",
                  () -> {
                    InferenceRequest ask =
                        streaming(MODEL, "hello").toBuilder().maxOutputTokens(979).build();
                    if (engine.serve(ask) instanceof Reply.Answered reply) {
                      drain(reply);
                      reply.answer().close();
                    }
                  }));
        }
        for (Thread thread : threads) {
          thread.join();
        }
        assertThat(engine.balance()).isEqualTo(settled(10_000_000)); // exactly ten requests
      }
    }

    @Test
    @DisplayName("is refused when it names no model and the account has no default model")
    void noModel() {
      try (var engine = new ScriptedEngine()) {
        var refused =
            refused(engine.serve(request(MODEL, "x").toBuilder().models(List.of()).build()));
        assertThat(refused.error().problems()).hasSize(1);
        assertThat(refused.error().problems().get(0).pointer()).hasToString("/model");
      }
    }
  }

  @Proves({"chat.debug", "events.2", "routing.fallback.debug", "chat.member.debug"})
  @Test
  @DisplayName(
      "that asks for the upstream body begins with the body for each upstream, without credentials")
  void echo() {
    try (var engine = new ScriptedEngine()) {
      engine.alpha.refuses(failure(FailureKind.UNAVAILABLE));
      engine.beta.streams(started(), text("a"), usage(1, 1), finished());
      InferenceRequest echoRequest =
          helloRequest().toBuilder()
              .member("debug", Json.object().put("echo_upstream_body", true).build())
              .build();
      List<Event> events = drain(answered(engine.serve(echoRequest)));
      assertThat(events.subList(0, 2)).allMatch(event -> event instanceof Event.UpstreamBodyEcho);
      assertThat(events.get(2)).isInstanceOf(Event.Started.class);
      assertThat(events.toString()).doesNotContain("sk-");
    }
  }

  @Test
  @DisplayName("passes on an event of unknown content")
  void opaque() {
    try (var engine = new ScriptedEngine()) {
      var frame = Json.object().put("odd", 1).build();
      engine.alpha.streams(emit(new Event.OtherContent(frame)), usage(1, 1), finished());
      List<Event> events = drain(answered(engine.serve(helloRequest())));
      assertThat(events.get(0)).isEqualTo(new Event.OtherContent(frame));
    }
  }
}
