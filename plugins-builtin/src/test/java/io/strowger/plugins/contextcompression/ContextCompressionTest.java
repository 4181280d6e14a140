package io.strowger.plugins.contextcompression;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Message.Role;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Tool;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.FakeChain;
import io.strowger.tck.Given;
import io.strowger.tck.conformance.Proves;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("context-compression")
class ContextCompressionTest {
  static final Interceptor PLUGIN =
      (Interceptor)
          new ContextCompressionProvider()
              .create(PluginConfig.EMPTY, Catalog.builder("none").build());

  static Endpoint context(int tokens) {
    return Given.endpoint("acme", "acme/one", "1").toBuilder().contextLength(tokens).build();
  }

  /** Returns a message of this many tokens that begins with the name. */
  static Message message(Role role, String name, int tokens) {
    return Message.text(role, name + "x".repeat(tokens * 4 - name.length()));
  }

  static InferenceRequest request(List<Message> messages) {
    return Given.request("acme/one", "hello").toBuilder().messages(messages).build();
  }

  /** Returns a request with alternating messages of user and assistant, each of this size. */
  private static InferenceRequest turns(int count, int tokens) {
    var messages = new ArrayList<Message>();
    for (int i = 0; i < count; i++) {
      messages.add(message(i % 2 == 0 ? Role.USER : Role.ASSISTANT, "m" + i + " ", tokens));
    }
    return request(messages);
  }

  private static FakeChain run(InferenceRequest request, Endpoint endpoint) {
    var chain = FakeChain.of(List.of(new Event.CompleteAnswer(Given.answer("fine")))).at(endpoint);
    try (EventStream stream = PLUGIN.intercept(request, chain)) {
      assertThat(stream.next()).isNotNull();
    }
    return chain;
  }

  private static InferenceRequest sent(InferenceRequest request, Endpoint endpoint) {
    return run(request, endpoint).requests().getFirst();
  }

  static String text(Message message) {
    var text = new StringBuilder();
    for (Part part : message.parts()) {
      if (part instanceof Part.Text textPart) {
        text.append(textPart.text().text());
      }
    }
    return text.toString();
  }

  private static List<String> names(InferenceRequest request) {
    return request.messages().stream().map(message -> text(message).split(" ", 2)[0]).toList();
  }

  @Test
  @DisplayName("sends a request that fits unchanged, and reports no stage")
  void fits() {
    InferenceRequest request = turns(4, 10);
    FakeChain chain = run(request, context(40));
    assertThat(chain.requests().getFirst()).isSameAs(request);
    assertThat(chain.stages()).isEmpty();
  }

  @Proves({"plugin.context-compression", "plugins.other.compression.middle", "open.59"})
  @Test
  @DisplayName(
      "Row 9 middle-out: leaves out whole messages from the middle, those nearest to it first")
  void middle() {
    InferenceRequest request = turns(9, 10).toBuilder().maxOutputTokens(20).build();
    assertThat(names(sent(request, context(80))))
        .containsExactly("m0", "m1", "m2", "m6", "m7", "m8");
  }

  @Test
  @DisplayName("leaves room for an answer of unknown length: an eighth of the context")
  void roomForTheAnswer() {
    assertThat(sent(turns(9, 10), context(80)).messages()).hasSize(7);
  }

  @Proves("plugins.pipeline.context_compression")
  @Test
  @DisplayName("reports how many messages there were and how many are left")
  void stage() {
    FakeChain chain = run(turns(9, 10), context(80));
    TraceEntry.Stage stage = chain.stages().getFirst();
    assertThat(stage.type()).isEqualTo("context_compression");
    assertThat(stage.name()).isEqualTo("context-compression");
    assertThat(stage.data())
        .isEqualTo(
            Json.object()
                .put("engine", "middle-out")
                .put("input_type", "messages")
                .put("original_count", 9)
                .put("compressed_count", 7)
                .build());
    assertThat(stage.summary()).isEqualTo("left out 2 of 9 messages");
  }

  @Test
  @DisplayName("keeps instructions wherever they are, and the last user message")
  void kept() {
    InferenceRequest request =
        request(
            List.of(
                message(Role.SYSTEM, "rules ", 10),
                message(Role.USER, "old ", 10),
                message(Role.DEVELOPER, "more ", 10),
                message(Role.ASSISTANT, "said ", 10),
                message(Role.USER, "new ", 10),
                message(Role.ASSISTANT, "begun ", 10)));
    assertThat(names(sent(request, context(46)))).containsExactly("rules", "more", "new", "begun");
  }

