package io.strowger.core.flow;

import static io.strowger.core.flow.Exchange.MODEL;
import static io.strowger.core.flow.Exchange.read;
import static io.strowger.tck.Given.answer;
import static io.strowger.tck.Given.endpoint;
import static io.strowger.tck.Given.failure;
import static io.strowger.tck.Given.request;
import static io.strowger.tck.Given.streaming;
import static io.strowger.tck.Step.emit;
import static io.strowger.tck.Step.failed;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.pause;
import static io.strowger.tck.Step.stall;
import static io.strowger.tck.Step.started;
import static io.strowger.tck.Step.text;
import static io.strowger.tck.Step.usage;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.spi.store.Ledger.Balance;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A request for inference")
class InferenceTest {
  /** The order of attempts is a draw unless it is asked for. */
  private static InferenceRequest inOrder(InferenceRequest request, String... providers) {
    return request.toBuilder()
        .preferences(ProviderPreferences.builder().order(List.of(providers)).build())
        .build();
  }

  private static InferenceRequest ask() {
    return inOrder(streaming(MODEL, "hello"), "alpha", "beta", "gamma");
  }

  private static Reply.Answered answered(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Answered.class);
    return (Reply.Answered) reply;
  }

  private static List<Event> drain(Reply.Answered reply) {
    List<Event> events = read(reply.answer().events());
    reply.answer().close();
    return events;
  }

  private static Reply.Refused refused(Reply reply) {
    assertThat(reply).isInstanceOf(Reply.Refused.class);
    return (Reply.Refused) reply;
  }

  private static Balance settled(long nanos) {
    return new Balance(new Usd(nanos), Usd.ZERO, Usd.ZERO);
  }

  @Nested
  @DisplayName("that is answered")
  class Answers {
    @Test
    @DisplayName(
        "gets every event in order, the usage before the end, and a bill to the nanodollar")
    void stream() {
      try (var exchange = new Exchange()) {
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
      try (var exchange = new Exchange()) {
        exchange.alpha.refuses(failure(FailureKind.RATE_LIMITED, 429, 3));
        exchange.beta.whole(answer("Hello"));
        var reply = answered(exchange.serve(inOrder(request(MODEL, "x"), "alpha", "beta")));
        drain(reply);
        reply.answer().close();
        assertThat(exchange.records).hasSize(1);
        CallRecord record = exchange.records.get(0);
        assertThat(record.outcome()).isEqualTo(CallRecord.Outcome.COMPLETE);
        assertThat(record.lines())
            .extracting(CallRecord.Line::endpoint)
            .containsExactly(MODEL + "@alpha", MODEL + "@beta");
        assertThat(record.lines().get(0).cost()).isEqualTo(Usd.ZERO);
        assertThat(record.cost()).isEqualTo(new Usd(1_500_000)); // 15 tokens at $100 a million
        assertThat(record.trace())
            .anyMatch(e -> e instanceof TraceEntry.Ranked)
            .anyMatch(
                e ->
                    e instanceof TraceEntry.Attempted a && a.failure() == FailureKind.RATE_LIMITED);
        assertThat(reply.delivery().attempt()).isEqualTo(2);
      }
    }

    @Test
    @DisplayName("without a count from the upstream is billed what passed, marked as estimated")
    void estimated() {
      try (var exchange = new Exchange()) {
        exchange.alpha.streams(text("12345678"), text("9"), finished());
        var reply = answered(exchange.serve(ask()));
        List<Event> events = drain(reply);
        var report = (Event.UsageReport) events.get(events.size() - 2);
        assertThat(report.usage().estimated()).isTrue();
        assertThat(report.usage().outputText()).isEqualTo(3); // 9 bytes, 4 a token
        assertThat(report.usage().freshInput()).isEqualTo(2); // "hello"
      }
    }

    @Test
    @DisplayName("takes the upstream's last count, not the sum of them")
    void lastCount() {
      try (var exchange = new Exchange()) {
        exchange.alpha.streams(text("a"), usage(5, 1), usage(7, 3), finished());
        drain(answered(exchange.serve(ask())));
        assertThat(exchange.balance()).isEqualTo(settled(10_000));
      }
    }

    @Test
    @DisplayName("by an upstream that counts more than money can express is billed by estimate")
    void absurdCount() {
      try (var exchange = new Exchange()) {
        exchange.alpha.streams(text("abcd"), usage(Long.MAX_VALUE, 0), finished());
        drain(answered(exchange.serve(ask())));
        assertThat(exchange.balance()).isEqualTo(settled(3_000));
      }
    }

    @Test
    @DisplayName("names its end user upstream by a hash that is the same for the same key")
    void endUser() {
      try (var exchange = new Exchange()) {
        exchange.alpha.whole(answer("a")).whole(answer("b"));
        InferenceRequest byAnn = ask().toBuilder().user("ann@example.org").build();
        drain(answered(exchange.serve(byAnn)));
        drain(answered(exchange.serve(byAnn)));
        var users = exchange.alpha.calls().stream().map(call -> call.endUser()).toList();
        assertThat(users.get(0)).startsWith("user-").doesNotContain("ann").isEqualTo(users.get(1));
      }
    }
  }

  @Nested
  @DisplayName("whose upstream fails before content")
  class Fallback {
    @Test
    @DisplayName("goes to the next candidate and shows nothing of the first")
    void next() {
      try (var exchange = new Exchange()) {
        exchange.alpha.streams(started(), text(""), failed(failure(FailureKind.UNAVAILABLE)));
        exchange.beta.streams(started(), text("fine"), usage(1, 1), finished());
        List<Event> events = drain(answered(exchange.serve(ask())));
        assertThat(events).filteredOn(e -> e instanceof Event.Started).hasSize(1);
        assertThat(events).noneMatch(e -> e instanceof Event.Failed);
        assertThat(exchange.balance()).isEqualTo(settled(200_000));
      }
    }

    @Test
    @DisplayName("goes on when a stream just ends")
    void endsSilently() {
      try (var exchange = new Exchange()) {
        exchange.alphaGives(new Event.Started(null));
        exchange.beta.whole(answer("fine"));
        drain(answered(exchange.serve(ask())));
        assertThat(exchange.beta.calls()).hasSize(1);
      }
    }

    @Test
    @DisplayName("does not ask another endpoint of the same model when the request is at fault")
    void callerFault() {
      try (var exchange = new Exchange()) {
        exchange.alpha.refuses(failure(FailureKind.CONTENT_POLICY, 400, -1));
        var refused = refused(exchange.serve(ask()));
        assertThat(refused.error().code()).isEqualTo(ErrorCode.CONTENT_POLICY_VIOLATION);
        assertThat(exchange.beta.calls()).isEmpty();
        assertThat(exchange.balance()).isEqualTo(settled(0));
      }
    }

    @Test
    @DisplayName("goes to the next model the caller listed when the request is at fault")
    void nextModel() {
      try (var exchange =
          new Exchange(null, endpoint("alpha", MODEL, "1"), endpoint("beta", "acme/small", "1"))) {
        exchange.alpha.refuses(failure(FailureKind.CONTEXT_LENGTH, 400, -1));
        exchange.beta.whole(answer("fine"));
        InferenceRequest both =
            request(MODEL, "x").toBuilder()
                .models(List.of(ModelRef.parse(MODEL), ModelRef.parse("acme/small")))
                .build();
        var reply = answered(exchange.serve(both));
        drain(reply);
        assertThat(reply.delivery().endpoint()).hasToString("acme/small@beta");
      }
    }

    @Test
    @DisplayName("with every candidate gets one error that sums them up, and pays nothing")
    void exhausted() {
      try (var exchange = new Exchange()) {
        exchange.alpha.refuses(failure(FailureKind.RATE_LIMITED, 429, 9));
        exchange.beta.refuses(failure(FailureKind.UNAVAILABLE, 500, -1));
        exchange.gamma.streams(started(), failed(failure(FailureKind.PROTOCOL)));
        var refused = refused(exchange.serve(ask()));
        assertThat(refused.error().code()).isEqualTo(ErrorCode.TEMPORARILY_UNAVAILABLE);
        assertThat(refused.error().retryAfterSeconds()).hasValue(9);
        assertThat(refused.error().metadata().list("previous_errors")).hasSize(3);
        assertThat(refused.error().availability().get("retryable")).isEqualTo(Json.TRUE);
        assertThat(refused.delivery().attempt()).isEqualTo(3);
        assertThat(exchange.balance()).isEqualTo(settled(0));
        assertThat(exchange.records).hasSize(1);
        assertThat(exchange.underWay()).isZero();
      }
    }

    @Test
    @DisplayName("by rate limits alone gets 429 and the soonest hint")
    void rateLimited() {
      try (var exchange = new Exchange()) {
        exchange.alpha.refuses(failure(FailureKind.RATE_LIMITED, 429, 9));
        exchange.beta.refuses(failure(FailureKind.RATE_LIMITED, 429, 4));
        exchange.gamma.refuses(failure(FailureKind.RATE_LIMITED, 429, -1));
        var error = refused(exchange.serve(ask())).error();
        assertThat(error.code()).isEqualTo(ErrorCode.CAPACITY_EXHAUSTED);
        assertThat(error.retryAfterSeconds()).hasValue(4);
      }
    }

    @Test
    @DisplayName(
        "for good, everywhere, gets the last error and those before it, not a word of trying again")
    void nothingPasses() {
      try (var exchange = new Exchange()) {
        exchange.alpha.refuses(failure(FailureKind.NOT_FOUND, 404, -1));
        exchange.beta.refuses(failure(FailureKind.QUOTA, 402, -1));
        exchange.gamma.refuses(failure(FailureKind.CREDENTIAL, 401, -1));
        var error = refused(exchange.serve(ask())).error();
        assertThat(error.code()).isEqualTo(ErrorCode.PROVIDER_ERROR);
        assertThat(error.metadata().whole("provider_code", 0)).isEqualTo(401);
        assertThat(error.metadata().list("previous_errors")).hasSize(2);
      }
    }

    @Test
    @DisplayName("by sending events without content for ever goes on to the next")
    void endlessLifecycle() {
      try (var exchange = new Exchange()) {
        exchange.alphaGives(
            Stream.generate(() -> new Event.Started(null)).limit(20_000).toArray(Event[]::new));
        exchange.beta.whole(answer("fine"));
        var reply = answered(exchange.serve(ask()));
        assertThat(drain(reply)).hasSizeLessThan(5);
      }
    }

    @Test
    @DisplayName("asks nobody else when an adapter says that nobody waits any more")
    void cancelledByAdapter() {
      try (var exchange = new Exchange()) {
        exchange.alpha.refuses(failure(FailureKind.CANCELLED));
        refused(exchange.serve(ask()));
        assertThat(exchange.beta.calls()).isEmpty();
      }
    }

    @Test
    @DisplayName("gets the upstream's own error when fallbacks are forbidden")
    void noFallbacks() {
      try (var exchange = new Exchange()) {
        exchange.alpha.refuses(failure(FailureKind.OVERLOADED, 529, -1));
        InferenceRequest strict =
            request(MODEL, "x").toBuilder()
                .preferences(
                    ProviderPreferences.builder()
                        .order(List.of("alpha"))
                        .allowFallbacks(false)
                        .build())
                .build();
        var error = refused(exchange.serve(strict)).error();
        assertThat(error.code()).isEqualTo(ErrorCode.PROVIDER_OVERLOADED);
        assertThat(error.metadata().whole("provider_code", 0)).isEqualTo(529);
        assertThat(exchange.beta.calls()).isEmpty();
      }
    }

    @Test
    @DisplayName("with an adapter's bug is refused with 500, and nobody else is asked")
    void bug() {
      try (var exchange = new Exchange()) {
        exchange.alpha.breaks(new IllegalStateException("sk-alpha leaks here"));
        var refused = refused(exchange.serve(ask()));
        assertThat(refused.error().code()).isEqualTo(ErrorCode.INTERNAL);
        assertThat(refused.error().message()).doesNotContain("sk-alpha");
        assertThat(exchange.beta.calls()).isEmpty();
        assertThat(exchange.balance()).isEqualTo(settled(0));
      }
    }
  }

  @Nested
  @DisplayName("whose upstream fails after content")
  class AfterContent {
    @Test
    @DisplayName(
        "ends with the error, asks nobody else, and pays nothing for an answer cut by an error")
    void failsInBand() {
      try (var exchange = new Exchange()) {
        exchange.alpha.streams(text("half"), failed(failure(FailureKind.PROTOCOL)));
        List<Event> events = drain(answered(exchange.serve(ask())));
        assertThat(events.getLast()).isInstanceOf(Event.Failed.class);
        assertThat(exchange.beta.calls()).isEmpty();
        assertThat(exchange.balance()).isEqualTo(settled(0));
        assertThat(exchange.records.get(0).outcome()).isEqualTo(CallRecord.Outcome.ERROR);
      }
    }

    @Test
    @DisplayName("by ending without saying so ends with an error, never cleanly")
    void endsSilently() {
      try (var exchange = new Exchange()) {
        exchange.alphaGives(new Event.TextDelta("half"));
        List<Event> events = drain(answered(exchange.serve(ask())));
        assertThat(events.getLast()).isInstanceOf(Event.Failed.class);
      }
    }
  }

  @Nested
  @DisplayName("that is given up")
  class GivenUp {
    @Test
    @DisplayName("by closing its events pays what was delivered, and the upstream is cancelled")
    void closed() {
      try (var exchange = new Exchange()) {
        exchange.alpha.streams(text("12345678"), stall());
        var reply = answered(exchange.serve(ask()));
        reply.answer().events().next();
        reply.answer().close();
        assertThat(exchange.balance()).isEqualTo(settled(4_000)); // 2 in, 2 out, estimated
        assertThat(exchange.records.get(0).outcome()).isEqualTo(CallRecord.Outcome.CANCELLED);
        assertThat(exchange.alpha.calls().get(0).cancellation().isCancelled()).isTrue();
        assertThat(reply.answer().events().next()).isNull();
        assertThat(exchange.underWay()).isZero();
      }
    }

    @Test
    @DisplayName("after an early count pays what was delivered since, not only what was counted")
    void countedEarly() {
      try (var exchange = new Exchange()) {
        exchange.alpha.streams(usage(7, 0), text("x".repeat(40)), stall());
        var reply = answered(exchange.serve(ask()));
        reply.answer().events().next();
        reply.answer().close();
        assertThat(exchange.balance()).isEqualTo(settled(17_000)); // 7 in, 40 bytes out
      }
    }

    @Test
    @DisplayName("while its upstream is silent ends at once, for the caller and for the money")
    void callerGone() throws InterruptedException {
      try (var exchange = new Exchange()) {
        exchange.alpha.streams(text("12345678"), stall());
        var reply = answered(exchange.serve(ask()));
        var events = reply.answer().events();
        events.next();
        Thread reader = exchange.ambient.start("reader", () -> read(events));
        exchange.cancellation.cancel(Cancellation.Cause.CALLER_GONE);
        reader.join();
        assertThat(exchange.balance()).isEqualTo(settled(4_000));
        assertThat(exchange.records).hasSize(1);
        assertThat(exchange.records.get(0).outcome()).isEqualTo(CallRecord.Outcome.CANCELLED);
        reply.answer().close();
        assertThat(exchange.records).hasSize(1);
      }
    }

    @Test
    @DisplayName("before any content asks nobody else and pays nothing")
    void beforeContent() throws InterruptedException {
      try (var exchange = new Exchange()) {
        exchange.alpha.stallsInOpen();
        var thread = exchange.ambient.start("request", () -> exchange.serve(ask()));
        while (exchange.alpha.calls().isEmpty()) {
          Thread.onSpinWait();
        }
        exchange.cancellation.cancel(Cancellation.Cause.CALLER_GONE);
        thread.join();
        assertThat(exchange.beta.calls()).isEmpty();
        assertThat(exchange.balance()).isEqualTo(settled(0));
        assertThat(exchange.records.get(0).outcome()).isEqualTo(CallRecord.Outcome.CANCELLED);
      }
    }

    @Test
    @DisplayName("by a gateway that closes is settled although nobody reads it any more")
    void shutDown() {
      try (var exchange = new Exchange()) {
        exchange.alpha.streams(text("12345678"), stall());
        var reply = answered(exchange.serve(ask()));
        reply.answer().events().next();
        exchange.shutDown();
        assertThat(exchange.balance()).isEqualTo(settled(4_000));
        assertThat(exchange.underWay()).isZero();
        reply.answer().close();
      }
    }
  }

  @Nested
  @DisplayName("under deadlines")
  class Deadlines {
    @Test
    @DisplayName("goes to the next candidate when first content does not come in time")
    void firstContent() {
      try (var exchange = new Exchange()) {
        exchange.alpha.streams(started(), stall());
        exchange.beta.whole(answer("fine"));
        var reply = answered(exchange.serveWhileTimePasses(ask(), Duration.ofSeconds(60)));
        drain(reply);
        assertThat(reply.delivery().endpoint()).hasToString(MODEL + "@beta");
        assertThat(reply.delivery().attempts())
            .anyMatch(
                e -> e instanceof TraceEntry.Attempted a && a.failure() == FailureKind.TIMEOUT);
      }
    }

    @Test
    @DisplayName("ends with an error in the stream when the upstream falls silent after content")
    void gap() {
      try (var exchange = new Exchange()) {
        exchange.alpha.streams(text("half"), stall());
        var reply = answered(exchange.serve(ask()));
        List<Event> events =
            exchange.readWhileTimePasses(reply.answer().events(), Duration.ofMillis(20));
        assertThat(events.getLast())
            .isInstanceOfSatisfying(
                Event.Failed.class,
                failed -> assertThat(failed.kind()).isEqualTo(FailureKind.TIMEOUT));
        reply.answer().close();
      }
    }

    @Test
    @DisplayName("is not ended because its own reader is slow")
    void slowReader() {
      try (var exchange = new Exchange()) {
        exchange.alpha.streams(text("a"), text("b"), usage(1, 2), finished());
        var reply = answered(exchange.serve(ask()));
        reply.answer().events().next();
        for (int i = 0; i < 10; i++) {
          exchange.ambient.awaitSleepers(1);
          exchange.ambient.advance(Duration.ofSeconds(29));
        }
        exchange.ambient.awaitSleepers(1);
        assertThat(drain(reply).getLast()).isInstanceOf(Event.Finished.class);
      }
    }

    @Test
    @Timeout(30)
    @DisplayName("that nobody reads and nobody closes is given up when its time is over")
    void forgotten() {
      try (var exchange = new Exchange()) {
        exchange.alpha.streams(text("12345678"), stall());
        answered(exchange.serve(ask())).answer().events().next();
        exchange.ambient.awaitSleepers(1);
        exchange.ambient.advance(Duration.ofMinutes(10).plusSeconds(19));
        exchange.ambient.awaitSleepers(1);
        assertThat(exchange.balance().held().nanos()).isPositive();
        exchange.ambient.advance(Duration.ofSeconds(1));
        while (exchange.records.isEmpty()) {
          exchange.ambient.advance(Duration.ofMillis(10));
          Thread.onSpinWait();
        }
        assertThat(exchange.underWay()).isZero();
        assertThat(exchange.balance()).isEqualTo(settled(4_000)); // 2 tokens in, 2 out
        assertThat(exchange.records).hasSize(1);
      }
    }

    @Test
    @DisplayName("waits longer for an answer that comes whole: up to half of the total")
    void whole() {
      try (var exchange = new Exchange()) {
        exchange.alpha.streams(
            pause(Duration.ofSeconds(120)), emit(new Event.Whole(answer("slow but fine"))));
        InferenceRequest ask = inOrder(request(MODEL, "x"), "alpha", "beta");
        var reply = answered(exchange.serveWhileTimePasses(ask, Duration.ofSeconds(120)));
        drain(reply);
        assertThat(reply.delivery().endpoint()).hasToString(MODEL + "@alpha");
      }
    }

    @Test
    @DisplayName(
        "goes to the next candidate when an answer that comes whole takes half of the total")
    void wholeTooLate() {
      try (var exchange = new Exchange()) {
        exchange.alpha.streams(stall());
        exchange.beta.whole(answer("fine"));
        InferenceRequest ask = inOrder(request(MODEL, "x"), "alpha", "beta");
        var reply = answered(exchange.serveWhileTimePasses(ask, Duration.ofMinutes(5)));
        drain(reply);
        assertThat(reply.delivery().endpoint()).hasToString(MODEL + "@beta");
      }
    }

    @Test
    @DisplayName("ends with 524 when the whole takes too long, and starts no further attempt")
    void total() {
      try (var exchange = new Exchange()) {
        exchange.alpha.stallsInOpen();
        var refused = refused(exchange.serveWhileTimePasses(ask(), Duration.ofMinutes(10)));
        assertThat(refused.error().code()).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(exchange.beta.calls()).isEmpty();
        assertThat(exchange.balance()).isEqualTo(settled(0));
      }
    }
  }

  @Nested
  @DisplayName("with a limit")
  class Limits {
    @Test
    @DisplayName(
        "KY-1: without a token limit of its own gets what the budget affords, and that is sent"
            + " upstream")
    void capped() {
      try (var exchange = new Exchange("0.0005", endpoint("alpha", MODEL, "1"))) {
        exchange.alpha.whole(answer("fine"));
        var reply = answered(exchange.serve(request(MODEL, "hello")));
        // 500 tokens in all; the prompt is counted as 5 bytes and 16
        assertThat(exchange.alpha.calls().get(0).outputCap()).isEqualTo(479);
        assertThat(exchange.balance().held()).isEqualTo(new Usd(500_000));
        assertThat(reply.delivery().attempts())
            .anyMatch(
                e ->
                    e instanceof TraceEntry.Note note
                        && note.text().startsWith("output_capped_by_budget"));
        drain(reply);
      }
    }

    @Test
    @DisplayName(
        "KY-1: of its own that does not fit is refused with 402 and told how many tokens would")
    void tooDear() {
      try (var exchange = new Exchange("0.0005", endpoint("alpha", MODEL, "1"))) {
        InferenceRequest dear = request(MODEL, "hello").toBuilder().maxOutputTokens(480).build();
        var refused = refused(exchange.serve(dear));
        assertThat(refused.error().code()).isEqualTo(ErrorCode.PAYMENT_REQUIRED);
        assertThat(refused.error().message()).contains("479");
        assertThat(exchange.alpha.calls()).isEmpty();
      }
    }

    @Test
    @DisplayName("never passes it together with a crowd of others")
    void crowd() throws InterruptedException {
      try (var exchange = new Exchange("0.01", endpoint("alpha", MODEL, "1"))) {
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
      try (var exchange = new Exchange()) {
        var refused =
            refused(exchange.serve(request(MODEL, "x").toBuilder().models(List.of()).build()));
        assertThat(refused.error().problems()).hasSize(1);
        assertThat(refused.error().problems().get(0).at()).hasToString("/model");
      }
    }
  }

  @Test
  @DisplayName(
      "that asks for it begins with the body sent to each upstream, without its credential")
  void echo() {
    try (var exchange = new Exchange()) {
      exchange.alpha.refuses(failure(FailureKind.UNAVAILABLE));
      exchange.beta.streams(started(), text("a"), usage(1, 1), finished());
      InferenceRequest echoing =
          ask().toBuilder()
              .member("debug", Json.object().put("echo_upstream_body", true).build())
              .build();
      List<Event> events = drain(answered(exchange.serve(echoing)));
      assertThat(events.subList(0, 2)).allMatch(event -> event instanceof Event.Debug);
      assertThat(events.get(2)).isInstanceOf(Event.Started.class);
      assertThat(events.toString()).doesNotContain("sk-");
    }
  }

  @Test
  @DisplayName("passes an event it does not know on, as content")
  void opaque() {
    try (var exchange = new Exchange()) {
      var frame = Json.object().put("odd", 1).build();
      exchange.alpha.streams(emit(new Event.Opaque(frame)), usage(1, 1), finished());
      List<Event> events = drain(answered(exchange.serve(ask())));
      assertThat(events.get(0)).isEqualTo(new Event.Opaque(frame));
    }
  }
}
