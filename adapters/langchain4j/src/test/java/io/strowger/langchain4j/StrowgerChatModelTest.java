package io.strowger.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.AudioContent;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.data.message.CustomMessage;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.PdfFileContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.data.message.VideoContent;
import dev.langchain4j.exception.ContentFilteredException;
import dev.langchain4j.exception.NonRetriableException;
import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.listener.ChatModelErrorContext;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.listener.ChatModelResponseContext;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.request.DefaultChatRequestParameters;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ToolChoice;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.Result;
import io.strowger.simulated.Script;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.model.Effort;
import io.strowger.spi.routing.ProviderSort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A chat model of LangChain4j over a gateway")
class StrowgerChatModelTest {
  private final LoopbackGateway gateway = new LoopbackGateway();
  private final ChatModel model =
      StrowgerChatModel.builder(gateway.client()).modelName("acme/large").build();

  @AfterEach
  void close() {
    gateway.close();
  }

  private void scriptAnswer(String text) {
    gateway.upstream().answerNextWith(Script.builder().text(text).tokens(10, 4).build());
  }

  private ChatResponse ask(ChatRequestParameters parameters) {
    return model.chat(
        ChatRequest.builder().messages(UserMessage.from("Hi")).parameters(parameters).build());
  }

  @Test
  @DisplayName("returns the answer with its id, model, usage, cost and the endpoint that served it")
  void answer() {
    scriptAnswer("Hello");
    ChatResponse response = model.chat(UserMessage.from("Hi"));
    assertThat(response.aiMessage()).isEqualTo(AiMessage.from("Hello"));
    assertThat(response.id()).startsWith("gen-");
    assertThat(response.modelName()).isEqualTo("acme/large");
    assertThat(response.finishReason()).isEqualTo(FinishReason.STOP);
    assertThat(response.tokenUsage().inputTokenCount()).isEqualTo(10);
    assertThat(response.tokenUsage().outputTokenCount()).isEqualTo(4);
    assertThat(response.tokenUsage().totalTokenCount()).isEqualTo(14);
    assertThat(response.metadata())
        .isInstanceOfSatisfying(
            StrowgerChatResponseMetadata.class,
            metadata -> {
              assertThat(metadata.cost()).hasToString("$0.000018");
              assertThat(metadata.servedBy().id()).isEqualTo("acme/large@alpha");
              assertThat(metadata.answer().decision().attempts()).isEqualTo(1);
              assertThat(metadata.toBuilder().id("other").build().cost())
                  .isEqualTo(metadata.cost());
              assertThat(metadata.toBuilder().build())
                  .isEqualTo(metadata)
                  .hasSameHashCodeAs(metadata);
            });
    assertThat(gateway.lastRequest())
        .isEqualTo(
            """
            {"model":"large","messages":[{"role":"user","content":"Hi"}],"max_tokens":16384}\
            """);
  }

  @Test
  @DisplayName("sends every parameter that LangChain4j has")
  void parameters() {
    scriptAnswer("ok");
    ask(
        ChatRequestParameters.builder()
            .modelName("acme/large")
            .temperature(0.5)
            .topP(0.9)
            .topK(40)
            .frequencyPenalty(0.25)
            .presencePenalty(-0.5)
            .maxOutputTokens(100)
            .stopSequences("END", "STOP")
            .toolSpecifications(
                ToolSpecification.builder()
                    .name("weather")
                    .description("Tells the weather")
                    .parameters(
                        JsonObjectSchema.builder()
                            .addStringProperty("city", "in English")
                            .addIntegerProperty("days")
                            .required("city")
                            .build())
                    .build(),
                ToolSpecification.builder()
                    .name("exact")
                    .strict(true)
                    .parameters(JsonObjectSchema.builder().addNumberProperty("x").build())
                    .build(),
                ToolSpecification.builder().name("now").build())
            .toolChoice(ToolChoice.REQUIRED)
            .responseFormat(ResponseFormat.JSON)
            .build());
    assertThat(gateway.lastRequest())
        .isEqualTo(
            """
            {"model":"large","temperature":0.5,"top_p":0.9,"top_k":40,"frequency_penalty":0.25,\
            "presence_penalty":-0.5,"max_tokens":100,"stop":["END","STOP"],\
            "tool_choice":"required","response_format":{"type":"json_object"},\
            "messages":[{"role":"user","content":"Hi"}],"tools":[\
            {"type":"function","function":{"name":"weather","description":"Tells the weather",\
            "parameters":{"type":"object","properties":{"city":{"type":"string",\
            "description":"in English"},"days":{"type":"integer"}},"required":["city"]}}},\
            {"type":"function","function":{"name":"exact","parameters":{"type":"object",\
            "properties":{"x":{"type":["number","null"]}},"required":["x"],\
            "additionalProperties":false},"strict":true}},\
            {"type":"function","function":{"name":"now","parameters":{"type":"object",\
            "properties":{}}}}]}\
            """);
  }

