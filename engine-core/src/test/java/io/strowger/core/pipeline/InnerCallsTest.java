package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.EngineCalls.answered;
import static io.strowger.core.pipeline.EngineCalls.drain;
import static io.strowger.core.pipeline.EngineCalls.refused;
import static io.strowger.core.pipeline.EngineCalls.settled;
import static io.strowger.core.pipeline.ToolLoops.clockCall;
import static io.strowger.core.pipeline.ToolLoops.finishedWithCalls;
import static io.strowger.core.pipeline.ToolLoops.json;
import static io.strowger.core.pipeline.ToolLoops.textOf;
import static io.strowger.core.pipeline.ToolLoops.toolCall;
import static io.strowger.tck.Given.endpoint;
import static io.strowger.tck.Given.failure;
import static io.strowger.tck.Given.streaming;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.pause;
import static io.strowger.tck.Step.stall;
import static io.strowger.tck.Step.started;
import static io.strowger.tck.Step.text;
import static io.strowger.tck.Step.usage;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.config.Plugins;
import io.strowger.core.inference.Reply;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.PluginEntry;
import io.strowger.spi.model.Tool;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.plugin.InnerCall;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.Interceptor.Scope;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.PriceCaps;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.store.Hold;
import io.strowger.tck.Given;
import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("Inner calls of a plugin or a tool")
class InnerCallsTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final ToolLoops.ClockTool clock = new ToolLoops.ClockTool();
  private final List<InnerCall.Result> results = new ArrayList<>();

  /**
   * Returns one model for each provider: acme/alpha, acme/beta and acme/gamma, at $1 per million
   * tokens.
   */
  private static Endpoint[] endpoints() {
    return new Endpoint[] {
      endpoint("alpha", "acme/alpha", "1"),
      endpoint("beta", "acme/beta", "1"),
      endpoint("gamma", "acme/gamma", "1")
    };
  }

  private static InnerCall innerCall(String model, Tool... tools) {
    return new InnerCall(
        "ask " + model,
        Given.request("acme/" + model, "inner").toBuilder()
            .maxOutputTokens(100)
            .tools(List.of(tools))
            .build());
  }

  private static Tool clockTool() {
    return new Tool.Server(ToolLoops.CLOCK, Json.Obj.EMPTY, null);
  }

  private static Tool askTool() {
    return new Tool.Server("router:ask", Json.Obj.EMPTY, null);
  }

  /** A tool that makes these inner calls whenever a model calls it. */
  private final class InnerCallTool implements ServerTool {
    private final Duration within;
    private final List<InnerCall> innerCalls;

    InnerCallTool(Duration within, InnerCall... innerCalls) {
      this.within = within;
      this.innerCalls = List.of(innerCalls);
    }

    @Override
    public Spec spec() {
      return new Spec("router:ask", "asks others", Json.object().put("type", "object").build());
    }

    @Override
    public boolean makesInnerCalls() {
      return true;
    }

    @Override
    public Json run(Invocation call, Interceptor.Chain chain) {
      results.addAll(chain.callAll(innerCalls, within));
      return Json.of("asked " + innerCalls.size());
    }
  }

  private ScriptedEngine engine(
      @Nullable String limit, ServerTool tool, TestInterceptor... plugins) {
    Plugins all = TestInterceptor.pluginsOf(plugins).tool(clock).tool(tool);
    return new ScriptedEngine(limit, all, endpoints());
  }

  /** Returns a request to alpha that offers the tool to the model. */
  private static InferenceRequest outerRequest() {
    return streaming("acme/alpha", "outer").toBuilder()
        .maxOutputTokens(100)
        .tools(List.of(askTool()))
        .build();
  }

  /** Lets alpha call the tool, and answer "all done" when it has the result. */
  private static void alphaCallsTool(ScriptedEngine engine) {
    engine
        .alpha
        .streams(started(), toolCall(0, "call_a", "ask", "{}"), usage(10, 10), finishedWithCalls())
        .streams(started(), text("all done"), usage(10, 10), finished());
  }

  private static String answerText(InnerCall.Result result) {
    var builder = new StringBuilder();
    if (result.answer() != null) {
      for (Part part : result.answer().parts()) {
        builder.append(
            part instanceof Part.Text(Json.Str text, var extras, var source) ? text.text() : "");
      }
    }
    return builder.toString();
  }

  private ErrorCode failureOf(int index) {
    return Objects.requireNonNull(results.get(index).failure()).code();
  }

  private static List<String> billLines(ScriptedEngine engine) {
    return engine.records.getFirst().billLines().stream()
        .map(billLine -> billLine.endpoint() + " " + billLine.cost().nanos())
        .toList();
  }

  @Nested
  @DisplayName("are complete calls")
  class Whole {
    @Test
    @DisplayName("with a bill line each in the caller's record, and the caller's stream continues")
    void bills() {
      try (var engine =
          engine(null, new InnerCallTool(MINUTE, innerCall("beta"), innerCall("gamma")))) {
        alphaCallsTool(engine);
        engine.beta.streams(started(), text("from beta"), usage(20, 20), finished());
        engine.gamma.streams(started(), text("from gamma"), usage(15, 30), finished());
        List<Event> events = drain(answered(engine.serve(outerRequest())));
        assertThat(textOf(events)).isEqualTo("all done");
        assertThat(results)
            .extracting(InnerCallsTest::answerText)
            .containsExactly("from beta", "from gamma");
        assertThat(results)
            .extracting(InnerCall.Result::model)
            .containsExactly("acme/beta", "acme/gamma");
        assertThat(results)
            .extracting(InnerCall.Result::cost)
            .containsExactly(new Usd(40_000), new Usd(45_000));
        assertThat(billLines(engine))
            .containsExactly(
                "acme/alpha@alpha 20000",
                "acme/beta@beta 40000",
                "acme/gamma@gamma 45000",
                "acme/alpha@alpha 20000");
        assertThat(engine.balance()).isEqualTo(settled(125_000));
        CallRecord record = engine.records.getFirst();
        assertThat(record.endpoint()).isEqualTo("acme/alpha@alpha");
      }
    }

    @Test
    @DisplayName("with a tool loop over tools of their own, to which their own limit applies")
    void tools() {
      var limited =
          new InnerCall(
              "limited",
              innerCall("beta", clockTool()).request().toBuilder()
                  .member("max_tool_calls", json("1"))
                  .build());
      try (var engine = engine(null, new InnerCallTool(MINUTE, limited))) {
        alphaCallsTool(engine);
        engine
            .beta
            .streams(clockCall(0), clockCall(1), usage(10, 1), finishedWithCalls())
            .streams(text("it is late"), usage(10, 1), finished());
        drain(answered(engine.serve(outerRequest())));
        assertThat(answerText(results.getFirst())).isEqualTo("it is late");
        assertThat(clock.invocations).hasSize(1);
        assertThat(results.getFirst().cost()).isEqualTo(new Usd(22_000));
        assertThat(engine.beta.calls().get(1).request().mayCallTools()).isFalse();
      }
    }

    @Proves("plugins.fusion.depth")
    @Test
    @DisplayName("that are never offered tools that make inner calls, nor tools that do not exist")
    void depth() {
      Tool unknown = new Tool.Server("router:nobody", Json.Obj.EMPTY, null);
      try (var engine =
          engine(
              null,
              new InnerCallTool(MINUTE, innerCall("beta", askTool(), clockTool(), unknown)))) {
        alphaCallsTool(engine);
        engine.beta.streams(text("ok"), finished());
        drain(answered(engine.serve(outerRequest())));
        assertThat(engine.beta.calls().getFirst().request().tools())
            .extracting(tool -> ((Tool.Function) tool).name())
            .containsExactly("clock");
      }
    }

    @Test
    @DisplayName(
        "that cannot make inner calls themselves, even with a tool that hides that it makes them")
    void lyingTool() {
      ServerTool honestTool = new InnerCallTool(MINUTE, innerCall("gamma"));
      var lyingTool =
          new ServerTool() {
            @Override
            public Spec spec() {
              return new Spec("router:lie", "asks", Json.object().put("type", "object").build());
            }

            @Override
            public Json run(Invocation call, Interceptor.Chain chain) throws ToolException {
              return honestTool.run(call, chain);
            }
          };
      Tool lyingToolOffer = new Tool.Server("router:lie", Json.Obj.EMPTY, null);
      Plugins plugins =
          Plugins.none()
              .tool(lyingTool)
              .tool(new InnerCallTool(MINUTE, innerCall("beta", lyingToolOffer)));
      try (var engine = new ScriptedEngine(null, plugins, endpoints())) {
        alphaCallsTool(engine);
        engine
            .beta
            .streams(toolCall(0, "b", "lie", "{}"), finishedWithCalls())
            .streams(text("alone then"), finished());
        drain(answered(engine.serve(outerRequest())));
        assertThat(results).extracting(InnerCallsTest::answerText).containsExactly("alone then");
        assertThat(engine.gamma.calls()).isEmpty();
      }
    }

    @Proves("open.56")
    @Test
    @DisplayName(
        "with the caller's data policy and provider lists, but without its other preferences")
    void preferences() {
      var looser =
          innerCall("gamma").request().toBuilder()
              .preferences(ProviderPreferences.builder().only(List.of("gamma")).build())
              .build();
      var free = new PriceCaps(UnitPrice.FREE, null, null, null, null);
      var stricter =
          innerCall("beta").request().toBuilder()
              .plugins(List.of(new PluginEntry("web", true, Json.Obj.EMPTY)))
              .preferences(ProviderPreferences.builder().maxPrice(free).build())
              .build();
      var ask =
          new InnerCallTool(MINUTE, new InnerCall("one", looser), new InnerCall("two", stricter));
      try (var engine = engine(null, ask)) {
        alphaCallsTool(engine);
        engine.beta.streams(text("ok"), finished());
        var policy =
            ProviderPreferences.builder()
                .only(List.of("alpha", "beta", "gamma"))
                .ignore(List.of("Gamma"));
        drain(
            answered(engine.serve(outerRequest().toBuilder().preferences(policy.build()).build())));
        assertThat(results.getFirst().failure()).isNotNull();
        assertThat(engine.gamma.calls()).isEmpty();
        assertThat(results.get(1).failure()).isNull();
        InferenceRequest sent = engine.beta.calls().getFirst().request();
        assertThat(sent.plugins()).isEmpty();
        assertThat(sent.streaming()).isTrue();
      }
    }

    @Test
    @DisplayName("through the plugins behind the one that makes them")
    void plugins() {
      var visited = new ArrayList<String>();
      var outside =
          new TestInterceptor(
              "outside",
              100,
              Scope.REQUEST,
              (request, chain) -> {
                visited.add("outside " + Given.lastText(request));
                return chain.proceed(request);
              });
      var inside =
          new TestInterceptor(
              "inside",
              900,
              Scope.REQUEST,
              (request, chain) -> {
                visited.add("inside " + Given.lastText(request));
                return chain.proceed(request);
              });
      try (var engine =
          engine(null, new InnerCallTool(MINUTE, innerCall("beta")), outside, inside)) {
        alphaCallsTool(engine);
        engine.beta.streams(text("ok"), finished());
        drain(answered(engine.serve(outerRequest())));
        assertThat(visited)
            .startsWith("outside outer", "inside outer", "inside inner")
            .filteredOn(one -> one.startsWith("outside"))
            .hasSize(1);
      }
    }
  }

  @Test
  @DisplayName("begin at the same time, without waiting for what plugins do in the others")
  void parallel() {
    var both = new CountDownLatch(2);
    var inside =
        new TestInterceptor(
            "inside",
            900,
            Scope.REQUEST,
            (request, chain) -> {
              if (Given.lastText(request).equals("inner")) {
                both.countDown();
                awaitAll(both);
              }
              return chain.proceed(request);
            });
    try (var engine =
        engine(null, new InnerCallTool(MINUTE, innerCall("beta"), innerCall("gamma")), inside)) {
      alphaCallsTool(engine);
      engine.beta.streams(text("from beta"), finished());
      engine.gamma.streams(text("from gamma"), finished());
      drain(answered(engine.serve(outerRequest())));
      assertThat(results)
          .extracting(InnerCallsTest::answerText)
          .containsExactly("from beta", "from gamma");
    }
  }

  private static void awaitAll(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).as("the other calls have begun").isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Nested
  @DisplayName("when the budget is small,")
  class Money {
    @Test
    @DisplayName("fail one by one, from the last, before anything is sent")
    void inOrder() {
      var fourCalls =
          new InnerCallTool(
              MINUTE, innerCall("beta"), innerCall("beta"), innerCall("gamma"), innerCall("gamma"));
      try (var engine = engine("0.00045", fourCalls)) {
        alphaCallsTool(engine);
        engine.beta.always(c -> List.of(text("b"), usage(10, 1), finished()));
        engine.gamma.always(c -> List.of(text("g"), usage(10, 1), finished()));
        drain(answered(engine.serve(outerRequest())));
        long answered = results.stream().filter(one -> one.failure() == null).count();
        assertThat(answered).isBetween(1L, 3L);
        for (int i = 0; i < results.size(); i++) {
          if (i < answered) {
            assertThat(results.get(i).failure()).isNull();
          } else {
            assertThat(failureOf(i)).isEqualTo(ErrorCode.PAYMENT_REQUIRED);
            assertThat(results.get(i).cost()).isEqualTo(Usd.ZERO);
          }
        }
        assertThat(engine.beta.calls().size() + engine.gamma.calls().size())
            .isEqualTo((int) answered);
        assertThat(engine.balance()).isEqualTo(settled(40_000 + 11_000 * answered));
      }
    }

    @Test
    @DisplayName("can have money reserved before they are made, or are refused with what they need")
    void reserved() {
      var held = new ArrayList<Usd>();
      var refusal = new ArrayList<String>();
      var plugin =
          new TestInterceptor(
              "careful",
              500,
              Scope.REQUEST,
              (request, chain) -> {
                Hold first = chain.reserve(innerCall("beta"));
                held.add(first.amount());
                held.add(chain.settledAndHeld());
                try {
                  chain.reserve(innerCall("gamma"));
                } catch (GatewayException refused) {
                  refusal.add(refused.error().code() + " " + refused.error().message());
                }
                first.release();
                results.addAll(chain.callAll(List.of(innerCall("beta")), MINUTE));
                return chain.proceed(request);
              });
      try (var engine = engine("0.0002", new InnerCallTool(MINUTE), plugin)) {
        engine.alpha.streams(text("the end"), usage(10, 10), finished());
        engine.beta.streams(text("b"), usage(10, 1), finished());
        drain(answered(engine.serve(outerRequest().toBuilder().tools(List.of()).build())));
        assertThat(held.getFirst().nanos()).isBetween(100_000L, 200_000L);
        assertThat(held.get(1)).as("spent").isEqualTo(Usd.ZERO);
        assertThat(refusal).singleElement().asString().startsWith("PAYMENT_REQUIRED");
        assertThat(results.getFirst().failure()).isNull();
        assertThat(engine.balance()).isEqualTo(settled(31_000));
      }
    }

    @Test
    @DisplayName("use the money reserved for them, which no other request can take meanwhile")
    void takenOver() {
      var others = new ArrayList<ErrorCode>();
      var engines = new ArrayList<ScriptedEngine>();
      Runnable other =
          () -> {
            var plain = outerRequest().toBuilder().tools(List.of()).plugins(List.of()).build();
            var otherRequest =
                plain.toBuilder().models(List.of(ModelRef.parse("acme/gamma"))).build();
            others.add(refused(engines.getFirst().serve(otherRequest)).error().code());
          };
      var plugin =
          new TestInterceptor(
              "careful",
              500,
              Scope.REQUEST,
              (request, chain) -> {
                if (request.models().getFirst().slug().endsWith("gamma")) {
                  return chain.proceed(request);
                }
                Hold first = chain.reserve(innerCall("beta"));
                chain.reserveNextTurn(innerCall("alpha"));
                other.run();
                results.addAll(
                    chain.callAll(List.of(innerCall("beta").withReservation(first)), MINUTE));
                other.run();
                return chain.proceed(request);
              });
      // enough for two turns of 121 microdollars each, not for a third
      try (var engine = engine("0.00025", new InnerCallTool(MINUTE), plugin)) {
        engines.add(engine);
        engine.beta.always(
            c -> {
              other.run();
              return List.of(text("b"), usage(10, 90), finished());
            });
        engine.alpha.streams(text("the end"), usage(10, 90), finished());
        List<Event> events =
            drain(answered(engine.serve(outerRequest().toBuilder().tools(List.of()).build())));
        assertThat(textOf(events)).isEqualTo("the end");
        assertThat(results.getFirst().failure()).isNull();
        assertThat(others).hasSize(3).containsOnly(ErrorCode.PAYMENT_REQUIRED);
        assertThat(engine.gamma.calls()).isEmpty();
        assertThat(engine.balance()).isEqualTo(settled(200_000));
      }
    }

    @Test
    @DisplayName(
        "are paid from the money reserved under their name before, also by an outer plugin")
    void takenOverByName() {
      var prices = new ArrayList<Usd>();
      var outerPlugin =
          new TestInterceptor(
              "first",
              400,
              Scope.REQUEST,
              (request, chain) -> {
                prices.add(chain.minimumReservation(innerCall("beta")));
                prices.add(chain.reserve(innerCall("beta")).amount());
                return chain.proceed(request);
              });
      var inner =
          new TestInterceptor(
              "second",
              500,
              Scope.REQUEST,
              (request, chain) -> {
                // the budget would not cover a second hold
                Hold again = chain.reserve(innerCall("beta"));
                prices.add(again.amount());
                results.addAll(
                    chain.callAll(List.of(innerCall("beta").withReservation(again)), MINUTE));
                return chain.proceed(request);
              });
      try (var engine = engine("0.0002", new InnerCallTool(MINUTE), outerPlugin, inner)) {
        engine.alpha.streams(text("the end"), usage(10, 10), finished());
        engine.beta.streams(text("b"), usage(10, 1), finished());
        drain(answered(engine.serve(outerRequest().toBuilder().tools(List.of()).build())));
        assertThat(results.getFirst().failure()).isNull();
        assertThat(prices.getFirst().nanos()).isBetween(100_001L, 200_000L);
        assertThat(prices).hasSize(3).containsOnly(prices.getFirst());
        assertThat(engine.balance()).isEqualTo(settled(31_000));
      }
    }

    @Test
    @DisplayName(
        "have a price whatever the key has left, but none for a model that no endpoint serves")
    void price() {
      var prices = new ArrayList<Usd>();
      var refusal = new ArrayList<ErrorCode>();
      var plugin =
          new TestInterceptor(
              "curious",
              500,
              Scope.REQUEST,
              (request, chain) -> {
                prices.add(chain.minimumReservation(innerCall("beta")));
                try {
                  chain.minimumReservation(innerCall("nobody"));
                } catch (GatewayException refused) {
                  refusal.add(refused.error().code());
                }
                return chain.proceed(request);
              });
      try (var poorEngine = engine("0.00001", new InnerCallTool(MINUTE), plugin);
          var richEngine = engine("1", new InnerCallTool(MINUTE), plugin)) {
        richEngine.alpha.streams(text("the end"), usage(10, 10), finished());
        InferenceRequest plain = outerRequest().toBuilder().tools(List.of()).build();
        refused(poorEngine.serve(plain));
        drain(answered(richEngine.serve(plain)));
        assertThat(prices).hasSize(2).containsOnly(prices.getFirst());
        assertThat(refusal).hasSize(2).doesNotContain(ErrorCode.PAYMENT_REQUIRED);
      }
    }

    @Test
    @DisplayName("that are never made leave nothing held of the money reserved for them")
    void forgotten() {
      var plugin =
          new TestInterceptor(
              "forgetful",
              500,
              Scope.REQUEST,
              (request, chain) -> {
                assertThat(chain.innerTools()).containsExactly(ToolLoops.CLOCK);
                chain.reserve(innerCall("beta"));
                return chain.proceed(request);
              });
      try (var engine = engine("1", new InnerCallTool(MINUTE), plugin)) {
        engine.alpha.streams(text("the end"), usage(10, 10), finished());
        drain(answered(engine.serve(outerRequest().toBuilder().tools(List.of()).build())));
        assertThat(engine.balance()).isEqualTo(settled(20_000));
      }
    }

    @Test
    @DisplayName("are sent only when the money for all is held")
    void heldBefore() {
      var held = new ArrayList<Usd>();
      try (var engine =
          engine("1", new InnerCallTool(MINUTE, innerCall("beta"), innerCall("gamma")))) {
        alphaCallsTool(engine);
        engine.beta.always(
            c -> {
              synchronized (held) {
                held.add(engine.balance().held());
              }
              return List.of(text("b"), usage(10, 1), finished());
            });
        engine.gamma.always(
            c -> {
              synchronized (held) {
                held.add(engine.balance().held());
              }
              return List.of(text("g"), usage(10, 1), finished());
            });
        drain(answered(engine.serve(outerRequest())));
        // also the call that is sent first finds the holds of both
        assertThat(held).hasSize(2);
        assertThat(held.getFirst().nanos()).isGreaterThan(200_000);
      }
    }
  }

  @Nested
  @DisplayName("when their time is over,")
  class Time {
    @Test
    @DisplayName("are cancelled and billed for what they delivered, which is in their result")
    void timedOut() {
      var ask = new InnerCallTool(Duration.ofSeconds(20), innerCall("beta"), innerCall("gamma"));
      try (var engine = engine(null, ask)) {
        alphaCallsTool(engine);
        engine.beta.streams(text("quick"), usage(10, 1), finished());
        engine.gamma.streams(text("slow and"), stall());
        Reply reply = engine.serveWhileTimePasses(outerRequest(), Duration.ZERO);
        List<Event> events =
            engine.readWhileTimePasses(answered(reply).answer(), Duration.ofSeconds(21));
        answered(reply).answer().close();
        assertThat(textOf(events)).isEqualTo("all done");
        assertThat(results.getFirst().failure()).isNull();
        assertThat(failureOf(1)).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(answerText(results.get(1))).isEqualTo("slow and");
        assertThat(results.get(1).cost().isMoreThan(Usd.ZERO)).isTrue();
        long sum = 40_000 + 11_000 + results.get(1).cost().nanos();
        assertThat(engine.balance()).isEqualTo(settled(sum));
      }
    }

    @Test
    @DisplayName("do not shorten the time of the request")
    void restOfTheRequest() {
      try (var engine = engine(null, new InnerCallTool(Duration.ofSeconds(5), innerCall("beta")))) {
        engine
            .alpha
            .streams(toolCall(0, "call_a", "ask", "{}"), finishedWithCalls())
            .streams(pause(Duration.ofSeconds(20)), text("late, but here"), finished());
        engine.beta.streams(stall());
        Reply reply = engine.serveWhileTimePasses(outerRequest(), Duration.ZERO);
        List<Event> events =
            engine.readWhileTimePasses(answered(reply).answer(), Duration.ofSeconds(6));
        answered(reply).answer().close();
        assertThat(textOf(events)).isEqualTo("late, but here");
        assertThat(failureOf(0)).isEqualTo(ErrorCode.TIMEOUT);
      }
    }
  }

  @Nested
  @DisplayName("when something fails,")
  class Faults {
    @Test
    @DisplayName("fail alone, with the upstream's error")
    void upstream() {
      try (var engine =
          engine(null, new InnerCallTool(MINUTE, innerCall("beta"), innerCall("gamma")))) {
        alphaCallsTool(engine);
        engine.beta.refuses(failure(FailureKind.UNAVAILABLE, 500, -1));
        engine.gamma.streams(text("g"), usage(10, 1), finished());
        drain(answered(engine.serve(outerRequest())));
        assertThat(results.getFirst().failure()).isNotNull();
        assertThat(results.getFirst().answer()).isNull();
        assertThat(results.getFirst().model()).isNull();
        assertThat(results.get(1).failure()).isNull();
        assertThat(engine.balance()).isEqualTo(settled(51_000));
      }
    }

    @Test
    @DisplayName("end when the caller disconnects, and what they delivered is paid")
    void callerGone() {
      var gone = new Cancellation[1];
      try (var engine =
          engine(null, new InnerCallTool(MINUTE, innerCall("beta"), innerCall("gamma")))) {
        gone[0] = engine.cancellation;
        engine.alpha.streams(
            toolCall(0, "call_a", "ask", "{}"), usage(10, 10), finishedWithCalls());
        engine.beta.streams(text("half"), stall());
        engine.gamma.always(
            c -> {
              gone[0].cancel(Cancellation.Cause.CALLER_GONE);
              return List.of(stall());
            });
        refused(engine.serveWhileTimePasses(outerRequest(), Duration.ZERO));
        assertThat(results).hasSize(2).noneMatch(one -> one.failure() == null);
        assertThat(engine.balance().held()).isEqualTo(Usd.ZERO);
        assertThat(engine.balance().settled().isMoreThan(new Usd(19_999))).isTrue();
      }
    }

    @Test
    @DisplayName("are refused around an attempt")
    void attempt() {
      var around =
          new TestInterceptor(
              "attempt",
              1,
              Scope.ATTEMPT,
              (request, chain) -> {
                chain.callAll(List.of(innerCall("beta")), MINUTE);
                return chain.proceed(request);
              });
      try (var engine = engine(null, toolWithoutCalls(), around)) {
        assertThat(
                refused(engine.serve(outerRequest().toBuilder().tools(List.of()).build()))
                    .error()
                    .code())
            .isEqualTo(ErrorCode.INTERNAL);
      }
    }

    private ServerTool toolWithoutCalls() {
      return new InnerCallTool(MINUTE);
    }
  }

  @Test
  @DisplayName("may be made by a plugin before it proceeds with another model")
  void byAPlugin() {
    var plugin =
        new TestInterceptor(
            "asker",
            500,
            Scope.REQUEST,
            (request, chain) -> {
              results.addAll(chain.callAll(List.of(innerCall("beta"), innerCall("gamma")), MINUTE));
              InferenceRequest forAlpha =
                  request.toBuilder().models(List.of(ModelRef.parse("acme/alpha"))).build();
              return chain.proceed(forAlpha);
            });
    try (var engine = engine(null, new InnerCallTool(MINUTE), plugin)) {
      engine.alpha.streams(text("the end"), usage(10, 10), finished());
      engine.beta.streams(text("b"), usage(10, 1), finished());
      engine.gamma.streams(text("g"), usage(10, 1), finished());
      List<Event> events = drain(answered(engine.serve(streaming("acme/alpha", "outer"))));
      assertThat(textOf(events)).isEqualTo("the end");
      assertThat(engine.records.getFirst().endpoint()).isEqualTo("acme/alpha@alpha");
      assertThat(engine.balance()).isEqualTo(settled(42_000));
    }
  }
}
