package io.strowger.host.client;

import static io.strowger.host.client.LoopbackGateway.OVER_RESPONSES;
import static org.assertj.core.api.Assertions.assertThat;

import com.openai.client.OpenAIClient;
import com.openai.core.http.StreamResponse;
import com.openai.models.Reasoning;
import com.openai.models.ReasoningEffort;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseInputItem;
import com.openai.models.responses.ResponseReasoningItem;
import com.openai.models.responses.ResponseStatus;
import com.openai.models.responses.ResponseStreamEvent;
import com.openai.models.responses.ResponseUsage;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.spi.observe.CallRecord;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The client library of the responses format")
class ResponsesClientTest {
  private static final String MODELS = "io.strowger.host.client.LoopbackGateway#models";

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

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("reads an answer, its model, its status and its usage")
  void answer(String model) {
    gateway.upstream().answerNextWith(answerWithUsage());
    assertAnswerWithUsage(model, client.responses().create(ResponsesClients.hello(model).build()));
    assertThat(gateway.upstream().last().text()).doesNotContain(LoopbackGateway.KEY);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("assembles a stream to the same answer")
  void stream(String model) {
    gateway.upstream().answerNextWith(answerWithUsage());
    assertAnswerWithUsage(
        model, ResponsesClients.streamed(client, ResponsesClients.hello(model).build()));
    assertThat(gateway.lastRequest().at("/stream").asBoolean()).isTrue();
  }

  private static Script answerWithUsage() {
    return Script.builder()
        .text("Hello from upstream")
        .reasoning("Politely.")
        .tokens(100, 8)
        .tokenDetails(60, 3)
        .build();
  }

  private static void assertAnswerWithUsage(String model, Response answer) {
    assertThat(answer.model().asString()).isEqualTo(model);
    assertThat(ResponsesClients.text(answer)).isEqualTo("Hello from upstream");
    assertThat(answer.status()).contains(ResponseStatus.COMPLETED);
    ResponseUsage usage = answer.usage().orElseThrow();
    assertThat(usage.inputTokens()).isEqualTo(100);
    assertThat(usage.inputTokensDetails().cachedTokens()).isEqualTo(60);
    assertThat(usage.outputTokens()).isEqualTo(8);
    assertThat(usage.outputTokensDetails().reasoningTokens()).isEqualTo(3);
    assertThat(usage.totalTokens()).isEqualTo(108);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("reads events of a stream that are numbered without a gap")
  void sequence(String model) {
    gateway.upstream().answerNextWith(Script.answer("Hello from upstream"));
    try (StreamResponse<ResponseStreamEvent> stream =
        client.responses().createStreaming(ResponsesClients.hello(model).build())) {
      List<ResponseStreamEvent> events = stream.stream().toList();
      assertThat(events.getFirst().isCreated()).isTrue();
      assertThat(events.getFirst().asCreated().sequenceNumber()).isZero();
      assertThat(events.getLast().isCompleted()).isTrue();
      assertThat(events.getLast().asCompleted().sequenceNumber()).isEqualTo(events.size() - 1);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("reads that an answer was cut off at its maximum length")
  void length(String model) {
    Script cut = Script.builder().text("Hello fr").finishReason("length").build();
    gateway.upstream().answerNextWith(cut).answerNextWith(cut);
    var request = ResponsesClients.hello(model).build();
    Stream.of(client.responses().create(request), ResponsesClients.streamed(client, request))
        .forEach(
            answer -> {
              assertThat(answer.status()).contains(ResponseStatus.INCOMPLETE);
              assertThat(answer.incompleteDetails().orElseThrow().reason())
                  .contains(Response.IncompleteDetails.Reason.MAX_OUTPUT_TOKENS);
            });
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("reads reasoning as items before the text, whole and streamed")
  void thoughts(String model) {
    Script thinking = Script.builder().reasoning("Let me see.").text("Four.").build();
    gateway.upstream().answerNextWith(thinking).answerNextWith(thinking);
    var request = thinking(model).build();
    Stream.of(client.responses().create(request), ResponsesClients.streamed(client, request))
        .forEach(
            answer -> {
              assertThat(answer.output().getFirst().isReasoning()).isTrue();
              assertThat(reasoningText(answer.output().getFirst().asReasoning()))
                  .isEqualTo("Let me see.");
              assertThat(ResponsesClients.text(answer)).isEqualTo("Four.");
            });
  }

  private static ResponseCreateParams.Builder thinking(String model) {
    return ResponsesClients.hello(model)
        .reasoning(Reasoning.builder().effort(ReasoningEffort.LOW).build());
  }

  /** Returns the text of reasoning, which some dialects give in full and others as a summary. */
  private static String reasoningText(ResponseReasoningItem thought) {
    var text = new StringBuilder();
    thought.summary().forEach(part -> text.append(part.text()));
    thought.content().stream().flatMap(List::stream).forEach(part -> text.append(part.text()));
    return text.toString();
  }

  @Test
  @DisplayName(
      "sends encrypted reasoning back, which reaches the upstream that encrypted it unchanged")
  void encrypted() {
    Script thinking = Script.builder().reasoning("Let me see.").text("Four.").build();
    gateway.upstream().answerNextWith(thinking).answerNextWith(Script.answer("Six."));
    Response first = ResponsesClients.streamed(client, thinking(OVER_RESPONSES).build());
    ResponseReasoningItem thought = ResponsesClients.thoughts(first).getFirst();
    assertThat(thought.encryptedContent()).isPresent();
    client
        .responses()
        .create(
            ResponsesClients.request(OVER_RESPONSES)
                .inputOfResponse(
                    List.of(
                        ResponsesClients.user("What is two and two?"),
                        ResponseInputItem.ofReasoning(thought),
                        ResponseInputItem.ofResponseOutputMessage(
                            first.output().getLast().asMessage()),
                        ResponsesClients.user("And two more?")))
                .build());
    assertThat(gateway.lastRequest().at("/input/1/type").asText()).isEqualTo("reasoning");
    assertThat(gateway.lastRequest().at("/input/1/encrypted_content").asText())
        .isEqualTo(thought.encryptedContent().orElseThrow());
    assertThat(gateway.lastRequest().at("/input/2/content/0/text").asText()).isEqualTo("Four.");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("ends the upstream's work when it closes a stream early, and pays for what it got")
  void cancel(String model) throws InterruptedException {
    gateway
        .upstream()
        .answerNextWith(
            Script.builder().text("one two three four").fault(new ScriptedFault.Stall(2)).build());
    try (StreamResponse<ResponseStreamEvent> stream =
        client.responses().createStreaming(ResponsesClients.hello(model).build())) {
      assertThat(stream.stream().filter(ResponseStreamEvent::isOutputTextDelta).findFirst())
          .isPresent();
    }
    assertThat(gateway.upstream().awaitClientGone(LoopbackGateway.TIMEOUT)).isTrue();
    CallRecord record = gateway.record();
    assertThat(record.outcome()).isEqualTo(CallRecord.Outcome.CANCELLED);
    assertThat(record.cost().nanos()).isPositive();
  }
}