  @Test
  @DisplayName("sends what only a gateway has: fallbacks, preferences, sessions, reasoning")
  void gatewayParameters() {
    ChatModel preferring =
        StrowgerChatModel.builder(gateway.client())
            .defaultRequestParameters(
                StrowgerChatRequestParameters.builder()
                    .modelName("acme/careful")
                    .fallbackModels("acme/large")
                    .customizeRequest(request -> request.prefer(p -> p.only("alpha")))
                    .build())
            .build();
    scriptAnswer("ok");
    ChatResponse response =
        preferring.chat(
            ChatRequest.builder()
                .messages(UserMessage.from("Hi"))
                .parameters(
                    StrowgerChatRequestParameters.builder()
                        .temperature(0.5)
                        .customizeRequest(request -> request.seed(7).reasoning(Effort.LOW))
                        .build())
                .build());
    assertThat(response.modelName()).isEqualTo("acme/large");
    assertThat(gateway.lastRequest())
        .contains("\"seed\":7", "\"temperature\":0.5", "\"reasoning_effort\":\"low\"");
  }

  @Test
  @DisplayName(
      "keeps its default parameters where a request sets none, and the gateway's own when merging")
  void merging() {
    var ours =
        StrowgerChatRequestParameters.builder()
            .modelName("a")
            .fallbackModels("b")
            .strictJsonSchema(true)
            .customizeRequest(request -> request.prefer(p -> p.sort(ProviderSort.Key.PRICE)))
            .build();
    ChatRequestParameters plain = ChatRequestParameters.builder().temperature(0.5).build();
    for (ChatRequestParameters merged :
        List.of(
            ours.overrideWith(plain),
            plain.overrideWith(ours),
            ours.defaultedBy(plain),
            plain.defaultedBy(ours))) {
      assertThat(merged)
          .isInstanceOfSatisfying(
              StrowgerChatRequestParameters.class,
              all -> {
                assertThat(all.modelName()).isEqualTo("a");
                assertThat(all.temperature()).isEqualTo(0.5);
                assertThat(all.fallbackModels()).containsExactly("b");
                assertThat(all.strictJsonSchema()).isTrue();
                assertThat(all.requestCustomizer()).isSameAs(ours.requestCustomizer());
              });
    }
    assertThat(ours.overrideWith(DefaultChatRequestParameters.EMPTY))
        .isEqualTo(ours)
        .hasSameHashCodeAs(ours)
        .isNotEqualTo(StrowgerChatRequestParameters.EMPTY);
  }

  @Test
  @DisplayName("sends every kind of message and of content")
  void messages() {
    scriptAnswer("ok");
    model.chat(
        SystemMessage.from("Be brief."),
        UserMessage.from("ann", "Hi"),
        UserMessage.from(
            TextContent.from("What is it?"),
            ImageContent.from("https://acme.example/a.png"),
            ImageContent.from("aQ==", "image/png", ImageContent.DetailLevel.HIGH),
            PdfFileContent.from("cA==", "application/pdf"),
            AudioContent.from("cw==", "audio/mpeg"),
            VideoContent.from("dg==", "video/mp4")),
        AiMessage.from(
            "Let me see.",
            List.of(
                ToolExecutionRequest.builder()
                    .id("call_1")
                    .name("look")
                    .arguments("{\"at\":1}")
                    .build(),
                ToolExecutionRequest.builder().id("call_2").name("now").arguments("").build())),
        ToolExecutionResultMessage.from("call_1", "look", "a cat"),
        ToolExecutionResultMessage.from("call_2", "now", "noon"),
        AiMessage.from("A cat."),
        UserMessage.from("Sure?"));
    assertThat(gateway.lastRequest())
        .isEqualTo(
            """
            {"model":"large","messages":[\
            {"role":"system","content":"Be brief."},\
            {"role":"user","name":"ann","content":"Hi"},\
            {"role":"user","content":[{"type":"text","text":"What is it?"},\
            {"type":"image_url","image_url":{"url":"https://acme.example/a.png","detail":"low"}},\
            {"type":"image_url","image_url":{"url":"data:image/png;base64,aQ==","detail":"high"}},\
            {"type":"file","file":{"filename":"document.pdf",\
            "file_data":"data:application/pdf;base64,cA=="}},\
            {"type":"input_audio","input_audio":{"data":"cw==","format":"mp3"}},\
            {"type":"video_url","video_url":{"url":"data:video/mp4;base64,dg=="}}]},\
            {"role":"assistant","content":"Let me see.","tool_calls":[\
            {"id":"call_1","type":"function","function":{"name":"look","arguments":"{\\"at\\":1}"}},\
            {"id":"call_2","type":"function","function":{"name":"now","arguments":"{}"}}]},\
            {"role":"tool","tool_call_id":"call_1","content":"a cat"},\
            {"role":"tool","tool_call_id":"call_2","content":"noon"},\
            {"role":"assistant","content":"A cat."},\
            {"role":"user","content":"Sure?"}],"max_tokens":16384}\
            """);
  }

