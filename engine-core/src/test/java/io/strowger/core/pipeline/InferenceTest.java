package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.ask;
import static io.strowger.core.pipeline.Asking.drain;
import static io.strowger.core.pipeline.Asking.inOrder;
import static io.strowger.core.pipeline.Asking.refused;
import static io.strowger.core.pipeline.Asking.settled;
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
  @DisplayName("whose plugins break when it is decoded again is refused with its id")
  void brokenDecoding() {
    try (var exchange = new ScriptedEngine()) {
      var decoding =
          new RequestDecoding(
              (entry, at, problems) -> {},
              plugins -> {
                throw new IllegalStateException("a bug of a plugin");
              });
      Inference.PendingCall call =
          exchange.begin(new Inference.DecodedRequest(ask(), null, decoding));
      assertThat(call.reply())
          .isInstanceOfSatisfying(
              Reply.Refused.class,
              refusal -> {
                assertThat(refusal.id()).isEqualTo(call.id());
                assertThat(refusal.error().code()).isEqualTo(ErrorCode.INTERNAL);
              });
      assertThat(exchange.records).isEmpty();
      assertThat(exchange.underWay()).isZero();
    }
  }

  @Nested
  @DisplayName("that is answered")
  class Answers {
    @Test
    @DisplayName(
        "gets every event in order, the usage before the end, and a bill to the nanodollar")
    void stream() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.streams(started(), text("Hel"), text("lo"), usage(7, 3), finished());
        var reply = answered(exchange.serve(ask()));
        assertThat(exchange.balance().held().nanos()).isPositive();
        assertThat(reply.answer().bill()).isNull();
        List<Event> events = drain(reply);
        assertThat(events)
            .extracting(event -> event.getClass().getSimpleName())
            .containsExactly("Started", "TextDelta", "TextDelta", "UsageReport", "Finished");
        assertThat(reply.answer().bill()).isNotNull();
        assertThat(exchange.balance()).isEqualTo(settled(10_000)); // 10 tokens at $1 a million
        reply.answer().close();
        assertThat(exchange.balance()).isEqualTo(settled(10_000));
        assertThat(exchange.underWay()).isZero();
      }
    }

    @Test
    @DisplayName("is recorded once, with a line per attempt and the whole trace")
    void recorded() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.refuses(failure(FailureKind.RATE_LIMITED, 429, 3));
        exchange.beta.answers(answer("Hello"));
        var reply = answered(exchange.serve(inOrder(request(MODEL, "x"), "alpha", "beta")));
        drain(reply);
        reply.answer().close();
        assertThat(exchange.records).hasSize(1);
        CallRecord record = exchange.records.get(0);
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
    @DisplayName("without a count from the upstream is billed what passed, marked as estimated")
    void estimated() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.streams(text("12345678"), text("9"), finished());
        var reply = answered(exchange.serve(ask()));
        List<Event> events = drain(reply);
        var report = (Event.UsageReport) events.get(events.size() - 2);
        assertThat(report.usage().isEstimated()).isTrue();
        assertThat(report.usage().outputText()).isEqualTo(3); // 9 bytes, 4 a token
        assertThat(report.usage().freshInput()).isEqualTo(2); // "hello"
      }
    }

    @Test
    @DisplayName("takes the upstream's last count, not the sum of them")
    void lastCount() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.streams(text("a"), usage(5, 1), usage(7, 3), finished());
        drain(answered(exchange.serve(ask())));
        assertThat(exchange.balance()).isEqualTo(settled(10_000));
      }
    }

    @Test
    @DisplayName("by an upstream that counts more than money can express is billed by estimate")
    void absurdCount() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.streams(text("abcd"), usage(Long.MAX_VALUE, 0), finished());
        drain(answered(exchange.serve(ask())));
        assertThat(exchange.balance()).isEqualTo(settled(3_000));
      }
    }

    @Proves("chat.user")
    @Test
    @DisplayName("names its end user upstream by a hash that is the same for the same key")
    void endUser() {
      try (var exchange = new ScriptedEngine()) {
        exchange.alpha.answers(answer("a")).answers(answer("b"));
        InferenceRequest byAnn = ask().toBuilder().user("ann@example.org").build();
        drain(answered(exchange.serve(byAnn)));
        drain(answered(exchange.serve(byAnn)));
        exchange.alpha.answers(answer("c"));
        Json.Obj pairs = Json.object().put("user_id", "ann@example.org").build();
        drain(answered(exchange.serve(ask().toBuilder().member("metadata", pairs).build())));
        var users = exchange.alpha.calls().stream().map(call -> call.endUser()).toList();
        assertThat(users.get(0)).startsWith("user-").doesNotContain("ann").isEqualTo(users.get(1));
        assertThat(users.get(2)).isEqualTo(users.get(0));
      }
    }
  }

  @Nested
  @DisplayName("with a limit")
  class Limits {
    @Proves("resources.key.KY-1")
    @Test
    @DisplayName(
        "KY-1: without a token limit of its own gets what the budget affords, and that is sent"
            + " upstream")
    void capped() {
      try (var exchange = new ScriptedEngine("0.0005", endpoint("alpha", MODEL, "1"))) {
        exchange.alpha.answers(answer("fine"));
        var reply = answered(exchange.serve(request(MODEL, "hello")));
        // 500 tokens in all; the prompt is counted as 5 bytes and 16
        assertThat(exchange.alpha.calls().get(0).outputCap()).isEqualTo(479);
        assertThat(exchange.balance().held()).isEqualTo(new Usd(500_000));
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
    @DisplayName("none of its own is sent on without one where the hold covers all there can be")
    void unlimited(int most, int held, int sent) {
      var endpoint = endpoint("alpha", MODEL, "1").toBuilder().maxOutputTokens(most).build();
      try (var exchange = new ScriptedEngine("1", endpoint)) {
        exchange.alpha.answers(answer("fine"));
        var reply = answered(exchange.serve(request(MODEL, "hello")));
        Call call = exchange.alpha.calls().getFirst();
        assertThat(call.outputCap()).isEqualTo(sent);
        assertThat(call.outputHold()).isEqualTo(held);
        assertThat(exchange.balance().held()).isEqualTo(new Usd((21L + held) * 1000));
        drain(reply);
      }
    }

    @Proves({"resources.key.exhausted", "resources.key.KY-1"})
    @Test
    @DisplayName(
        "KY-1: of its own that does not fit is refused with 402 and told how many tokens would")
    void tooDear() {
      try (var exchange = new ScriptedEngine("0.0005", endpoint("alpha", MODEL, "1"))) {
        InferenceRequest dear = request(MODEL, "hello").toBuilder().maxOutputTokens(480).build();
        var refused = refused(exchange.serve(dear));
        assertThat(refused.error().code()).isEqualTo(ErrorCode.PAYMENT_REQUIRED);
        assertThat(refused.error().message()).contains("479");
        assertThat(exchange.alpha.calls()).isEmpty();
      }
    }

    @Test
    @DisplayName("that others hold is refused with 402, saying how much, and when to come back")
    void held() {
      try (var exchange = new ScriptedEngine("0.0015", endpoint("alpha", MODEL, "1"))) {
        exchange.alpha.always(call -> List.of(text("x"), usage(21, 79), finished()));
        InferenceRequest ask = streaming(MODEL, "hello").toBuilder().maxOutputTokens(979).build();
        var first = answered(exchange.serve(ask));
        GatewayError error = refused(exchange.serve(ask)).error();
        assertThat(error.code()).isEqualTo(ErrorCode.PAYMENT_REQUIRED);
        assertThat(error.message())
            .contains("needs $0.001 and $0.0005 is left")
            .endsWith("; $0.001 is held by requests under way");
        assertThat(error.metadata().object("budget"))
            .hasToString("{\"left\":0.0005,\"held\":0.001}");
        assertThat(error.retryAfterSeconds()).isPresent();

        InferenceRequest dear = ask.toBuilder().maxOutputTokens(1500).build();
        error = refused(exchange.serve(dear)).error();
        assertThat(error.message()).contains("$0.001 is held by requests under way");
        assertThat(error.retryAfterSeconds()).as("waiting would not help").isEmpty();

        drain(first);
        first.answer().close();
        drain(answered(exchange.serve(ask)));
        error = refused(exchange.serve(dear)).error();
        assertThat(error.message()).doesNotContain("held");
        assertThat(error.metadata().has("budget")).isFalse();
      }
    }

    @Test
    @DisplayName("never passes it together with a crowd of others")
    void crowd() throws InterruptedException {
      try (var exchange = new ScriptedEngine("0.01", endpoint("alpha", MODEL, "1"))) {
        exchange.alpha.always(call -> List.of(text("x"), usage(21, call.outputCap()), finished()));
        var threads = new java.util.ArrayList<Thread>();
        for (int i = 0; i < 64; i++) {
          threads.add(
              exchange.ambient.start(
                  "request",
                  () -> {
                    InferenceRequest ask =
                        streaming(MODEL, "hello").toBuilder().maxOutputTokens(979).build();
                    if (exchange.serve(ask) instanceof Reply.Answered reply) {
                      drain(reply);
                      reply.answer().close();
                    }
                  }));
        }
        for (Thread thread : threads) {
          thread.join();
        }
        assertThat(exchange.balance()).isEqualTo(settled(10_000_000)); // ten of them, exactly
      }
    }

    @Test
    @DisplayName("is not asked without a model when the account has no default")
    void noModel() {
      try (var exchange = new ScriptedEngine()) {
        var refused =
            refused(exchange.serve(request(MODEL, "x").toBuilder().models(List.of()).build()));
        assertThat(refused.error().problems()).hasSize(1);
        assertThat(refused.error().problems().get(0).pointer()).hasToString("/model");
      }
    }
  }

  @Proves({"chat.debug", "events.2", "routing.fallback.debug", "chat.member.debug"})
  @Test
  @DisplayName(
      "that asks for it begins with the body sent to each upstream, without its credential")
  void echo() {
    try (var exchange = new ScriptedEngine()) {
      exchange.alpha.refuses(failure(FailureKind.UNAVAILABLE));
      exchange.beta.streams(started(), text("a"), usage(1, 1), finished());
      InferenceRequest echoing =
          ask().toBuilder()
              .member("debug", Json.object().put("echo_upstream_body", true).build())
              .build();
      List<Event> events = drain(answered(exchange.serve(echoing)));
      assertThat(events.subList(0, 2)).allMatch(event -> event instanceof Event.UpstreamBodyEcho);
      assertThat(events.get(2)).isInstanceOf(Event.Started.class);
      assertThat(events.toString()).doesNotContain("sk-");
    }
  }

  @Test
  @DisplayName("passes an event it does not know on, as content")
  void opaque() {
    try (var exchange = new ScriptedEngine()) {
      var frame = Json.object().put("odd", 1).build();
      exchange.alpha.streams(emit(new Event.OtherContent(frame)), usage(1, 1), finished());
      List<Event> events = drain(answered(exchange.serve(ask())));
      assertThat(events.get(0)).isEqualTo(new Event.OtherContent(frame));
    }
  }
}
