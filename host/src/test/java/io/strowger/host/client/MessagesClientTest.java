package io.strowger.host.client;

import static io.strowger.host.client.LoopbackGateway.OVER_MESSAGES;
import static org.assertj.core.api.Assertions.assertThat;

import com.anthropic.client.AnthropicClient;
import com.anthropic.core.http.StreamResponse;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.RawMessageStreamEvent;
import com.anthropic.models.messages.StopReason;
import com.anthropic.models.messages.ThinkingBlock;
import com.fasterxml.jackson.databind.JsonNode;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.spi.observe.CallRecord;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The client library of the messages format")
class MessagesClientTest {
  private static final String MODELS = "io.strowger.host.client.LoopbackGateway#models";

  private LoopbackGateway gateway;
  private AnthropicClient client;

  @BeforeEach
  void start() throws IOException {
    gateway = new LoopbackGateway();
    client = MessagesClients.client(gateway, LoopbackGateway.KEY);
  }

  @AfterEach
  void stop() {
    client.close();
    gateway.close();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("reads an answer, its model, its stop reason and its usage")
  void answer(String model) {
    gateway.upstream().answerNextWith(answerWithUsage());
    assertAnswerWithUsage(model, client.messages().create(MessagesClients.hello(model).build()));
    assertThat(gateway.upstream().last().text()).doesNotContain(LoopbackGateway.KEY);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("assembles a stream to the same answer")
  void stream(String model) {
    gateway.upstream().answerNextWith(answerWithUsage());
    assertAnswerWithUsage(
        model, MessagesClients.streamed(client, MessagesClients.hello(model).build()));
    assertThat(gateway.lastRequest().at("/stream").asBoolean()).isTrue();
  }

  private static Script answerWithUsage() {
    return Script.builder().text("Hello from upstream").tokens(100, 8).tokenDetails(60, 0).build();
  }

  private static void assertAnswerWithUsage(String model, Message answer) {
    assertThat(answer.model().asString()).isEqualTo(model);
    assertThat(MessagesClients.text(answer)).isEqualTo("Hello from upstream");
    assertThat(answer.stopReason()).contains(StopReason.END_TURN);
    assertThat(answer.usage().inputTokens()).isEqualTo(40);
    assertThat(answer.usage().cacheReadInputTokens()).contains(60L);
    assertThat(answer.usage().outputTokens()).isEqualTo(8);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("reads that an answer was cut off at its maximum length")
  void length(String model) {
    Script cut = Script.builder().text("Hello fr").finishReason("length").build();
    gateway.upstream().answerNextWith(cut).answerNextWith(cut);
    var request = MessagesClients.hello(model).build();
    assertThat(client.messages().create(request).stopReason()).contains(StopReason.MAX_TOKENS);
    assertThat(MessagesClients.streamed(client, request).stopReason())
        .contains(StopReason.MAX_TOKENS);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("reads reasoning before the text, whole and streamed")
  void thoughts(String model) {
    Script thinking = Script.builder().reasoning("Let me see.").text("Four.").build();
    gateway.upstream().answerNextWith(thinking).answerNextWith(thinking);
    var request = MessagesClients.hello(model).enabledThinking(1024).build();
    assertThoughts(client.messages().create(request));
    assertThoughts(MessagesClients.streamed(client, request));
  }

  private static void assertThoughts(Message answer) {
    ThinkingBlock thought = answer.content().getFirst().asThinking();
    assertThat(thought.thinking()).isEqualTo("Let me see.");
    assertThat(answer.content().getLast().asText().text()).isEqualTo("Four.");
  }

  @Test
  @DisplayName("sends signed reasoning back, which reaches the upstream that signed it unchanged")
  void signed() {
    Script thinking = Script.builder().reasoning("Let me see.").text("Four.").build();
    gateway.upstream().answerNextWith(thinking).answerNextWith(Script.answer("Six."));
    var request = MessagesClients.hello(OVER_MESSAGES).enabledThinking(1024);
    Message first = MessagesClients.streamed(client, request.build());
    String signature = first.content().getFirst().asThinking().signature();
    assertThat(signature).isNotEmpty();
    client.messages().create(request.addMessage(first).addUserMessage("And two more?").build());
    JsonNode sent = gateway.lastRequest();
    assertThat(sent.at("/messages/1/content/0/type").asText()).isEqualTo("thinking");
    assertThat(sent.at("/messages/1/content/0/signature").asText()).isEqualTo(signature);
    assertThat(sent.at("/messages/1/content/0/thinking").asText()).isEqualTo("Let me see.");
    assertThat(sent.at("/thinking/budget_tokens").asInt()).isEqualTo(1024);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("ends the upstream's work when it closes a stream early, and pays for what it got")
  void cancel(String model) throws InterruptedException {
    gateway
        .upstream()
        .answerNextWith(
            Script.builder().text("one two three four").fault(new ScriptedFault.Stall(2)).build());
    try (StreamResponse<RawMessageStreamEvent> stream =
        client.messages().createStreaming(MessagesClients.hello(model).build())) {
      assertThat(stream.stream().filter(RawMessageStreamEvent::isContentBlockDelta).findFirst())
          .isPresent();
    }
    assertThat(gateway.upstream().awaitClientGone(LoopbackGateway.TIMEOUT)).isTrue();
    CallRecord record = gateway.record();
    assertThat(record.outcome()).isEqualTo(CallRecord.Outcome.CANCELLED);
    assertThat(record.cost().nanos()).isPositive();
  }
}
