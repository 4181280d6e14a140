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

@DisplayName("The asking of a panel")
class PanelRunTest {
  private static final String SOUND =
      "{\"consensus\":[],\"contradictions\":[],\"partial_coverage\":[],\"unique_insights\":[],\"blind_spots\":[]}";

  private static final Json.Obj TWO =
      Json.object()
          .put("analysis_models", Json.array(Json.of("acme/one"), Json.of("acme/two")))
          .put("model", "acme/judge")
          .build();

  /** Answers each model by a function; the judge soundly. */
  private static FakeChain chain(Function<String, Answer> answers) {
    return new FakeChain(
            request -> {
              String model = request.models().getFirst().slug();
              Answer answer =
                  model.equals("acme/judge") ? Given.answer(SOUND) : answers.apply(model);
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

  private static InferenceRequest asked() {
    return Given.request("acme/outer", "Is it so?");
  }

  private static Answer cited(String text, String... urls) {
    var parts = new ArrayList<Part>();
    parts.add(new Part.Text(text));
    for (String url : urls) {
      Json.Obj cited = Json.object().put("url", url).put("title", "T " + url).build();
      parts.add(
          new Part.Citation(
              Json.object().put("type", "url_citation").put("url_citation", cited).build(), null));
    }
    return new Answer(parts, StopReason.END, "stop", Given.usage(1, 1), Dialect.CHAT, null);
  }

  @Test
  @DisplayName("names the sources its members cite, each once, and in their order")
  void sources() {
    FakeChain chain =
        chain(
            model ->
                model.equals("acme/one")
                    ? cited("one", "http://x", "http://y")
                    : cited("two", "http://y", "http://z"));
    Json.Arr sources = run(TWO, asked(), chain).list("sources");
    assertThat(Objects.requireNonNull(sources).stream().map(one -> ((Json.Obj) one).text("url")))
        .containsExactly("http://x", "http://y", "http://z");
    assertThat(((Json.Obj) sources.get(0)).text("title")).isEqualTo("T http://x");
  }

  @Test
  @DisplayName("sets money aside for all it asks and what follows, and gives it back")
  void reserves() {
    FakeChain chain = chain(Given::answer);
    run(TWO, asked(), chain);
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
  @DisplayName("asks nobody where money for what follows is refused, or nobody can say")
  void refused(ErrorCode code, String reason) {
    for (String what : List.of("analyst", "final answer")) {
      FakeChain chain =
          chain(Given::answer)
              .refusing(one -> one.name().equals(what) ? GatewayError.of(code, "no") : null);
      Json.Obj result = run(TWO, asked(), chain);
      assertThat(result.text("failure_reason")).isEqualTo(reason);
      boolean money = reason.equals("insufficient_credits");
      assertThat(result.text("error"))
          .startsWith(money ? "Insufficient credits: fusion needs $0 for its smallest" : "no");
      assertThat(chain.innerCalls()).isEmpty();
    }
  }

  @Test
  @DisplayName("asks those members there is money for, also behind one that is too dear")
  void dearFirst() {
    FakeChain chain = chain(Given::answer).refusing(PanelRunTest::firstIsTooDear);
    Json.Obj result = run(TWO, asked(), chain);
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

  private static PanelRun ahead(FakeChain chain) {
    return new PanelRun(new Invocation(Json.Obj.EMPTY, TWO, asked()), chain, List.of());
  }

  @Test
  @DisplayName("is paid before the caller's model is asked, with the members there is money for")
  void ahead() {
    FakeChain chain = chain(Given::answer);
    assertThat(ahead(chain).fundAhead()).containsExactly(0, 1);
    assertThat(chain.holds())
        .extracting(FakeChain.FakeHold::purpose)
        .containsExactly(
            "analyst", "final answer", "first turn", "panel 1", "panel 2", "first turn");
    FakeChain scarce = chain(Given::answer).refusing(PanelRunTest::firstIsTooDear);
    assertThat(ahead(scarce).fundAhead()).containsExactly(1);
    assertThat(scarce.innerCalls()).isEmpty();
  }

  @Test
  @DisplayName("is refused ahead with the sum of what the cheapest member and all else need")
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
    PanelRun run = ahead(chain);
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
  @DisplayName("asks no member that was not paid ahead, and lists it with 402")
  void funded() {
    FakeChain chain = chain(Given::answer);
    Json.Obj result = run(TWO.with("funded", Json.array(Json.of(1))), asked(), chain);
    assertThat(chain.innerCalls())
        .extracting(InnerCall::name)
        .containsExactly("panel 2", "analyst");
    assertThat(result.list("failed_models")).hasSize(1);
  }

  @Test
  @DisplayName("asks the panel although nobody serves what follows, and says so")
  void unserved() {
    FakeChain chain =
        chain(Given::answer)
            .refusing(one -> GatewayError.of(ErrorCode.CONTEXT_LENGTH_EXCEEDED, "too long"));
    assertThat(run(TWO, asked(), chain).text("status")).isEqualTo("ok");
    assertThat(chain.notes())
        .containsExactly(
            "no money is set aside for the call analyst: too long",
            "no money is set aside for the call final answer: too long",
            "no money is set aside for the call panel 1: too long",
            "no money is set aside for the call panel 2: too long");
  }

  @Proves({"limit.fusion.max_tool_calls", "plugins.fusion.max_tool_calls"})
  @Test
  @DisplayName("gives each member no tools but those the gateway has")
  void tools() {
    FakeChain without = chain(Given::answer);
    run(TWO, asked(), without);
    assertThat(without.innerCalls().getFirst().request().tools()).isEmpty();
    FakeChain with = chain(Given::answer).withInnerTools("router:web_fetch", "router:datetime");
    run(TWO, asked(), with);
    InferenceRequest asked = with.innerCalls().getFirst().request();
    assertThat(asked.tools()).hasSize(1);
    assertThat(asked.members().get("max_tool_calls")).as("unless said").isEqualTo(Json.of(4));
  }

  @Test
  @DisplayName("cuts what is longer than others can read, between characters")
  void cut() {
    FakeChain chain = chain(model -> Given.answer("\u20ac".repeat(20_000)));
    Json.Arr responses = run(TWO, asked(), chain).list("responses");
    String said = ((Json.Obj) Objects.requireNonNull(responses).get(0)).text("content");
    assertThat(said).endsWith("\u20ac\n[cut here]").hasSizeBetween(10_000, 11_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u20ac", "\"", "x\n", "\u0001", "x\\", "\ud83d\ude00"})
  @DisplayName("sets aside what the longest answers need, however they are written as JSON")
  void enough(String text) {
    var reserved = new ArrayList<InnerCall>();
    Catalog.Builder models = Catalog.builder("test");
    FakeChain chain =
        chain(model -> cited(text.repeat(40_000), addresses()))
            .withCatalog(models.build())
            .refusing(
                call -> {
                  reserved.add(call);
                  return null;
                });
    InferenceRequest asked =
        asked().toBuilder()
            .tools(
                List.of(
                    new Tool.Function(
                        "own", "d".repeat(5_000), Json.Obj.EMPTY, Json.Obj.EMPTY, null)))
            .build();
    Json.Obj result = run(TWO, asked, chain);
    assertThat(ceiling(reserved.getFirst().request()))
        .isGreaterThanOrEqualTo(ceiling(chain.innerCalls().getLast().request()));
    var messages = new ArrayList<>(asked.messages());
    String read = new String(result.toBytes(), StandardCharsets.UTF_8);
    messages.add(Message.text(Message.Role.USER, read));
    assertThat(ceiling(reserved.getLast().request()))
        .isGreaterThanOrEqualTo(ceiling(asked.toBuilder().messages(messages).build()));
    String said =
        ((Json.Obj) Objects.requireNonNull(result.list("responses")).get(0)).text("content");
    assertThat(Json.of(Objects.requireNonNull(said)).writtenLength()).isBetween(32_000, 32_768);
  }

  private static long ceiling(InferenceRequest request) {
    return PromptSize.of(request).maxTokens();
  }

  private static String[] addresses() {
    return IntStream.range(0, 500).mapToObj(i -> "http://" + i + ".example").toArray(String[]::new);
  }

  @Test
  @DisplayName("is refused by name when there is nobody to ask")
  void nobody() {
    Json.Obj result = run(Json.Obj.EMPTY, asked(), chain(Given::answer));
    assertThat(result.text("status")).isEqualTo("error");
    assertThat(result.text("failure_reason")).isEqualTo("invalid_model");
  }

  @Test
  @DisplayName("has an empty answer counted as none")
  void empty() {
    FakeChain chain = chain(model -> Given.answer(model.equals("acme/one") ? " " : "two"));
    Json.Obj result = run(TWO, asked(), chain);
    assertThat(result.list("responses")).hasSize(1);
    assertThat(result.list("failed_models")).hasSize(1);
  }

  @Proves("plugins.fusion.model")
  @Test
  @DisplayName("compares with the caller's own model where no other is named")
  void ownAnalyst() {
    FakeChain chain = chain(Given::answer);
    run(TWO.without("model"), asked(), chain);
    assertThat(chain.innerCalls().getLast().request().models().getFirst().slug())
        .isEqualTo("acme/outer");
  }

  @Test
  @DisplayName("asks with the conversation in words: calls and results are none of the panel's")
  void words() {
    var call = new Part.ToolCall("c1", "lookup", Json.of("{\"x\":1}"), Json.Obj.EMPTY, null);
    var result = new Part.ToolResult("c1", List.of(new Part.Text("42")), true);
    InferenceRequest request =
        asked().toBuilder()
            .instructions(Message.text(Message.Role.SYSTEM, "Be brief."))
            .messages(
                List.of(
                    Message.text(Message.Role.USER, "Is it so?"),
                    message(Message.Role.ASSISTANT, new Part.Text("Let me see."), call),
                    message(Message.Role.TOOL, result)))
            .build();
    FakeChain chain = chain(Given::answer);
    run(TWO, request, chain);
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
      "lets a member that writes less than the usual limit write what it can; a limit of the"
          + " caller's is kept")
  void shortWriters() {
    Catalog.Builder models = Catalog.builder("test");
    models.add(ModelInfo.builder("acme/one").build(), List.of(writes("acme/one", 4096)));
    models.add(
        ModelInfo.builder("acme/two-1").family("acme/two").build(),
        List.of(writes("acme/two-1", 2048)));
    Json.Obj parameters =
        TWO.with("analysis_models", Json.array(Json.of("acme/one"), Json.of("~acme/two-latest")));
    FakeChain usual = chain(Given::answer).withCatalog(models.build());
    run(parameters, asked(), usual);
    assertThat(usual.innerCalls())
        .extracting(inner -> inner.request().maxOutputTokens())
        .containsExactly(4096, 2048, 16_000);
    FakeChain said = chain(Given::answer).withCatalog(models.build());
    run(parameters.with("max_completion_tokens", Json.of(8000)), asked(), said);
    assertThat(said.innerCalls())
        .extracting(inner -> inner.request().maxOutputTokens())
        .containsOnly(8000);
  }

  private static Endpoint writes(String model, int most) {
    return Given.endpoint("alpha", model, "1").toBuilder().maxOutputTokens(most).build();
  }

  private static Message message(Message.Role role, Part... parts) {
    return new Message(role, List.of(parts), Message.ContentForm.LIST, Json.Obj.EMPTY, null);
  }

  @Proves("open.54")
  @Test
  @DisplayName("gives members and analyst half of what is left, and two minutes at most")
  void patience() {
    assertThat(patience(Duration.ofMinutes(10)))
        .containsExactly(Duration.ofMinutes(2), Duration.ofMinutes(2));
    assertThat(patience(Duration.ofMinutes(3)))
        .containsExactly(Duration.ofSeconds(90), Duration.ofSeconds(90));
  }

  /** Returns how long members and analyst may take when so much time is left. */
  private static List<Duration> patience(Duration left) {
    var given = new ArrayList<Duration>();
    FakeChain chain = chain(Given::answer).remaining(left);
    var listening =
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
    new PanelRun(new Invocation(Json.Obj.EMPTY, TWO, asked()), listening, List.of()).run();
    return given;
  }
}
