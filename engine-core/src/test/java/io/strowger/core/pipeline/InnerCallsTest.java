package io.strowger.core.pipeline;

import static io.strowger.core.pipeline.Asking.answered;
import static io.strowger.core.pipeline.Asking.drain;
import static io.strowger.core.pipeline.Asking.refused;
import static io.strowger.core.pipeline.Asking.settled;
import static io.strowger.core.pipeline.Loops.call;
import static io.strowger.core.pipeline.Loops.calls;
import static io.strowger.core.pipeline.Loops.clock;
import static io.strowger.core.pipeline.Loops.json;
import static io.strowger.core.pipeline.Loops.said;
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

@DisplayName("Calls that a plugin or a tool makes itself")
class InnerCallsTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Loops.Clock clock = new Loops.Clock();
  private final List<InnerCall.Result> results = new ArrayList<>();

  /** A model for each provider: acme/alpha, acme/beta, acme/gamma. One dollar a million tokens. */
  private static Endpoint[] endpoints() {
    return new Endpoint[] {
      endpoint("alpha", "acme/alpha", "1"),
      endpoint("beta", "acme/beta", "1"),
      endpoint("gamma", "acme/gamma", "1")
    };
  }

  private static InnerCall asking(String model, Tool... tools) {
    return new InnerCall(
        "ask " + model,
        Given.request("acme/" + model, "inner").toBuilder()
            .maxOutputTokens(100)
            .tools(List.of(tools))
            .build());
  }

  private static Tool clockTool() {
    return new Tool.Server(Loops.CLOCK, Json.Obj.EMPTY, null);
  }

  private static Tool askTool() {
    return new Tool.Server("router:ask", Json.Obj.EMPTY, null);
  }

  /** Makes these calls whenever a model calls it. */
  private final class Ask implements ServerTool {
    private final Duration within;
    private final List<InnerCall> makes;

    Ask(Duration within, InnerCall... makes) {
      this.within = within;
      this.makes = List.of(makes);
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
      results.addAll(chain.callAll(makes, within));
      return Json.of("asked " + makes.size());
    }
  }

  private ScriptedEngine engine(@Nullable String limit, ServerTool tool, Around... plugins) {
    Plugins all = Around.all(plugins).tool(clock).tool(tool);
    return new ScriptedEngine(limit, all, endpoints());
  }

  /** A request to alpha that is offered the tool. */
  private static InferenceRequest outer() {
    return streaming("acme/alpha", "outer").toBuilder()
        .maxOutputTokens(100)
        .tools(List.of(askTool()))
        .build();
  }

  /** Alpha calls the tool, and says this when it has the result. */
  private static void calling(ScriptedEngine engine) {
    engine
        .alpha
        .streams(started(), call(0, "call_a", "ask", "{}"), usage(10, 10), calls())
        .streams(started(), text("all done"), usage(10, 10), finished());
  }

  private static String saidIn(InnerCall.Result result) {
    var said = new StringBuilder();
    if (result.answer() != null) {
      for (Part part : result.answer().parts()) {
        said.append(
            part instanceof Part.Text(Json.Str text, var extras, var source) ? text.text() : "");
      }
    }
    return said.toString();
  }

  private ErrorCode failureOf(int place) {
    return Objects.requireNonNull(results.get(place).failure()).code();
  }

  private static List<String> lines(ScriptedEngine engine) {
    return engine.records.getFirst().billLines().stream()
        .map(billLine -> billLine.endpoint() + " " + billLine.cost().nanos())
        .toList();
  }

  @Nested
  @DisplayName("are whole calls")
  class Whole {
    @Test
    @DisplayName("with a bill line each in the caller's record, and the caller's stream goes on")
    void bills() {
      try (var engine = engine(null, new Ask(MINUTE, asking("beta"), asking("gamma")))) {
        calling(engine);
        engine.beta.streams(started(), text("from beta"), usage(20, 20), finished());
        engine.gamma.streams(started(), text("from gamma"), usage(15, 30), finished());
        List<Event> events = drain(answered(engine.serve(outer())));
        assertThat(said(events)).isEqualTo("all done");
        assertThat(results)
            .extracting(InnerCallsTest::saidIn)
            .containsExactly("from beta", "from gamma");
        assertThat(results)
            .extracting(InnerCall.Result::model)
            .containsExactly("acme/beta", "acme/gamma");
        assertThat(results)
            .extracting(InnerCall.Result::cost)
            .containsExactly(new Usd(40_000), new Usd(45_000));
        assertThat(lines(engine))
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
    @DisplayName("with a loop over tools of their own, which their own limit binds")
    void tools() {
      var limited =
          new InnerCall(
              "limited",
              asking("beta", clockTool()).request().toBuilder()
                  .member("max_tool_calls", json("1"))
                  .build());
      try (var engine = engine(null, new Ask(MINUTE, limited))) {
        calling(engine);
        engine
            .beta
            .streams(clock(0), clock(1), usage(10, 1), calls())
            .streams(text("it is late"), usage(10, 1), finished());
        drain(answered(engine.serve(outer())));
        assertThat(saidIn(results.getFirst())).isEqualTo("it is late");
        assertThat(clock.asked).hasSize(1);
        assertThat(results.getFirst().cost()).isEqualTo(new Usd(22_000));
        assertThat(engine.beta.calls().get(1).request().mayCallTools()).isFalse();
      }
    }

    @Proves("plugins.fusion.depth")
    @Test
    @DisplayName("that are never offered what makes calls itself, nor what nobody runs")
    void depth() {
      Tool unknown = new Tool.Server("router:nobody", Json.Obj.EMPTY, null);
      try (var engine =
          engine(null, new Ask(MINUTE, asking("beta", askTool(), clockTool(), unknown)))) {
        calling(engine);
        engine.beta.streams(text("ok"), finished());
        drain(answered(engine.serve(outer())));
        assertThat(engine.beta.calls().getFirst().request().tools())
            .extracting(tool -> ((Tool.Function) tool).name())
            .containsExactly("clock");
      }
    }

    @Test
    @DisplayName("that make none themselves, whatever their tools say of themselves")
    void liar() {
      ServerTool honest = new Ask(MINUTE, asking("gamma"));
      var liar =
          new ServerTool() {
            @Override
            public Spec spec() {
              return new Spec("router:lie", "asks", Json.object().put("type", "object").build());
            }

            @Override
            public Json run(Invocation call, Interceptor.Chain chain) throws ToolException {
              return honest.run(call, chain);
            }
          };
      Tool lie = new Tool.Server("router:lie", Json.Obj.EMPTY, null);
      Plugins plugins = Plugins.none().tool(liar).tool(new Ask(MINUTE, asking("beta", lie)));
      try (var engine = new ScriptedEngine(null, plugins, endpoints())) {
        calling(engine);
        engine
            .beta
            .streams(call(0, "b", "lie", "{}"), calls())
            .streams(text("alone then"), finished());
        drain(answered(engine.serve(outer())));
        assertThat(results).extracting(InnerCallsTest::saidIn).containsExactly("alone then");
        assertThat(engine.gamma.calls()).isEmpty();
      }
    }

    @Proves("open.56")
    @Test
    @DisplayName("under what protects the caller's data, and nothing else of its preferences")
    void preferences() {
      var looser =
          asking("gamma").request().toBuilder()
              .preferences(ProviderPreferences.builder().only(List.of("gamma")).build())
              .build();
      var free = new PriceCaps(UnitPrice.FREE, null, null, null, null);
      var stricter =
          asking("beta").request().toBuilder()
              .plugins(List.of(new PluginEntry("web", true, Json.Obj.EMPTY)))
              .preferences(ProviderPreferences.builder().maxPrice(free).build())
              .build();
      var ask = new Ask(MINUTE, new InnerCall("one", looser), new InnerCall("two", stricter));
      try (var engine = engine(null, ask)) {
        calling(engine);
        engine.beta.streams(text("ok"), finished());
        var policy =
            ProviderPreferences.builder()
                .only(List.of("alpha", "beta", "gamma"))
                .ignore(List.of("Gamma"));
        drain(answered(engine.serve(outer().toBuilder().preferences(policy.build()).build())));
        assertThat(results.getFirst().failure()).isNotNull();
        assertThat(engine.gamma.calls()).isEmpty();
        assertThat(results.get(1).failure()).isNull();
        InferenceRequest sent = engine.beta.calls().getFirst().request();
        assertThat(sent.plugins()).isEmpty();
        assertThat(sent.streaming()).isTrue();
      }
    }

    @Test
    @DisplayName("through the plugins behind who makes them")
    void plugins() {
      var seen = new ArrayList<String>();
      var outside =
          new Around(
              "outside",
              100,
              Scope.REQUEST,
              (request, chain) -> {
                seen.add("outside " + Given.lastText(request));
                return chain.proceed(request);
              });
      var inside =
          new Around(
              "inside",
              900,
              Scope.REQUEST,
              (request, chain) -> {
                seen.add("inside " + Given.lastText(request));
                return chain.proceed(request);
              });
      try (var engine = engine(null, new Ask(MINUTE, asking("beta")), outside, inside)) {
        calling(engine);
        engine.beta.streams(text("ok"), finished());
        drain(answered(engine.serve(outer())));
        assertThat(seen)
            .startsWith("outside outer", "inside outer", "inside inner")
            .filteredOn(one -> one.startsWith("outside"))
            .hasSize(1);
      }
    }
  }

  @Test
  @DisplayName("begin at the same time: what plugins do before a call is decided is not waited for")
  void parallel() {
    var both = new CountDownLatch(2);
    var inside =
        new Around(
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
    try (var engine = engine(null, new Ask(MINUTE, asking("beta"), asking("gamma")), inside)) {
      calling(engine);
      engine.beta.streams(text("from beta"), finished());
      engine.gamma.streams(text("from gamma"), finished());
      drain(answered(engine.serve(outer())));
      assertThat(results)
          .extracting(InnerCallsTest::saidIn)
          .containsExactly("from beta", "from gamma");
    }
  }

  private static void awaitAll(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).as("the others have begun").isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Nested
  @DisplayName("when money is short")
  class Money {
    @Test
    @DisplayName("fail alone, the last ones first, before anything is sent")
    void inOrder() {
      var many = new Ask(MINUTE, asking("beta"), asking("beta"), asking("gamma"), asking("gamma"));
      try (var engine = engine("0.00045", many)) {
        calling(engine);
        engine.beta.always(c -> List.of(text("b"), usage(10, 1), finished()));
        engine.gamma.always(c -> List.of(text("g"), usage(10, 1), finished()));
        drain(answered(engine.serve(outer())));
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
    @DisplayName("can have their money set aside before they are made, or are told what they need")
    void reserved() {
      var held = new ArrayList<Usd>();
      var refusal = new ArrayList<String>();
      var plugin =
          new Around(
              "careful",
              500,
              Scope.REQUEST,
              (request, chain) -> {
                Hold first = chain.reserve(asking("beta"));
                held.add(first.amount());
                held.add(chain.spent());
                try {
                  chain.reserve(asking("gamma"));
                } catch (GatewayException refused) {
                  refusal.add(refused.error().code() + " " + refused.error().message());
                }
                first.release();
                results.addAll(chain.callAll(List.of(asking("beta")), MINUTE));
                return chain.proceed(request);
              });
      try (var engine = engine("0.0002", new Ask(MINUTE), plugin)) {
        engine.alpha.streams(text("the end"), usage(10, 10), finished());
        engine.beta.streams(text("b"), usage(10, 1), finished());
        drain(answered(engine.serve(outer().toBuilder().tools(List.of()).build())));
        assertThat(held.getFirst().nanos()).isBetween(100_000L, 200_000L);
        assertThat(held.get(1)).as("spent").isEqualTo(Usd.ZERO);
        assertThat(refusal).singleElement().asString().startsWith("PAYMENT_REQUIRED");
        assertThat(results.getFirst().failure()).isNull();
        assertThat(engine.balance()).isEqualTo(settled(31_000));
      }
    }

    @Test
    @DisplayName("run on what was set aside for them, which no other request can take meanwhile")
    void takenOver() {
      var others = new ArrayList<ErrorCode>();
      var engines = new ArrayList<ScriptedEngine>();
      Runnable other =
          () -> {
            var plain = outer().toBuilder().tools(List.of()).plugins(List.of()).build();
            var rival = plain.toBuilder().models(List.of(ModelRef.parse("acme/gamma"))).build();
            others.add(refused(engines.getFirst().serve(rival)).error().code());
          };
      var plugin =
          new Around(
              "careful",
              500,
              Scope.REQUEST,
              (request, chain) -> {
                if (request.models().getFirst().slug().endsWith("gamma")) {
                  return chain.proceed(request);
                }
                Hold first = chain.reserve(asking("beta"));
                chain.reserveNextTurn(asking("alpha"));
                other.run();
                results.addAll(
                    chain.callAll(List.of(asking("beta").withReservation(first)), MINUTE));
                other.run();
                return chain.proceed(request);
              });
      // two turns of 121 microdollars each, and nothing for a third
      try (var engine = engine("0.00025", new Ask(MINUTE), plugin)) {
        engines.add(engine);
        engine.beta.always(
            c -> {
              other.run();
              return List.of(text("b"), usage(10, 90), finished());
            });
        engine.alpha.streams(text("the end"), usage(10, 90), finished());
        List<Event> events =
            drain(answered(engine.serve(outer().toBuilder().tools(List.of()).build())));
        assertThat(said(events)).isEqualTo("the end");
        assertThat(results.getFirst().failure()).isNull();
        assertThat(others).hasSize(3).containsOnly(ErrorCode.PAYMENT_REQUIRED);
        assertThat(engine.gamma.calls()).isEmpty();
        assertThat(engine.balance()).isEqualTo(settled(200_000));
      }
    }

    @Test
    @DisplayName("are paid by what was set aside under their name before, also further out")
    void takenOverByName() {
      var prices = new ArrayList<Usd>();
      var outer =
          new Around(
              "first",
              400,
              Scope.REQUEST,
              (request, chain) -> {
                prices.add(chain.price(asking("beta")));
                prices.add(chain.reserve(asking("beta")).amount());
                return chain.proceed(request);
              });
      var inner =
          new Around(
              "second",
              500,
              Scope.REQUEST,
              (request, chain) -> {
                Hold again =
                    chain.reserve(
                        asking(
                            "beta")); // the money for the request could not be held for another one
                prices.add(again.amount());
                results.addAll(
                    chain.callAll(List.of(asking("beta").withReservation(again)), MINUTE));
                return chain.proceed(request);
              });
      try (var engine = engine("0.0002", new Ask(MINUTE), outer, inner)) {
        engine.alpha.streams(text("the end"), usage(10, 10), finished());
        engine.beta.streams(text("b"), usage(10, 1), finished());
        drain(answered(engine.serve(outer().toBuilder().tools(List.of()).build())));
        assertThat(results.getFirst().failure()).isNull();
        assertThat(prices.getFirst().nanos()).isBetween(100_001L, 200_000L);
        assertThat(prices).hasSize(3).containsOnly(prices.getFirst());
        assertThat(engine.balance()).isEqualTo(settled(31_000));
      }
    }

    @Test
    @DisplayName("have a price whatever the key has left, and none where nobody serves them")
    void price() {
      var prices = new ArrayList<Usd>();
      var refusal = new ArrayList<ErrorCode>();
      var plugin =
          new Around(
              "curious",
              500,
              Scope.REQUEST,
              (request, chain) -> {
                prices.add(chain.price(asking("beta")));
                try {
                  chain.price(asking("nobody"));
                } catch (GatewayException refused) {
                  refusal.add(refused.error().code());
                }
                return chain.proceed(request);
              });
      try (var poor = engine("0.00001", new Ask(MINUTE), plugin);
          var rich = engine("1", new Ask(MINUTE), plugin)) {
        rich.alpha.streams(text("the end"), usage(10, 10), finished());
        InferenceRequest plain = outer().toBuilder().tools(List.of()).build();
        refused(poor.serve(plain));
        drain(answered(rich.serve(plain)));
        assertThat(prices).hasSize(2).containsOnly(prices.getFirst());
        assertThat(refusal).hasSize(2).doesNotContain(ErrorCode.PAYMENT_REQUIRED);
      }
    }

    @Test
    @DisplayName("whose money was set aside and which are never made leave nothing held")
    void forgotten() {
      var plugin =
          new Around(
              "forgetful",
              500,
              Scope.REQUEST,
              (request, chain) -> {
                assertThat(chain.innerTools()).containsExactly(Loops.CLOCK);
                chain.reserve(asking("beta"));
                return chain.proceed(request);
              });
      try (var engine = engine("1", new Ask(MINUTE), plugin)) {
        engine.alpha.streams(text("the end"), usage(10, 10), finished());
        drain(answered(engine.serve(outer().toBuilder().tools(List.of()).build())));
        assertThat(engine.balance()).isEqualTo(settled(20_000));
      }
    }

    @Test
    @DisplayName("are sent only when the money of all is held")
    void heldBefore() {
      var held = new ArrayList<Usd>();
      try (var engine = engine("1", new Ask(MINUTE, asking("beta"), asking("gamma")))) {
        calling(engine);
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
        drain(answered(engine.serve(outer())));
        // whoever is sent first sees the holds of both
        assertThat(held).hasSize(2);
        assertThat(held.getFirst().nanos()).isGreaterThan(200_000);
      }
    }
  }

  @Nested
  @DisplayName("when the time is over")
  class Time {
    @Test
    @DisplayName("are cancelled, billed for what they delivered, and say what that was")
    void partly() {
      var ask = new Ask(Duration.ofSeconds(20), asking("beta"), asking("gamma"));
      try (var engine = engine(null, ask)) {
        calling(engine);
        engine.beta.streams(text("quick"), usage(10, 1), finished());
        engine.gamma.streams(text("slow and"), stall());
        Reply reply = engine.serveWhileTimePasses(outer(), Duration.ZERO);
        List<Event> events =
            engine.readWhileTimePasses(answered(reply).answer(), Duration.ofSeconds(21));
        answered(reply).answer().close();
        assertThat(said(events)).isEqualTo("all done");
        assertThat(results.getFirst().failure()).isNull();
        assertThat(failureOf(1)).isEqualTo(ErrorCode.TIMEOUT);
        assertThat(saidIn(results.get(1))).isEqualTo("slow and");
        assertThat(results.get(1).cost().isMoreThan(Usd.ZERO)).isTrue();
        long sum = 40_000 + 11_000 + results.get(1).cost().nanos();
        assertThat(engine.balance()).isEqualTo(settled(sum));
      }
    }

    @Test
    @DisplayName("leave the request its own time")
    void restOfTheRequest() {
      try (var engine = engine(null, new Ask(Duration.ofSeconds(5), asking("beta")))) {
        engine
            .alpha
            .streams(call(0, "call_a", "ask", "{}"), calls())
            .streams(pause(Duration.ofSeconds(20)), text("late, but here"), finished());
        engine.beta.streams(stall());
        Reply reply = engine.serveWhileTimePasses(outer(), Duration.ZERO);
        List<Event> events =
            engine.readWhileTimePasses(answered(reply).answer(), Duration.ofSeconds(6));
        answered(reply).answer().close();
        assertThat(said(events)).isEqualTo("late, but here");
        assertThat(failureOf(0)).isEqualTo(ErrorCode.TIMEOUT);
      }
    }
  }

  @Nested
  @DisplayName("when something fails")
  class Faults {
    @Test
    @DisplayName("fail alone, with what the upstream said")
    void upstream() {
      try (var engine = engine(null, new Ask(MINUTE, asking("beta"), asking("gamma")))) {
        calling(engine);
        engine.beta.refuses(failure(FailureKind.UNAVAILABLE, 500, -1));
        engine.gamma.streams(text("g"), usage(10, 1), finished());
        drain(answered(engine.serve(outer())));
        assertThat(results.getFirst().failure()).isNotNull();
        assertThat(results.getFirst().answer()).isNull();
        assertThat(results.getFirst().model()).isNull();
        assertThat(results.get(1).failure()).isNull();
        assertThat(engine.balance()).isEqualTo(settled(51_000));
      }
    }

    @Test
    @DisplayName("end when the caller goes away, and what they delivered is paid")
    void callerGone() {
      var gone = new Cancellation[1];
      try (var engine = engine(null, new Ask(MINUTE, asking("beta"), asking("gamma")))) {
        gone[0] = engine.cancellation;
        engine.alpha.streams(call(0, "call_a", "ask", "{}"), usage(10, 10), calls());
        engine.beta.streams(text("half"), stall());
        engine.gamma.always(
            c -> {
              gone[0].cancel(Cancellation.Cause.CALLER_GONE);
              return List.of(stall());
            });
        refused(engine.serveWhileTimePasses(outer(), Duration.ZERO));
        assertThat(results).hasSize(2).noneMatch(one -> one.failure() == null);
        assertThat(engine.balance().held()).isEqualTo(Usd.ZERO);
        assertThat(engine.balance().settled().isMoreThan(new Usd(19_999))).isTrue();
      }
    }

    @Test
    @DisplayName("are refused around an attempt")
    void attempt() {
      var around =
          new Around(
              "attempt",
              1,
              Scope.ATTEMPT,
              (request, chain) -> {
                chain.callAll(List.of(asking("beta")), MINUTE);
                return chain.proceed(request);
              });
      try (var engine = engine(null, clockless(), around)) {
        assertThat(
                refused(engine.serve(outer().toBuilder().tools(List.of()).build())).error().code())
            .isEqualTo(ErrorCode.INTERNAL);
      }
    }

    private ServerTool clockless() {
      return new Ask(MINUTE);
    }
  }

  @Test
  @DisplayName("may be made by a plugin that then answers by itself, in place of a model")
  void byAPlugin() {
    var plugin =
        new Around(
            "asker",
            500,
            Scope.REQUEST,
            (request, chain) -> {
              results.addAll(chain.callAll(List.of(asking("beta"), asking("gamma")), MINUTE));
              InferenceRequest real =
                  request.toBuilder().models(List.of(ModelRef.parse("acme/alpha"))).build();
              return chain.proceed(real);
            });
    try (var engine = engine(null, new Ask(MINUTE), plugin)) {
      engine.alpha.streams(text("the end"), usage(10, 10), finished());
      engine.beta.streams(text("b"), usage(10, 1), finished());
      engine.gamma.streams(text("g"), usage(10, 1), finished());
      List<Event> events = drain(answered(engine.serve(streaming("acme/alpha", "outer"))));
      assertThat(said(events)).isEqualTo("the end");
      assertThat(engine.records.getFirst().endpoint()).isEqualTo("acme/alpha@alpha");
      assertThat(engine.balance()).isEqualTo(settled(42_000));
    }
  }
}