  record Weather(String city, int celsius, List<String> warnings) {}

  interface WeatherReporter {
    Result<Weather> report(String question);
  }

  static final class Stations {
    private final List<String> cities = new ArrayList<>();

    @Tool("Measures the temperature")
    int measure(@P("in English") String city) {
      cities.add(city);
      return 21;
    }
  }

  @Test
  @DisplayName("serves an AI service with a tool and a record as its answer")
  void aiService() {
    var stations = new Stations();
    WeatherReporter reporter =
        AiServices.builder(WeatherReporter.class).chatModel(model).tools(stations).build();
    gateway
        .upstream()
        .answerNextWith(
            Script.builder()
                .text("")
                .toolCall("call_1", "measure", "{\"city\":\"Bern\"}")
                .tokens(20, 5)
                .build());
    scriptAnswer("{\"city\":\"Bern\",\"celsius\":21,\"warnings\":[]}");
    Result<Weather> result = reporter.report("How warm is it in Bern?");
    assertThat(result.content()).isEqualTo(new Weather("Bern", 21, List.of()));
    assertThat(result.tokenUsage().totalTokenCount()).isEqualTo(39);
    assertThat(stations.cities).containsExactly("Bern");
    assertThat(gateway.lastRequest())
        .contains(
            "{\"role\":\"tool\",\"tool_call_id\":\"call_1\",\"content\":\"21\"}",
            "\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"Weather\","
                + "\"strict\":false,\"schema\":{\"type\":\"object\",\"properties\":"
                + "{\"city\":{\"type\":\"string\"},\"celsius\":{\"type\":\"integer\"},"
                + "\"warnings\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}},");
  }

  @Test
  @DisplayName("requests a strict schema if that is set")
  void strictSchema() {
    scriptAnswer("{}");
    ask(
        StrowgerChatRequestParameters.builder()
            .strictJsonSchema(true)
            .responseFormat(
                JsonSchema.builder()
                    .name("City")
                    .rootElement(JsonObjectSchema.builder().addStringProperty("name").build())
                    .build())
            .build());
    assertThat(gateway.lastRequest())
        .contains(
            "{\"name\":\"City\",\"strict\":true,\"schema\":{\"type\":\"object\",\"properties\":"
                + "{\"name\":{\"type\":[\"string\",\"null\"]}},\"required\":[\"name\"],"
                + "\"additionalProperties\":false}}");
  }

  @Test
  @DisplayName("describes the answer in the prompt if models are set to take no schema")
  void withoutSchema() {
    ChatModel plain =
        StrowgerChatModel.builder(gateway.client())
            .modelName("acme/large")
            .supportedCapabilities(Set.of())
            .build();
    scriptAnswer("{\"city\":\"Bern\",\"celsius\":21,\"warnings\":[]}");
    AiServices.create(WeatherReporter.class, plain).report("How warm is it in Bern?");
    assertThat(gateway.lastRequest())
        .contains("You must answer strictly")
        .doesNotContain("json_schema");
  }

  @Test
  @DisplayName("sends signed reasoning back with the conversation, also from a stored memory")
  void reasoning() {
    gateway
        .upstream()
        .script(
            "careful",
            Script.builder()
                .reasoning("I had better look.")
                .text("")
                .toolCall("call_1", "look", "{}")
                .build());
    ChatRequestParameters careful =
        ChatRequestParameters.builder().modelName("acme/careful").build();
    AiMessage first = ask(careful).aiMessage();
    assertThat(first.thinking()).isEqualTo("I had better look.");
    assertThat(first.text()).isNull();
    List<ChatMessage> stored =
        ChatMessageDeserializer.messagesFromJson(
            ChatMessageSerializer.messagesToJson(
                List.of(
                    UserMessage.from("Hi"),
                    first,
                    ToolExecutionResultMessage.from("call_1", "look", "a cat"))));
    model.chat(ChatRequest.builder().messages(stored).parameters(careful).build());
    assertThat(gateway.lastRequest())
        .contains(
            "{\"type\":\"thinking\",\"thinking\":\"I had better look.\",\"signature\":",
            "{\"type\":\"tool_use\",\"id\":\"call_1\"");
  }

