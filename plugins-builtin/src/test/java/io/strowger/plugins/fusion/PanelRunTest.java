package io.strowger.plugins.fusion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.json.JacksonCodec;
import io.strowger.core.meter.PromptSize;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Tool;
import io.strowger.spi.plugin.InnerCall;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.ServerTool.Invocation;
import io.strowger.spi.provider.EventStream;
import io.strowger.tck.FakeChain;
import io.strowger.tck.Given;
import io.strowger.tck.conformance.Proves;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A panel run")
class PanelRunTest {
  private static final String VALID_COMPARISON =
      "{\"consensus\":[],\"contradictions\":[],\"partial_coverage\":[],\"unique_insights\":[],\"blind_spots\":[]}";

  private static final Json.Obj TWO_MODELS =
      Json.object()
          .put("analysis_models", Json.array(Json.of("acme/one"), Json.of("acme/two")))
          .put("model", "acme/judge")
          .build();

  /** Returns a chain whose models answer by a function, the judge with a valid comparison. */
  private static FakeChain chain(Function<String, Answer> answers) {
    return new FakeChain(
            request -> {
              String model = request.models().getFirst().slug();
              Answer answer =
                  model.equals("acme/judge")
                      ? Given.answer(VALID_COMPARISON)
                      : answers.apply(model);
              return EventStream.of(List.of(new Event.CompleteAnswer(answer)));
            })
        .withCodec(new JacksonCodec());
  }

  private static Json.Obj run(Json.Obj parameters, InferenceRequest request, FakeChain chain) {
    Json.Obj result =
        new PanelRun(new Invocation(Json.Obj.EMPTY, parameters, request), chain, List.of()).run();
    chain.assertUsedCorrectly();
    return result;
  }

  private static InferenceRequest request() {
    return Given.request("acme/outer", "Is it so?");
  }

  private static Answer answerCiting(String text, String... urls) {
    var parts = new ArrayList<Part>();
    parts.add(new Part.Text(text));
    for (String url : urls) {
      Json.Obj source = Json.object().put("url", url).put("title", "T " + url).build();
      parts.add(
          new Part.Citation(
              Json.object().put("type", "url_citation").put("url_citation", source).build(), null));
    }
    return new Answer(parts, StopReason.END, "stop", Given.usage(1, 1), Dialect.CHAT, null);
  }

  @Test
  @DisplayName("lists each source that its members cite once, in the order of the citations")
  void sources() {
    FakeChain chain =
        chain(
            model ->
                model.equals("acme/one")
                    ? answerCiting("one", "http://x", "http://y")
                    : answerCiting("two", "http://y", "http://z"));
    Json.Arr sources = run(TWO_MODELS, request(), chain).list("sources");
    assertThat(Objects.requireNonNull(sources).stream().map(one -> ((Json.Obj) one).text("url")))
        .containsExactly("http://x", "http://y", "http://z");
    assertThat(((Json.Obj) sources.get(0)).text("title")).isEqualTo("T http://x");
  }

  @Test
  @DisplayName("holds money for all its calls and the final answer, and releases it")
  void reserves() {
    FakeChain chain = chain(Given::answer);
    run(TWO_MODELS, request(), chain);
    assertThat(chain.holds())
        .extracting(FakeChain.FakeHold::purpose)
        .containsExactly("analyst", "final answer", "panel 1", "panel 2", "final answer");
    assertThat(chain.innerCalls())
        .extracting(InnerCall::name)
        .containsExactly("panel 1", "panel 2", "analyst");
  }

  @ParameterizedTest
  @CsvSource({
    "PAYMENT_REQUIRED, insufficient_credits",
    "BUDGET_EXCEEDED, insufficient_credits",
    "UNAVAILABLE, unexpected_error",
    "INTERNAL, unexpected_error"
  })
  @DisplayName("makes no call if the hold for a later call is refused or fails")
  void refused(ErrorCode code, String reason) {
    for (String what : List.of("analyst", "final answer")) {
      FakeChain chain =
          chain(Given::answer)
              .refusing(one -> one.name().equals(what) ? GatewayError.of(code, "no") : null);
      Json.Obj result = run(TWO_MODELS, request(), chain);
      assertThat(result.text("failure_reason")).isEqualTo(reason);
      boolean isForMoney = reason.equals("insufficient_credits");
      assertThat(result.text("error"))
          .startsWith(isForMoney ? "Insufficient credits: fusion needs $0 for its smallest" : "no");
      assertThat(chain.innerCalls()).isEmpty();
    }
  }

