package io.strowger.springai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.strowger.core.Gateway;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Effort;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.tck.ScriptedProvider;
import io.strowger.tck.Step;
import io.strowger.tck.TestAmbient;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import org.springframework.ai.chat.client.AdvisorParams;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.SystemMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.content.Media;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.retry.NonTransientAiException;
import org.springframework.ai.retry.TransientAiException;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.annotation.ToolParam;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;

@DisplayName("A chat model of Spring AI over a gateway")
class StrowgerChatModelTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final LoopbackGateway gateway = new LoopbackGateway();
  private final ChatModel model = model("acme/large");

  @AfterEach
  void close() {
    gateway.close();
  }

  private StrowgerChatModel model(String id) {
    return StrowgerChatModel.builder(gateway.client())
        .options(StrowgerChatOptions.builder().model(id).build())
        .build();
  }

  private void scriptAnswer(String text) {
    gateway.upstream().answerNextWith(Script.builder().text(text).tokens(10, 4).build());
  }

  private void scriptToolCall(String name, String arguments) {
    gateway
        .upstream()
        .answerNextWith(
            Script.builder().text("").toolCall("call_1", name, arguments).tokens(20, 5).build());
  }

  private static AssistantMessage output(ChatResponse response) {
    return Objects.requireNonNull(response.getResult()).getOutput();
  }

  @Test
  @DisplayName("returns the answer with its id, model, usage, cost and the endpoint that served it")
  void answer() {
    scriptAnswer("Hello");
    ChatResponse response = model.call(new Prompt("Hi"));
    assertThat(output(response).getText()).isEqualTo("Hello");
    assertThat(Objects.requireNonNull(response.getResult()).getMetadata().getFinishReason())
        .isEqualTo("STOP");
    assertThat(response.getMetadata().getId()).startsWith("gen-");
    assertThat(response.getMetadata().getModel()).isEqualTo("acme/large");
    assertThat(response.getMetadata().getUsage().getPromptTokens()).isEqualTo(10);
    assertThat(response.getMetadata().getUsage().getCompletionTokens()).isEqualTo(4);
    assertThat(response.getMetadata().getUsage().getTotalTokens()).isEqualTo(14);
    assertThat(response.getMetadata().getUsage().getNativeUsage()).isInstanceOf(Usage.class);
    assertThat(GatewayMetadata.cost(response))
        .hasValueSatisfying(cost -> assertThat(cost).isEqualByComparingTo("0.000018"));
    assertThat(GatewayMetadata.servedBy(response)).hasValue("acme/large@alpha");
    assertThat(GatewayMetadata.answer(response).orElseThrow().decision().attempts()).isEqualTo(1);
    assertThat(gateway.lastRequest())
        .isEqualTo(
            """
            {"model":"large","messages":[{"role":"user","content":"Hi"}],"max_tokens":16384}\
            """);
  }

  @Test
  @DisplayName("sends every option that Spring AI has")
  void options() {
    scriptAnswer("ok");
    model.call(
        new Prompt(
            "Hi",
            ToolCallingChatOptions.builder()
                .model("acme/large")
                .temperature(0.5)
                .topP(0.9)
                .topK(40)
                .frequencyPenalty(0.25)
                .presencePenalty(-0.5)
                .maxTokens(100)
                .stopSequences(List.of("END", "STOP"))
                .toolCallbacks(
                    FunctionToolCallback.builder("now", () -> "noon")
                        .description("Tells the time")
                        .inputType(Void.class)
                        .inputSchema("{\"type\":\"object\",\"properties\":{}}")
                        .build())
                .build()));
    assertThat(gateway.lastRequest())
        .isEqualTo(
            """
            {"model":"large","temperature":0.5,"top_p":0.9,"top_k":40,"frequency_penalty":0.25,\
            "presence_penalty":-0.5,"max_tokens":100,"stop":["END","STOP"],\
            "messages":[{"role":"user","content":"Hi"}],"tools":[\
            {"type":"function","function":{"name":"now","description":"Tells the time",\
            "parameters":{"type":"object","properties":{}}}}]}\
            """);
  }

  @Test
  @DisplayName("sends what only a gateway has: fallbacks, preferences, sessions, reasoning")
  void gatewayOptions() {
    ChatModel preferring =
        StrowgerChatModel.builder(gateway.client())
            .options(
                StrowgerChatOptions.builder()
                    .model("acme/careful")
                    .fallbackModels("acme/large")
                    .customizeRequest(request -> request.prefer(p -> p.only("alpha")))
                    .build())
            .build();
    scriptAnswer("ok");
    ChatResponse response =
        Calls.with(
                ChatClient.create(preferring).prompt("Hi"),
                StrowgerChatOptions.builder()
                    .temperature(0.5)
                    .customizeRequest(request -> request.seed(7).reasoning(Effort.LOW)))
            .call()
            .chatResponse();
    assertThat(Objects.requireNonNull(response).getMetadata().getModel()).isEqualTo("acme/large");
    assertThat(gateway.lastRequest())
        .contains("\"seed\":7", "\"temperature\":0.5", "\"reasoning_effort\":\"low\"");
  }

  @Test
  @DisplayName("sends every kind of message and of media")
  void messages() {
    scriptAnswer("ok");
    List<Message> messages =
        List.of(
            new SystemMessage("Be brief."),
            UserMessage.builder()
                .text("What is it?")
                .media(
                    new Media(MimeTypeUtils.IMAGE_PNG, URI.create("https://acme.example/a.png")),
                    media("image/png", 1),
                    media("application/pdf", 2),
                    media("audio/mpeg", 3),
                    media("video/mp4", 4))
                .build(),
            AssistantMessage.builder()
                .content("Let me see.")
                .toolCalls(
                    List.of(
                        new AssistantMessage.ToolCall("call_1", "function", "look", "{\"at\":1}"),
                        new AssistantMessage.ToolCall("call_2", "function", "now", "")))
                .build(),
            ToolResponseMessage.builder()
                .responses(
                    List.of(
                        new ToolResponseMessage.ToolResponse("call_1", "look", "a cat"),
                        new ToolResponseMessage.ToolResponse("call_2", "now", "noon")))
                .build(),
            new AssistantMessage("A cat."),
            new UserMessage("Sure?"));
    model.call(new Prompt(messages));
    assertThat(gateway.lastRequest())
        .isEqualTo(
            """
            {"model":"large","messages":[\
            {"role":"system","content":"Be brief."},\
            {"role":"user","content":[{"type":"text","text":"What is it?"},\
            {"type":"image_url","image_url":{"url":"https://acme.example/a.png"}},\
            {"type":"image_url","image_url":{"url":"data:image/png;base64,AQ=="}},\
            {"type":"file","file":{"filename":"it","file_data":"data:application/pdf;base64,Ag=="}},\
            {"type":"input_audio","input_audio":{"data":"Aw==","format":"mp3"}},\
            {"type":"video_url","video_url":{"url":"data:video/mp4;base64,BA=="}}]},\
            {"role":"assistant","content":"Let me see.","tool_calls":[\
            {"id":"call_1","type":"function","function":{"name":"look","arguments":"{\\"at\\":1}"}},\
            {"id":"call_2","type":"function","function":{"name":"now","arguments":"{}"}}]},\
            {"role":"tool","tool_call_id":"call_1","content":"a cat"},\
            {"role":"tool","tool_call_id":"call_2","content":"noon"},\
            {"role":"assistant","content":"A cat."},\
            {"role":"user","content":"Sure?"}],"max_tokens":16384}\
            """);
  }

  private static Media media(String type, int content) {
    return Media.builder()
        .mimeType(MimeType.valueOf(type))
        .data(new byte[] {(byte) content})
        .name("it")
        .build();
  }

  record Weather(String city, int celsius, List<String> warnings) {}

  static final class Stations {
    private final List<String> cities = new CopyOnWriteArrayList<>();

    @Tool(description = "Measures the temperature")
    int measure(@ToolParam(description = "in English") String city) {
      cities.add(city);
      return 21;
    }
  }

  @Test
  @DisplayName("serves a ChatClient with a tool and a record as its answer")
  void chatClient() {
    var stations = new Stations();
    scriptToolCall("measure", "{\"city\":\"Bern\"}");
    scriptAnswer("{\"city\":\"Bern\",\"celsius\":21,\"warnings\":[]}");
    var answer =
        ChatClient.create(model)
            .prompt("How warm is it in Bern?")
            .tools(stations)
            .call()
            .responseEntity(Weather.class);
    assertThat(answer.entity()).isEqualTo(new Weather("Bern", 21, List.of()));
    assertThat(stations.cities).containsExactly("Bern");
    ChatResponse response = Objects.requireNonNull(answer.response());
    assertThat(response.getMetadata().getUsage().getTotalTokens()).isEqualTo(39);
    assertThat(gateway.lastRequest())
        .contains(
            "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"call_1\"",
            "{\"role\":\"tool\",\"tool_call_id\":\"call_1\",\"content\":\"21\"}",
            "\"in English\"");
  }

  @Test
  @DisplayName("sends the schema of an answer if Spring AI asks for native structured output")
  void nativeStructuredOutput() {
    scriptAnswer("{\"city\":\"Bern\",\"celsius\":21,\"warnings\":[]}");
    Weather weather =
        Calls.with(
                ChatClient.create(model)
                    .prompt("How warm is it in Bern?")
                    .advisors(AdvisorParams.ENABLE_NATIVE_STRUCTURED_OUTPUT),
                StrowgerChatOptions.builder().model("acme/large").strictOutputSchema(true))
            .call()
            .entity(Weather.class);
    assertThat(weather).isEqualTo(new Weather("Bern", 21, List.of()));
    assertThat(gateway.lastRequest())
        .contains(
            "\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"answer\","
                + "\"strict\":true,\"schema\":{",
            "\"celsius\"")
        .doesNotContain("Your response should be in JSON format");
  }

  @Test
  @DisplayName("delivers text and reasoning piece by piece, and the metadata at the end")
  void stream() {
    gateway
        .upstream()
        .answerNextWith(
            Script.builder().reasoning("hm").text("One two").chunks(2).tokens(10, 4).build());
    List<ChatResponse> pieces =
        Objects.requireNonNull(model.stream(new Prompt("Hi")).collectList().block(TIMEOUT));
    assertThat(pieces).hasSize(4);
    assertThat(output(pieces.getFirst()).getMetadata()).containsEntry("reasoningContent", "hm");
    assertThat(pieces.stream().map(piece -> output(piece).getText()).collect(Collectors.joining()))
        .isEqualTo("One two");
    ChatResponse last = pieces.getLast();
    assertThat(output(last).getText()).isEmpty();
    assertThat(output(last).getMetadata())
        .containsEntry("reasoningContent", "hm")
        .containsEntry("finishReason", "STOP");
    assertThat(last.getMetadata().getUsage().getTotalTokens()).isEqualTo(14);
    assertThat(GatewayMetadata.cost(last))
        .hasValueSatisfying(cost -> assertThat(cost).isEqualByComparingTo("0.000018"));
    assertThat(GatewayMetadata.cost(pieces.getFirst())).isEmpty();
    assertThat(pieces)
        .extracting(piece -> piece.getMetadata().getId())
        .containsOnly(last.getMetadata().getId());
    assertThat(gateway.lastRequest()).contains("\"stream\":true");
  }

  @Test
  @DisplayName("serves a streaming ChatClient that runs a tool")
  void streamWithTool() {
    var stations = new Stations();
    gateway
        .upstream()
        .answerNextWith(
            Script.builder()
                .text("Let me see.")
                .toolCall("call_1", "measure", "{\"city\":\"Bern\"}")
                .build());
    scriptAnswer("It is 21 degrees.");
    List<String> pieces =
        ChatClient.create(model).prompt("How warm is it in Bern?").tools(stations).stream()
            .content()
            .collectList()
            .block(TIMEOUT);
    assertThat(String.join("", Objects.requireNonNull(pieces))).endsWith("It is 21 degrees.");
    assertThat(stations.cities).containsExactly("Bern");
    assertThat(gateway.lastRequest())
        .contains(
            "{\"role\":\"assistant\",\"content\":\"Let me see.\",\"tool_calls\":[",
            "{\"role\":\"tool\",\"tool_call_id\":\"call_1\",\"content\":\"21\"}");
  }

  @Test
  @DisplayName("delivers an unstreamed answer in the same way as a streamed one")
  void whole() {
    var ambient = TestAmbient.realTime();
    var provider = new ScriptedProvider(ambient);
    List<Part> parts =
        List.of(
            new Part.Text("Let me see."),
            new Part.ToolCall("call_1", "look", Json.of("{}"), Json.Obj.EMPTY, null));
    provider.streams(
        Step.emit(
            new Event.CompleteAnswer(
                new Answer(parts, StopReason.TOOL_CALLS, null, null, Dialect.CHAT, null))));
    try (Gateway scripted = LoopbackGateway.over(provider, ambient)) {
      List<AssistantMessage> pieces =
          StrowgerChatModel.builder(scripted.chat("sk-app"))
              .options(
                  Calls.withoutToolExecution(StrowgerChatOptions.builder().model("acme/large")))
              .build()
              .stream(new Prompt("Hi"))
              .map(StrowgerChatModelTest::output)
              .collectList()
              .block(TIMEOUT);
      assertThat(pieces).extracting(AssistantMessage::getText).containsExactly("Let me see.", "");
      assertThat(Objects.requireNonNull(pieces).getLast().getToolCalls())
          .containsExactly(new AssistantMessage.ToolCall("call_1", "function", "look", "{}"));
    }
    ambient.assertNoThreadsLeft();
  }

  /** Records the texts of the pieces, which it requests only when the test does. */
  private static final class RecordingSubscriber extends BaseSubscriber<ChatResponse> {
    final BlockingQueue<String> received = new LinkedBlockingQueue<>();

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      // requests nothing yet
    }

    @Override
    protected void hookOnNext(ChatResponse piece) {
      received.add(Objects.requireNonNull(output(piece).getText()));
    }

    @Override
    protected void hookOnComplete() {
      received.add("end");
    }

    String next() throws InterruptedException {
      return Objects.requireNonNull(received.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS));
    }
  }

  @Test
  @DisplayName("sends its request only when pieces are requested, and delivers no more than those")
  void backpressure() throws InterruptedException {
    gateway.upstream().answerNextWith(Script.builder().text("One two three").chunks(3).build());
    var subscriber = new RecordingSubscriber();
    model.stream(new Prompt("Hi")).subscribe(subscriber);
    assertThat(gateway.upstream().requests()).isZero();
    subscriber.request(1);
    String first = subscriber.next();
    assertThat(subscriber.received).isEmpty();
    subscriber.request(10);
    var all = new StringBuilder(first);
    for (String piece = subscriber.next(); !piece.equals("end"); piece = subscriber.next()) {
      all.append(piece);
    }
    assertThat(all).hasToString("One two three");
  }

  @Test
  @DisplayName(
      "ends the upstream's answer when its subscriber cancels, also before the first piece")
  void cancelled() throws InterruptedException {
    gateway
        .upstream()
        .answerNextWith(
            Script.builder()
                .text("One two three")
                .chunks(3)
                .fault(new ScriptedFault.Stall(2))
                .build())
        .answerNextWith(Script.builder().latency(Duration.ofMinutes(5)).build());
    var subscriber = new RecordingSubscriber();
    model.stream(new Prompt("Hi")).subscribe(subscriber);
    subscriber.request(10);
    subscriber.next();
    subscriber.cancel();
    assertThat(gateway.upstream().awaitClientGone(TIMEOUT)).isTrue();
    Disposable waiting = model.stream(new Prompt("Hi")).subscribe();
    assertThat(gateway.upstream().awaitRequests(2, TIMEOUT)).isTrue();
    waiting.dispose();
    assertThat(gateway.upstream().awaitClientGone(TIMEOUT)).isTrue();
  }

  @Test
  @DisplayName("ends a stream with an error after the pieces before it")
  void brokenOff() {
    gateway
        .upstream()
        .answerNextWith(
            Script.builder()
                .text("One two")
                .chunks(2)
                .fault(new ScriptedFault.ErrorFrame(2, "{\"error\":{\"message\":\"broken\"}}"))
                .build());
    var pieces = new ArrayList<ChatResponse>();
    assertThatThrownBy(
            () -> model.stream(new Prompt("Hi")).doOnNext(pieces::add).blockLast(TIMEOUT))
        .isInstanceOf(TransientAiException.class)
        .hasCauseInstanceOf(GatewayException.class);
    assertThat(pieces).isNotEmpty();
  }

  @Test
  @DisplayName("sends signed reasoning back with the results of tools")
  void reasoning() {
    gateway
        .upstream()
        .answerNextWith(
            Script.builder()
                .reasoning("I had better look.")
                .text("")
                .toolCall("call_1", "measure", "{\"city\":\"Bern\"}")
                .build());
    scriptAnswer("21");
    ChatClient.create(model("acme/careful"))
        .prompt("How warm is it in Bern?")
        .tools(new Stations())
        .call()
        .content();
    assertThat(gateway.lastRequest())
        .contains(
            "{\"type\":\"thinking\",\"thinking\":\"I had better look.\",\"signature\":",
            "{\"type\":\"tool_use\",\"id\":\"call_1\"");
  }

  @Test
  @DisplayName("has the text of a model's refusal in its metadata")
  void refusal() {
    gateway.upstream().answerNextWith(Script.builder().refusal("I would rather not.").build());
    assertThat(output(model.call(new Prompt("Hi"))).getMetadata())
        .containsEntry("refusal", "I would rather not.");
  }

  @Test
  @DisplayName("serves two keys side by side, each within its own limits")
  void twoKeys() {
    ChatModel poor =
        StrowgerChatModel.builder(gateway.poorClient())
            .options(StrowgerChatOptions.builder().model("acme/large").build())
            .build();
    scriptAnswer("Hello");
    assertThatThrownBy(() -> poor.call("Hi"))
        .isInstanceOf(NonTransientAiException.class)
        .cause()
        .isInstanceOfSatisfying(
            GatewayException.class,
            e -> assertThat(e.error().code()).isEqualTo(ErrorCode.PAYMENT_REQUIRED));
    assertThat(model.call("Hi")).isEqualTo("Hello");
  }

  @Test
  @DisplayName("refuses a prompt that cannot be expressed, with the reason, and sends nothing")
  void refuses() {
    Media address =
        new Media(MimeType.valueOf("audio/wav"), URI.create("https://acme.example/a.wav"));
    assertThatThrownBy(
            () -> model.call(new Prompt(UserMessage.builder().text("Hear").media(address).build())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a recording cannot be sent as an address");
    ChatModel nameless =
        StrowgerChatModel.builder(gateway.client())
            .options(StrowgerChatOptions.builder().fallbackModels("acme/large").build())
            .build();
    assertThatThrownBy(() -> nameless.call("Hi"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("fallbackModels without a model");
    assertThatThrownBy(
            () ->
                model.call(
                    new Prompt(
                        "Hi",
                        StrowgerChatOptions.builder()
                            .model("acme/large")
                            .outputSchema("text")
                            .build())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the schema of the answer must be a JSON object");
    assertThatThrownBy(() -> model.call(new Prompt("Hi", Calls.foreignOptions())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has options that a gateway does not know");
    assertThat(gateway.upstream().requests()).isZero();
  }

  /** Records the tags of ended observations. */
  private static final class RecordingHandler implements ObservationHandler<Observation.Context> {
    final List<Map<String, String>> ended = new CopyOnWriteArrayList<>();

    @Override
    public void onStop(Observation.Context context) {
      ended.add(
          context.getAllKeyValues().stream()
              .collect(Collectors.toMap(tag -> tag.getKey(), tag -> tag.getValue())));
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
      return true;
    }
  }

  @Test
  @DisplayName("is observed like other models of Spring AI, in calls and in streams")
  void observed() {
    var observed = new RecordingHandler();
    ObservationRegistry registry = ObservationRegistry.create();
    registry.observationConfig().observationHandler(observed);
    ChatModel observedModel =
        StrowgerChatModel.builder(gateway.client())
            .options(StrowgerChatOptions.builder().model("acme/large").build())
            .observationRegistry(registry)
            .build();
    scriptAnswer("Hello");
    observedModel.call("Hi");
    scriptAnswer("Hello");
    observedModel.stream(new Prompt("Hi")).blockLast(TIMEOUT);
    gateway.upstream().answerNextWith(Script.status(429));
    assertThatThrownBy(() -> observedModel.call("Hi")).isInstanceOf(TransientAiException.class);
    assertThat(observed.ended).hasSize(3);
    for (Map<String, String> answered : observed.ended.subList(0, 2)) {
      assertThat(answered)
          .containsEntry("gen_ai.system", "strowger")
          .containsEntry("gen_ai.request.model", "acme/large")
          .containsEntry("gen_ai.response.model", "acme/large")
          .containsEntry("gen_ai.usage.input_tokens", "10")
          .containsEntry("gen_ai.usage.output_tokens", "4");
    }
    assertThat(observed.ended.get(2)).containsEntry("gen_ai.response.model", "none");
  }
}
