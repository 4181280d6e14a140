package io.strowger.host.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.anthropic.client.AnthropicClient;
import com.anthropic.errors.AnthropicException;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.StopReason;
import com.anthropic.models.messages.ToolUseBlock;
import com.openai.client.OpenAIClient;
import com.openai.core.http.StreamResponse;
import com.openai.errors.OpenAIException;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionMessage;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseFunctionToolCall;
import com.openai.models.responses.ResponseStatus;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests reasoning, texts, parallel calls, refusals and failures over every upstream dialect. */
@DisplayName("A stream that the Java client libraries read")
class AccumulatorsTest {
  private static final String MODELS = "io.strowger.host.client.LoopbackGateway#everyModel";
  private static final String REFUSAL_TEXT = "I would rather not.";

  private static final Script EVERYTHING =
      Script.builder()
          .reasoning("I wonder.")
          .text("Let me see.")
          .toolCall("call_1", "weather", "{\"city\":\"Bern\"}")
          .toolCall("call_2", "weather", "{\"city\":\"Basel\"}")
          .build();

  private static final Script REFUSAL = Script.builder().refusal(REFUSAL_TEXT).build();

  private static final Script BROKEN =
      Script.builder().text("one two three four").fault(new ScriptedFault.Cut(2)).build();

  private LoopbackGateway gateway;
  private OpenAIClient openai;
  private AnthropicClient anthropic;

  @BeforeEach
  void start() throws IOException {
    gateway = new LoopbackGateway();
    openai = ResponsesClients.client(gateway, LoopbackGateway.KEY);
    anthropic = MessagesClients.client(gateway, LoopbackGateway.KEY);
  }

  @AfterEach
  void stop() {
    openai.close();
    anthropic.close();
    gateway.close();
  }

  private ChatCompletion chat(String model) {
    var request = ChatCompletionCreateParams.builder().model(model).addUserMessage("Hello?");
    ChatCompletionAccumulator pieces = ChatCompletionAccumulator.create();
    try (StreamResponse<ChatCompletionChunk> stream =
        openai.chat().completions().createStreaming(request.build())) {
      stream.stream().forEach(pieces::accumulate);
    }
    return pieces.chatCompletion();
  }

  private Message message(String model) {
    return MessagesClients.streamed(anthropic, MessagesClients.hello(model).build());
  }

  private Response response(String model) {
    return ResponsesClients.streamed(openai, ResponsesClients.hello(model).build());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("contains the reasoning, the text and both calls")
  void everything(String model) {
    gateway
        .upstream()
        .answerNextWith(EVERYTHING)
        .answerNextWith(EVERYTHING)
        .answerNextWith(EVERYTHING);
    ChatCompletionMessage chat = chat(model).choices().getFirst().message();
    assertThat(chat.content()).contains("Let me see.");
    assertThat(chat.toolCalls().orElseThrow())
        .extracting(call -> call.asFunction().id())
        .containsExactly("call_1", "call_2");

    Message message = message(model);
    assertThat(message.content().getFirst().asThinking().thinking()).isEqualTo("I wonder.");
    assertThat(MessagesClients.text(message)).isEqualTo("Let me see.");
    assertThat(MessagesClients.calls(message))
        .extracting(ToolUseBlock::id)
        .containsExactly("call_1", "call_2");

    Response response = response(model);
    var thought = ResponsesClients.thoughts(response).getFirst();
    String reasoning =
        Stream.concat(
                thought.summary().stream().map(part -> part.text()),
                thought.content().stream().flatMap(List::stream).map(part -> part.text()))
            .reduce("", String::concat);
    assertThat(reasoning).isEqualTo("I wonder.");
    assertThat(ResponsesClients.text(response)).isEqualTo("Let me see.");
    assertThat(ResponsesClients.calls(response))
        .extracting(ResponseFunctionToolCall::callId)
        .containsExactly("call_1", "call_2");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("contains a refusal, with its text if the upstream's dialect has one")
  void refusal(String model) {
    gateway.upstream().answerNextWith(REFUSAL).answerNextWith(REFUSAL).answerNextWith(REFUSAL);
    boolean withoutText = model.equals(LoopbackGateway.OVER_GEMINI);
    ChatCompletion.Choice chat = chat(model).choices().getFirst();
    assertThat(chat.message().refusal().orElse("")).isEqualTo(withoutText ? "" : REFUSAL_TEXT);
    assertThat(chat.finishReason())
        .isEqualTo(
            withoutText
                ? ChatCompletion.Choice.FinishReason.CONTENT_FILTER
                : ChatCompletion.Choice.FinishReason.STOP);

    Message message = message(model);
    assertThat(message.stopReason()).contains(StopReason.REFUSAL);
    assertThat(message.content()).isEmpty();

    Response response = response(model);
    assertThat(response.status())
        .contains(withoutText ? ResponseStatus.INCOMPLETE : ResponseStatus.COMPLETED);
    assertThat(
            response.output().stream()
                .flatMap(item -> item.message().stream())
                .flatMap(item -> item.content().stream())
                .map(part -> part.asRefusal().refusal()))
        .isEqualTo(withoutText ? List.of() : List.of(REFUSAL_TEXT));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("fails if the upstream breaks off")
  void broken(String model) {
    gateway.upstream().answerNextWith(BROKEN).answerNextWith(BROKEN).answerNextWith(BROKEN);
    assertThatThrownBy(() -> chat(model)).isInstanceOf(OpenAIException.class);
    assertThatThrownBy(() -> message(model)).isInstanceOf(AnthropicException.class);
    assertThat(response(model).status()).contains(ResponseStatus.FAILED);
  }
}