  static Stream<Arguments> inexpressible() {
    ToolExecutionRequest withoutId =
        ToolExecutionRequest.builder().name("look").arguments("{}").build();
    return Stream.of(
        Arguments.of(CustomMessage.from(Map.of("a", 1)), "type CUSTOM"),
        Arguments.of(AiMessage.from(withoutId), "tool look has no id"),
        Arguments.of(
            ToolExecutionResultMessage.from(withoutId, "a cat"),
            "tool look lacks the id of its call"),
        Arguments.of(
            UserMessage.from(
                ImageContent.from(
                    "https://acme.example/a.png", ImageContent.DetailLevel.ULTRA_HIGH)),
            "detail level ULTRA_HIGH of an image is not supported; use LOW, HIGH or AUTO"),
        Arguments.of(
            UserMessage.from(AudioContent.from("https://acme.example/a.mp3")),
            "needs its media type"));
  }

  @ParameterizedTest
  @MethodSource("inexpressible")
  @DisplayName("refuses a message that cannot be expressed, with the reason, and sends nothing")
  void refuses(ChatMessage message, String reason) {
    assertThatThrownBy(() -> model.chat(message))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining(reason);
    assertThat(gateway.upstream().requests()).isZero();
  }

  /** Parameters as the integration of another provider has them. */
  static final class OtherParameters extends DefaultChatRequestParameters {
    OtherParameters() {
      super(builder().temperature(0.5));
    }
  }

  @Test
  @DisplayName("refuses the parameters of another provider, since some of them would be lost")
  void foreignParameters() {
    assertThatThrownBy(() -> ask(new OtherParameters()))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("OtherParameters has parameters that a gateway does not know");
  }

  @Test
  @DisplayName("refuses fallback models without a model")
  void fallbacksOfNothing() {
    ChatModel nameless =
        StrowgerChatModel.builder(gateway.client())
            .defaultRequestParameters(
                StrowgerChatRequestParameters.builder().fallbackModels("acme/large").build())
            .build();
    assertThatThrownBy(() -> nameless.chat("Hi"))
        .isInstanceOf(UnsupportedFeatureException.class)
        .hasMessageContaining("fallbackModels without a modelName");
  }

  @Test
  @DisplayName("throws an exception with the text of a model's refusal")
  void refusal() {
    gateway.upstream().answerNextWith(Script.builder().refusal("I would rather not.").build());
    assertThatThrownBy(() -> model.chat("Hi"))
        .isInstanceOf(ContentFilteredException.class)
        .hasMessage("I would rather not.");
  }

  @Test
  @DisplayName("serves two keys side by side, each within its own limits")
  void twoKeys() {
    ChatModel poor =
        StrowgerChatModel.builder(gateway.poorClient()).modelName("acme/large").build();
    scriptAnswer("Hello");
    assertThatThrownBy(() -> poor.chat("Hi"))
        .isExactlyInstanceOf(NonRetriableException.class)
        .cause()
        .isInstanceOfSatisfying(
            GatewayException.class,
            e -> assertThat(e.error().code()).isEqualTo(ErrorCode.PAYMENT_REQUIRED));
    assertThat(model.chat("Hi")).isEqualTo("Hello");
  }

  @Test
  @DisplayName("notifies listeners of answers and of errors")
  void listeners() {
    var events = new ArrayList<String>();
    ChatModel observed =
        StrowgerChatModel.builder(gateway.client())
            .modelName("acme/large")
            .listeners(
                List.of(
                    new ChatModelListener() {
                      @Override
                      public void onResponse(ChatModelResponseContext context) {
                        events.add(context.chatResponse().aiMessage().text());
                      }

                      @Override
                      public void onError(ChatModelErrorContext context) {
                        events.add(context.error().getClass().getSimpleName());
                      }
                    }))
            .build();
    scriptAnswer("Hello");
    observed.chat("Hi");
    gateway.upstream().answerNextWith(Script.status(429));
    assertThatThrownBy(() -> observed.chat("Hi")).isInstanceOf(RuntimeException.class);
    assertThat(events).containsExactly("Hello", "RateLimitException");
  }
}
