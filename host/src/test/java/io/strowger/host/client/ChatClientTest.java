package io.strowger.host.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.openai.client.OpenAIClient;
import com.openai.core.JsonValue;
import com.openai.core.http.StreamResponse;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionContentPart;
import com.openai.models.chat.completions.ChatCompletionContentPartImage;
import com.openai.models.chat.completions.ChatCompletionContentPartText;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionMessageFunctionToolCall;
import com.openai.models.chat.completions.ChatCompletionMessageToolCall;
import io.strowger.simulated.Script;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The client library of the chat format")
class ChatClientTest {
  private static final String MODELS = "io.strowger.host.client.LoopbackGateway#models";
  private static final String PIXEL = "data:image/png;base64,iVBORw0KGgo=";

  private LoopbackGateway gateway;
  private OpenAIClient client;

  @BeforeEach
  void start() throws IOException {
    gateway = new LoopbackGateway();
    client = ResponsesClients.client(gateway, LoopbackGateway.KEY);
  }

  @AfterEach
  void stop() {
    client.close();
    gateway.close();
  }

  private static ChatCompletionCreateParams.Builder hello(String model) {
    return ChatCompletionCreateParams.builder().model(model).addUserMessage("Hello?");
  }

  /** Returns the complete answer, and the answer that the library assembles from a stream. */
  private Stream<ChatCompletion> wholeAndStreamed(
      Script script, ChatCompletionCreateParams request) {
    gateway.upstream().answerNextWith(script).answerNextWith(script);
    ChatCompletion whole = client.chat().completions().create(request);
    ChatCompletionAccumulator pieces = ChatCompletionAccumulator.create();
    try (StreamResponse<ChatCompletionChunk> stream =
        client.chat().completions().createStreaming(request)) {
      stream.stream().forEach(pieces::accumulate);
    }
    return Stream.of(whole, pieces.chatCompletion());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("reads the same answer whole and streamed")
  void answer(String model) {
    wholeAndStreamed(Script.answer("Hello from upstream"), hello(model).build())
        .forEach(
            answer -> {
              assertThat(answer.model()).isEqualTo(model);
              assertThat(answer.choices().getFirst().message().content())
                  .contains("Hello from upstream");
              assertThat(answer.choices().getFirst().finishReason())
                  .isEqualTo(ChatCompletion.Choice.FinishReason.STOP);
            });
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("gets two tool calls in one answer, after a text")
  void parallel(String model) {
    Script both =
        Script.builder()
            .text("I shall look.")
            .toolCall("call_1", "weather", "{\"city\":\"Bern\"}")
            .toolCall("call_2", "weather", "{\"city\":\"Basel\"}")
            .build();
    wholeAndStreamed(both, hello(model).addFunctionTool(tool("weather")).build())
        .forEach(
            answer -> {
              ChatCompletion.Choice choice = answer.choices().getFirst();
              assertThat(choice.finishReason())
                  .isEqualTo(ChatCompletion.Choice.FinishReason.TOOL_CALLS);
              assertThat(choice.message().content()).contains("I shall look.");
              assertThat(calls(choice))
                  .extracting(ChatCompletionMessageFunctionToolCall::id)
                  .containsExactly("call_1", "call_2");
              assertThat(calls(choice))
                  .extracting(call -> call.function().arguments())
                  .containsExactly("{\"city\":\"Bern\"}", "{\"city\":\"Basel\"}");
            });
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("gets a tool call without arguments as one with an empty object")
  void withoutArguments(String model) {
    Script now = Script.builder().text("").toolCall("call_1", "now", "{}").build();
    wholeAndStreamed(now, hello(model).addFunctionTool(tool("now")).build())
        .forEach(
            answer ->
                assertThat(calls(answer.choices().getFirst()).getFirst().function().arguments())
                    .isEqualTo("{}"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("has its images sent in the upstream's format")
  void images(String model) {
    gateway.upstream().answerNextWith(Script.answer("A cat."));
    client
        .chat()
        .completions()
        .create(
            ChatCompletionCreateParams.builder()
                .model(model)
                .addUserMessageOfArrayOfContentParts(
                    List.of(
                        ChatCompletionContentPart.ofText(
                            ChatCompletionContentPartText.builder().text("What is it?").build()),
                        ChatCompletionContentPart.ofImageUrl(
                            ChatCompletionContentPartImage.builder()
                                .imageUrl(
                                    ChatCompletionContentPartImage.ImageUrl.builder()
                                        .url(PIXEL)
                                        .build())
                                .build())))
                .build());
    JsonNode sent = gateway.lastRequest();
    switch (model) {
      case LoopbackGateway.OVER_CHAT ->
          assertThat(sent.at("/messages/0/content/1/image_url/url").asText()).isEqualTo(PIXEL);
      case LoopbackGateway.OVER_RESPONSES ->
          assertThat(sent.at("/input/0/content/1/image_url").asText()).isEqualTo(PIXEL);
      default ->
          assertThat("data:image/png;base64,")
              .isEqualTo(PIXEL.replace(sent.at("/messages/0/content/1/source/data").asText(), ""));
    }
  }

  /** The library makes a schema from this class, and reads the answer into it. */
  static final class Place {
    public String city = "";
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("reads a structured answer into the class from which its schema was made")
  void structure(String model) {
    gateway.upstream().answerNextWith(Script.answer("{\"city\":\"Bern\"}"));
    var answer =
        client.chat().completions().create(hello(model).responseFormat(Place.class).build());
    assertThat(answer.choices().getFirst().message().content().orElseThrow().city)
        .isEqualTo("Bern");
    String at =
        switch (model) {
          case LoopbackGateway.OVER_CHAT -> "/response_format/json_schema/schema";
          case LoopbackGateway.OVER_RESPONSES -> "/text/format/schema";
          default -> "/output_config/format/schema";
        };
    assertThat(gateway.lastRequest().at(at + "/properties/city/type").asText()).isEqualTo("string");
  }

  private static List<ChatCompletionMessageFunctionToolCall> calls(ChatCompletion.Choice choice) {
    return choice.message().toolCalls().stream()
        .flatMap(List::stream)
        .map(ChatCompletionMessageToolCall::asFunction)
        .toList();
  }

  private static FunctionDefinition tool(String name) {
    return FunctionDefinition.builder()
        .name(name)
        .parameters(
            FunctionParameters.builder()
                .putAdditionalProperty("type", JsonValue.from("object"))
                .build())
        .build();
  }
}