  private static Message call(String... ids) {
    var parts = new ArrayList<Part>();
    for (String id : ids) {
      parts.add(
          new Part.ToolCall(
              id, "f", Json.of("{\"a\":\"" + "y".repeat(31) + "\"}"), Json.Obj.EMPTY, null));
    }
    return new Message(Role.ASSISTANT, parts, Message.ContentForm.NULL, Json.Obj.EMPTY, null);
  }

  private static Message result(String id) {
    return new Message(
        Role.TOOL,
        List.of(new Part.ToolResult(id, List.of(new Part.Text("z".repeat(40))), true)),
        Message.ContentForm.STRING,
        Json.Obj.EMPTY,
        null);
  }

  @Test
  @DisplayName("removes a call together with all its results, or none of them")
  void callsAndResults() {
    InferenceRequest request =
        request(
            List.of(
                message(Role.USER, "first ", 10),
                call("one", "two"),
                result("one"),
                result("two"),
                message(Role.USER, "last ", 10)));
    assertThat(sent(request, context(50)).messages())
        .containsExactly(request.messages().get(0), request.messages().get(4));
    assertThat(sent(request, context(50)).messages()).doesNotContain(request.messages().get(3));
  }

  @Test
  @DisplayName("removes results that are in a user's message, as in the messages dialect")
  void resultsOfUsers() {
    Message results =
        new Message(
            Role.USER, result("one").parts(), Message.ContentForm.LIST, Json.Obj.EMPTY, null);
    InferenceRequest request =
        request(
            List.of(
                message(Role.USER, "first ", 10),
                call("one"),
                results,
                message(Role.ASSISTANT, "said ", 10),
                message(Role.USER, "last ", 10)));
    assertThat(sent(request, context(36)).messages())
        .containsExactly(
            request.messages().get(0), request.messages().get(3), request.messages().get(4));
  }

  @Test
  @DisplayName("removes reasoning together with the call that it led to")
  void thoughts() {
    Message thought =
        new Message(
            Role.ASSISTANT,
            List.of(
                new Part.Thinking(
                    Part.Thinking.Kind.TEXT,
                    Json.of("hm"),
                    null,
                    null,
                    "rs_1",
                    Json.Obj.EMPTY,
                    null)),
            Message.ContentForm.ABSENT,
            Json.Obj.EMPTY,
            null);
    InferenceRequest request =
        request(
            List.of(
                message(Role.USER, "first ", 10),
                thought,
                call("one"),
                result("one"),
                message(Role.USER, "last ", 10)));
    assertThat(names(sent(request, context(36)))).containsExactly("first", "last");
  }

  @Proves("open.59")
  @Test
  @DisplayName("cuts the middle of the longest text when removing whole messages is not enough")
  void cut() {
    InferenceRequest request =
        request(List.of(message(Role.SYSTEM, "rules ", 10), message(Role.USER, "begin ", 100)));
    var messages = sent(request, context(64)).messages();
    assertThat(messages.getFirst()).isSameAs(request.messages().getFirst());
    String text = text(messages.getLast());
    assertThat(text).startsWith("begin x").contains("x\n[...]\nx").endsWith("x");
    assertThat(text.length()).isBetween(150, 46 * 4);
  }

  @Test
  @DisplayName("counts the tokens of a prompt only a few times, however many texts have to be cut")
  void manyTexts() {
    List<Part> parts =
        IntStream.range(0, 2_000).<Part>mapToObj(i -> new Part.Text("y".repeat(40 + i))).toList();
    InferenceRequest request =
        request(
            List.of(new Message(Role.USER, parts, Message.ContentForm.LIST, Json.Obj.EMPTY, null)));
    var counts = new AtomicInteger();
    InferenceRequest shortened =
        Objects.requireNonNull(
            new MiddleOut(counting(counts), 100_000, Integer.MAX_VALUE).shorten(request));
    assertThat(FakeChain.of(List.of()).promptTokens(shortened)).isBetween(95_000L, 100_000L);
    assertThat(counts.get()).isLessThan(20);
    assertThat(new MiddleOut(counting(counts), 1_000, Integer.MAX_VALUE).shorten(request)).isNull();
    assertThat(counts.get()).isLessThan(40);
  }