  @Test
  @DisplayName("asks the members that the credits cover, even after one that is too expensive")
  void dearFirst() {
    FakeChain chain = chain(Given::answer).refusing(PanelRunTest::firstIsTooDear);
    Json.Obj result = run(TWO_MODELS, request(), chain);
    assertThat(chain.innerCalls())
        .extracting(InnerCall::name)
        .containsExactly("panel 2", "analyst");
    assertThat(result.list("responses")).hasSize(1);
    Json.Obj failed = (Json.Obj) Objects.requireNonNull(result.list("failed_models")).get(0);
    assertThat(failed.text("model")).isEqualTo("acme/one");
    assertThat(failed.longValue("status_code", 0)).isEqualTo(402);
  }

  private static @Nullable GatewayError firstIsTooDear(InnerCall call) {
    return call.name().equals("panel 1") ? GatewayError.of(ErrorCode.PAYMENT_REQUIRED, "no") : null;
  }

  private static PanelRun panelRun(FakeChain chain) {
    return new PanelRun(new Invocation(Json.Obj.EMPTY, TWO_MODELS, request()), chain, List.of());
  }

  @Test
  @DisplayName(
      "can be funded before the caller's model is called, with the members the credits cover")
  void ahead() {
    FakeChain chain = chain(Given::answer);
    assertThat(panelRun(chain).fundAhead()).containsExactly(0, 1);
    assertThat(chain.holds())
        .extracting(FakeChain.FakeHold::purpose)
        .containsExactly(
            "analyst", "final answer", "first turn", "panel 1", "panel 2", "first turn");
    FakeChain scarce = chain(Given::answer).refusing(PanelRunTest::firstIsTooDear);
    assertThat(panelRun(scarce).fundAhead()).containsExactly(1);
    assertThat(scarce.innerCalls()).isEmpty();
  }

  @Test
  @DisplayName(
      "is refused in advance with the sum that the cheapest member and all other calls need")
  void refusedAhead() {
    FakeChain chain =
        chain(Given::answer)
            .refusing(call -> GatewayError.of(ErrorCode.PAYMENT_REQUIRED, "no"))
            .refusingHolds(GatewayError.of(ErrorCode.PAYMENT_REQUIRED, "Insufficient credits"))
            .withPrices(
                call ->
                    new Usd(
                        switch (call.name()) {
                          case "panel 1" -> 50_000_000;
                          case "panel 2" -> 20_000_000;
                          case "analyst" -> 3_000_000;
                          case "final answer" -> 400_000;
                          default -> 5_000;
                        }));
    PanelRun run = panelRun(chain);
    assertThatThrownBy(run::fundAhead)
        .isInstanceOfSatisfying(
            GatewayException.class,
            refused -> {
              assertThat(refused.error().code()).isEqualTo(ErrorCode.PAYMENT_REQUIRED);
              assertThat(refused.error().message())
                  .isEqualTo(
                      "Insufficient credits; fusion needs $0.023405 for its smallest panel: one"
                          + " model, the model that compares, and the answer");
            });
    chain.assertUsedCorrectly();
  }

  @Test
  @DisplayName("does not ask a member that was not funded in advance, and lists it with 402")
  void funded() {
    FakeChain chain = chain(Given::answer);
    Json.Obj result = run(TWO_MODELS.with("funded", Json.array(Json.of(1))), request(), chain);
    assertThat(chain.innerCalls())
        .extracting(InnerCall::name)
        .containsExactly("panel 2", "analyst");
    Json.Arr failures = Objects.requireNonNull(result.list("failed_models"));
    assertThat(failures.stream().map(one -> ((Json.Obj) one).longValue("status_code", 0)))
        .containsExactly(402L);
  }

  @Test
  @DisplayName("asks the panel even if no endpoint serves the calls that need a hold, and notes it")
  void unserved() {
    FakeChain chain =
        chain(Given::answer)
            .refusing(one -> GatewayError.of(ErrorCode.CONTEXT_LENGTH_EXCEEDED, "too long"));
    assertThat(run(TWO_MODELS, request(), chain).text("status")).isEqualTo("ok");
    assertThat(chain.notes())
        .containsExactly(
            "no money is set aside for the call analyst: too long",
            "no money is set aside for the call final answer: too long",
            "no money is set aside for the call panel 1: too long",
            "no money is set aside for the call panel 2: too long");
  }