  @Test
  @DisplayName("does not count the tools again for each message")
  void manyMessages() {
    var tools = new ArrayList<Tool>();
    tools.add(new Tool.Function("f", "z".repeat(400), null, Json.Obj.EMPTY, null));
    InferenceRequest request = turns(500, 10).toBuilder().tools(tools).build();
    var counts = new AtomicInteger();
    InferenceRequest shortened =
        new MiddleOut(
                counted -> {
                  counts.addAndGet(counted.tools().size());
                  return FakeChain.of(List.of()).promptTokens(counted);
                },
                1_000,
                Integer.MAX_VALUE)
            .shorten(request);
    assertThat(shortened).isNotNull();
    assertThat(counts.get()).isLessThan(10);
  }

  private static ToLongFunction<InferenceRequest> counting(AtomicInteger counts) {
    return request -> {
      counts.incrementAndGet();
      return FakeChain.of(List.of()).promptTokens(request);
    };
  }

  @Test
  @DisplayName("never cuts a character in two")
  void wholeCharacters() {
    InferenceRequest request =
        request(List.of(Message.text(Role.USER, "\uD83D\uDE00".repeat(500))));
    for (int context = 50; context < 70; context++) {
      String text = text(sent(request, context(context)).messages().getFirst());
      assertThat(text.replace("\uD83D\uDE00", "")).isEqualTo("\n[...]\n");
    }
  }

  @Test
  @DisplayName("explains why a conversation cannot be made to fit, and sends nothing")
  void tooLong() {
    InferenceRequest request =
        request(List.of(message(Role.SYSTEM, "rules ", 100), message(Role.USER, "question ", 10)));
    var chain = FakeChain.of(List.of()).at(context(64));
    try (EventStream stream = PLUGIN.intercept(request, chain)) {
      assertThat(stream.next())
          .isInstanceOfSatisfying(
              Event.Failed.class,
              failed -> {
                assertThat(failed.kind()).isEqualTo(FailureKind.CONTEXT_LENGTH);
                assertThat(failed.error().message())
                    .startsWith("The prompt has about 110 tokens in 2 messages.")
                    .contains("a context of 64 tokens");
              });
    }
    assertThat(chain.requests()).isEmpty();
  }

  @Test
  @DisplayName("names only the limits of the endpoint when a conversation cannot be made to fit")
  void namesLimits() {
    InferenceRequest request =
        request(
            List.of(
                message(Role.SYSTEM, "rules ", 10),
                message(Role.SYSTEM, "more ", 10),
                message(Role.USER, "question ", 10)));
    Endpoint endpoint = context(0).toBuilder().maxMessages(2).build();
    var chain = FakeChain.of(List.of()).at(endpoint);
    try (EventStream stream = PLUGIN.intercept(request, chain)) {
      assertThat(stream.next())
          .isInstanceOfSatisfying(
              Event.Failed.class,
              failed ->
                  assertThat(failed.error().message())
                      .contains("cannot make it fit a limit of 2 messages:")
                      .doesNotContain("a context"));
    }
  }

  @Proves("plugins.other.compression.middle")
  @Test
  @DisplayName(
      "Row 9 message count: keeps half from the start and half from the end of too many messages:"
          + " 1200 for 1000")
  void messages() {
    Endpoint endpoint = context(0).toBuilder().maxMessages(1000).build();
    InferenceRequest request = turns(1200, 3);
    var names = names(sent(request, endpoint));
    assertThat(names).hasSize(1000);
    assertThat(names.subList(0, 500))
        .isEqualTo(IntStream.range(0, 500).mapToObj(i -> "m" + i).toList());
    assertThat(names.subList(500, 1000))
        .isEqualTo(IntStream.range(700, 1200).mapToObj(i -> "m" + i).toList());
  }

  @Proves("plugins.other.compression.off")
  @Test
  @DisplayName(
      "Row 9 image-only output: changes no request to a model that only draws pictures, or whose"
          + " context is unknown")
  void skipped() {
    Endpoint painter = context(10).toBuilder().outputModalities(Modality.IMAGE.bit()).build();
    InferenceRequest request = turns(9, 10);
    assertThat(sent(request, painter)).isSameAs(request);
    assertThat(sent(request, context(0))).isSameAs(request);
  }

  @Proves("plugins.pipeline.context_compression")
  @Test
  @DisplayName("reports the input type prompt when the input was a single string")
  void prompt() {
    Message only = message(Role.USER, "long ", 100);
    InferenceRequest request =
        InferenceRequest.builder(Dialect.RESPONSES, Json.Obj.EMPTY).messages(List.of(only)).build();
    assertThat(run(request, context(64)).stages().getFirst().data().text("input_type"))
        .isEqualTo("prompt");
  }
}