  @Proves({"limit.fusion.max_tool_calls", "plugins.fusion.max_tool_calls"})
  @Test
  @DisplayName("gives each member only tools that the gateway has")
  void tools() {
    FakeChain without = chain(Given::answer);
    run(TWO_MODELS, request(), without);
    assertThat(without.innerCalls().getFirst().request().tools()).isEmpty();
    FakeChain with = chain(Given::answer).withInnerTools("router:web_fetch", "router:datetime");
    run(TWO_MODELS, request(), with);
    InferenceRequest inner = with.innerCalls().getFirst().request();
    assertThat(inner.tools()).hasSize(1);
    assertThat(inner.members().get("max_tool_calls")).as("the default").isEqualTo(Json.of(4));
  }

  @Test
  @DisplayName("cuts an answer that is too long for the other models, between characters")
  void cut() {
    FakeChain chain = chain(model -> Given.answer("\u20ac".repeat(20_000)));
    Json.Arr responses = run(TWO_MODELS, request(), chain).list("responses");
    String content = ((Json.Obj) Objects.requireNonNull(responses).get(0)).text("content");
    assertThat(content).endsWith("\u20ac\n[cut here]").hasSizeBetween(10_000, 11_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u20ac", "\"", "x\n", "\u0001", "x\\", "\ud83d\ude00"})
  @DisplayName("holds enough money for the longest answers, however they are escaped in JSON")
  void enough(String text) {
    var reserved = new ArrayList<InnerCall>();
    Catalog.Builder models = Catalog.builder("test");
    FakeChain chain =
        chain(model -> answerCiting(text.repeat(40_000), addresses()))
            .withCatalog(models.build())
            .refusing(
                call -> {
                  reserved.add(call);
                  return null;
                });
    InferenceRequest request =
        request().toBuilder()
            .tools(
                List.of(
                    new Tool.Function(
                        "own", "d".repeat(5_000), Json.Obj.EMPTY, Json.Obj.EMPTY, null)))
            .build();
    Json.Obj result = run(TWO_MODELS, request, chain);
    assertThat(ceiling(reserved.getFirst().request()))
        .isGreaterThanOrEqualTo(ceiling(chain.innerCalls().getLast().request()));
    var messages = new ArrayList<>(request.messages());
    String read = new String(result.toBytes(), StandardCharsets.UTF_8);
    messages.add(Message.text(Message.Role.USER, read));
    assertThat(ceiling(reserved.getLast().request()))
        .isGreaterThanOrEqualTo(ceiling(request.toBuilder().messages(messages).build()));
    String content =
        ((Json.Obj) Objects.requireNonNull(result.list("responses")).get(0)).text("content");
    assertThat(Json.of(Objects.requireNonNull(content)).writtenLength()).isBetween(32_000, 32_768);
  }

  private static long ceiling(InferenceRequest request) {
    return PromptSize.of(request).maxTokens();
  }

  private static String[] addresses() {
    return IntStream.range(0, 500).mapToObj(i -> "http://" + i + ".example").toArray(String[]::new);
  }

  @Test
  @DisplayName("fails with the reason invalid_model when there is no model to ask")
  void noModels() {
    Json.Obj result = run(Json.Obj.EMPTY, request(), chain(Given::answer));
    assertThat(result.text("status")).isEqualTo("error");
    assertThat(result.text("failure_reason")).isEqualTo("invalid_model");
  }

  @Test
  @DisplayName("counts an empty answer as a failed model")
  void empty() {
    FakeChain chain = chain(model -> Given.answer(model.equals("acme/one") ? " " : "two"));
    Json.Obj result = run(TWO_MODELS, request(), chain);
    assertThat(result.list("responses")).hasSize(1);
    assertThat(result.list("failed_models")).hasSize(1);
  }

  @Proves("plugins.fusion.model")
  @Test
  @DisplayName("compares the answers with the caller's own model if no other is named")
  void ownAnalyst() {
    FakeChain chain = chain(Given::answer);
    run(TWO_MODELS.without("model"), request(), chain);
    assertThat(chain.innerCalls().getLast().request().models().getFirst().slug())
        .isEqualTo("acme/outer");
  }

  @Test
  @DisplayName("asks with the conversation as text, with tool calls and results described in it")
  void words() {
    var call = new Part.ToolCall("c1", "lookup", Json.of("{\"x\":1}"), Json.Obj.EMPTY, null);
    var result = new Part.ToolResult("c1", List.of(new Part.Text("42")), true);
    InferenceRequest request =
        request().toBuilder()
            .instructions(Message.text(Message.Role.SYSTEM, "Be brief."))
            .messages(
                List.of(
                    Message.text(Message.Role.USER, "Is it so?"),
                    message(Message.Role.ASSISTANT, new Part.Text("Let me see."), call),
                    message(Message.Role.TOOL, result)))
            .build();
    FakeChain chain = chain(Given::answer);
    run(TWO_MODELS, request, chain);
    List<Message> messages = chain.innerCalls().getFirst().request().messages();
    assertThat(messages)
        .extracting(Message::role)
        .containsExactly(
            Message.Role.SYSTEM, Message.Role.USER, Message.Role.ASSISTANT, Message.Role.USER);
    assertThat(messages.stream().flatMap(one -> one.parts().stream()))
        .allMatch(part -> part instanceof Part.Text);
    assertThat(((Part.Text) messages.get(2).parts().get(1)).text().text())
        .isEqualTo("[called lookup with {\"x\":1}]");
  }

  @Proves("plugins.fusion.max_completion_tokens")
  @Test
  @DisplayName(
      "limits the output of a member to what its endpoints allow, unless the caller sets a limit")
  void shortWriters() {
    Catalog.Builder models = Catalog.builder("test");
    models.add(ModelInfo.builder("acme/one").build(), List.of(endpoint("acme/one", 4096)));
    models.add(
        ModelInfo.builder("acme/two-1").family("acme/two").build(),
        List.of(endpoint("acme/two-1", 2048)));
    Json.Obj parameters =
        TWO_MODELS.with(
            "analysis_models", Json.array(Json.of("acme/one"), Json.of("~acme/two-latest")));
    FakeChain withoutLimit = chain(Given::answer).withCatalog(models.build());
    run(parameters, request(), withoutLimit);
    assertThat(withoutLimit.innerCalls())
        .extracting(inner -> inner.request().maxOutputTokens())
        .containsExactly(4096, 2048, 16_000);
    FakeChain withLimit = chain(Given::answer).withCatalog(models.build());
    run(parameters.with("max_completion_tokens", Json.of(8000)), request(), withLimit);
    assertThat(withLimit.innerCalls())
        .extracting(inner -> inner.request().maxOutputTokens())
        .containsOnly(8000);
  }

  private static Endpoint endpoint(String model, int maxOutputTokens) {
    return Given.endpoint("alpha", model, "1").toBuilder().maxOutputTokens(maxOutputTokens).build();
  }

  private static Message message(Message.Role role, Part... parts) {
    return new Message(role, List.of(parts), Message.ContentForm.LIST, Json.Obj.EMPTY, null);
  }

  @Proves("open.54")
  @Test
  @DisplayName("gives members and analyst half of the remaining time, and at most two minutes")
  void patience() {
    assertThat(timeLimits(Duration.ofMinutes(10)))
        .containsExactly(Duration.ofMinutes(2), Duration.ofMinutes(2));
    assertThat(timeLimits(Duration.ofMinutes(3)))
        .containsExactly(Duration.ofSeconds(90), Duration.ofSeconds(90));
  }

  /** Returns the time limits of members and analyst when this much time is left. */
  private static List<Duration> timeLimits(Duration left) {
    var given = new ArrayList<Duration>();
    FakeChain chain = chain(Given::answer).remaining(left);
    var recording =
        (Interceptor.Chain)
            Proxy.newProxyInstance(
                PanelRunTest.class.getClassLoader(),
                new Class<?>[] {Interceptor.Chain.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("callAll")) {
                    given.add((Duration) arguments[1]);
                  }
                  return method.invoke(chain, arguments);
                });
    new PanelRun(new Invocation(Json.Obj.EMPTY, TWO_MODELS, request()), recording, List.of()).run();
    return given;
  }
}
