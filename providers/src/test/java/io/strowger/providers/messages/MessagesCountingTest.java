package io.strowger.providers.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.providers.gemini.GeminiFactory;
import io.strowger.providers.responses.OpenAiResponsesFactory;
import io.strowger.simulated.ReceivedRequest;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.UpstreamException;
import io.strowger.tck.TestAmbient;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Counting the tokens of a prompt")
@Timeout(60)
class MessagesCountingTest {
  private static final String REQUEST =
      """
      {'model':'m','max_tokens':2000,'stream':true,'temperature':0.5,'top_p':0.9,'top_k':3,
       'stop_sequences':['x'],'metadata':{'user_id':'u'},'service_tier':'auto',
       'system':'Be brief.','messages':[{'role':'user','content':'hi'}],
       'tools':[{'name':'f','input_schema':{'type':'object'}}],'tool_choice':{'type':'auto'},
       'thinking':{'type':'enabled','budget_tokens':1024}}\
      """;

  private final TestAmbient ambient = TestAmbient.realTime();
  private final SimulatedUpstream upstream = SimulatedUpstream.start(ambient);
  private final AnthropicMessagesFactory factory = new AnthropicMessagesFactory();
  private final ChatProvider provider = provider(factory);

  @AfterEach
  void close() {
    provider.close();
    factory.close();
    upstream.close();
    ambient.assertNoThreadsLeft();
  }

  private ChatProvider provider(ProviderFactory from) {
    return from.create(
        new ProviderSettings(
            "alpha",
            upstream.baseUri(),
            Map.of("X-Tenant", "t1"),
            Duration.ofSeconds(5),
            MessagesTestRequest.CODEC,
            ambient));
  }

  private static Call call(MessagesTestRequest request, Cancellation until) {
    Call call = request.call();
    return new Call(
        call.endpoint(),
        new Credential("sk-upstream"),
        call.request(),
        0,
        null,
        call.readTimeout(),
        call.reasoning(),
        loss -> {},
        until);
  }

  private static Call call(MessagesTestRequest request) {
    return call(request, new Cancellation());
  }

  private static Script answering(String document) {
    return Script.responding(200, Map.of(), document);
  }

  @Test
  @DisplayName("sends the prompt as for an answer, without parameters of the answer")
  void messages() throws UpstreamException {
    upstream.answerNextWith(Script.builder().tokens(42, 1).build());
    assertThat(
            provider.countTokens(call(MessagesTestRequest.messagesBody(REQUEST).features("f-1"))))
        .isEqualTo(OptionalLong.of(42));
    ReceivedRequest sent = upstream.last();
    assertThat(sent.method()).isEqualTo("POST");
    assertThat(sent.path()).isEqualTo("/v1/messages/count_tokens");
    assertThat(sent.header("x-api-key")).isEqualTo("sk-upstream");
    assertThat(sent.header("anthropic-version")).isEqualTo("2023-06-01");
    assertThat(sent.header("anthropic-beta")).isEqualTo("f-1");
    assertThat(sent.header("X-Tenant")).isEqualTo("t1");
    assertThat(sent.header("Accept")).isEqualTo("application/json");
    assertThat(sent.text().replace('"', '\''))
        .isEqualTo(
            "{'model':'their-name','system':'Be brief.',"
                + "'messages':[{'role':'user','content':'hi'}],"
                + "'tools':[{'name':'f','input_schema':{'type':'object'}}],"
                + "'tool_choice':{'type':'auto'},"
                + "'thinking':{'type':'enabled','budget_tokens':1024}}");
  }

  @Test
  @DisplayName("translates a prompt of another dialect")
  void translated() throws UpstreamException {
    upstream.answerNextWith(Script.builder().tokens(7, 1).build());
    assertThat(
            provider.countTokens(
                call(MessagesTestRequest.chat(MessagesTestRequest.HI, "'temperature':1"))))
        .isEqualTo(OptionalLong.of(7));
    assertThat(upstream.last().text())
        .contains("\"their-name\"", "\"hi\"")
        .doesNotContain("max_tokens", "temperature", "stream");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[42]",
        "{\"input_tokens\":\"42\"}",
        "{\"input_tokens\":4.5}",
        "{\"input_tokens\":1e40}",
        "{\"input_tokens\":null}",
        "{\"input_tokens\":42",
        "",
        "<html>"
      })
  @DisplayName("fails when the answer is no count")
  void garbage(String document) {
    upstream.answerNextWith(answering(document));
    assertThatThrownBy(
            () -> provider.countTokens(call(MessagesTestRequest.messages(MessagesTestRequest.HI))))
        .isInstanceOfSatisfying(
            UpstreamException.class,
            failed -> assertThat(failed.failure().kind()).isEqualTo(FailureKind.PROTOCOL));
  }

  @Test
  @DisplayName("fails when it is refused, also with status 200, or when the answer breaks off")
  void refused() {
    String error = "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}";
    for (Script script :
        new Script[] {
          Script.status(500),
          Script.status(404),
          answering(error),
          Script.failing(new ScriptedFault.Cut(ScriptedFault.AFTER_HEAD))
        }) {
      upstream.answerNextWith(script);
      assertThatThrownBy(
              () ->
                  provider.countTokens(call(MessagesTestRequest.messages(MessagesTestRequest.HI))))
          .isInstanceOf(UpstreamException.class);
    }
  }

  @Test
  @DisplayName("ends at once when it is cancelled")
  void cancelled() throws InterruptedException {
    var until = new Cancellation();
    upstream.answerNextWith(Script.failing(new ScriptedFault.Stall(ScriptedFault.BEFORE_HEAD)));
    Thread canceller =
        ambient.start(
            "canceller",
            () -> {
              try {
                assertThat(upstream.awaitRequests(1, Duration.ofSeconds(20))).isTrue();
              } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
              }
              until.cancel(Cancellation.Cause.FIRST_CONTENT);
            });
    assertThatThrownBy(
            () ->
                provider.countTokens(
                    call(MessagesTestRequest.messages(MessagesTestRequest.HI), until)))
        .isInstanceOfSatisfying(
            UpstreamException.class,
            failed -> assertThat(failed.failure().kind()).isEqualTo(FailureKind.TIMEOUT));
    canceller.join();
  }

  @Test
  @DisplayName("sends the input to the input_tokens path of a responses upstream")
  void responses() throws UpstreamException {
    var responses = new OpenAiResponsesFactory();
    try (ChatProvider other = provider(responses)) {
      upstream.answerNextWith(Script.builder().tokens(9, 1).build());
      assertThat(other.countTokens(call(MessagesTestRequest.messagesBody(REQUEST))))
          .isEqualTo(OptionalLong.of(9));
      assertThat(upstream.last().path()).isEqualTo("/v1/responses/input_tokens");
      assertThat(upstream.last().header("Authorization")).isEqualTo("Bearer sk-upstream");
      assertThat(upstream.last().text())
          .contains("\"model\":\"their-name\"", "\"input\":", "Be brief.", "\"tools\":")
          .doesNotContain("max_output_tokens", "temperature", "\"stream\"", "\"store\"");
      upstream.answerNextWith(
          answering("{\"object\":\"response.input_tokens\",\"input_tokens\":11}"));
      assertThat(other.countTokens(call(MessagesTestRequest.chat(MessagesTestRequest.HI))))
          .isEqualTo(OptionalLong.of(11));
    } finally {
      responses.close();
    }
  }

  @Test
  @DisplayName("sends the generation request to the countTokens path of a gemini upstream")
  void gemini() throws UpstreamException {
    var gemini = new GeminiFactory();
    try (ChatProvider other = provider(gemini)) {
      upstream.answerNextWith(Script.builder().tokens(9, 1).build());
      assertThat(other.countTokens(call(MessagesTestRequest.messagesBody(REQUEST))))
          .isEqualTo(OptionalLong.of(9));
      assertThat(upstream.last().path()).isEqualTo("/v1/models/their-name:countTokens");
      assertThat(upstream.last().header("x-goog-api-key")).isEqualTo("sk-upstream");
      Json.Obj sent = Objects.requireNonNull(sent().object("generateContentRequest"));
      assertThat(sent.text("model")).isEqualTo("models/their-name");
      assertThat(sent.has("contents")).isTrue();
      assertThat(sent.has("systemInstruction")).isTrue();
      upstream.answerNextWith(answering("{\"totalTokens\":31,\"promptTokensDetails\":[]}"));
      assertThat(other.countTokens(call(MessagesTestRequest.chat(MessagesTestRequest.HI))))
          .isEqualTo(OptionalLong.of(31));
      upstream.answerNextWith(answering("{\"totalTokens\":\"31\"}"));
      assertThatThrownBy(
              () -> other.countTokens(call(MessagesTestRequest.chat(MessagesTestRequest.HI))))
          .isInstanceOf(UpstreamException.class);
    } finally {
      gemini.close();
    }
  }

  private Json.Obj sent() {
    return MessagesTestRequest.parsed(upstream.last().text());
  }

  @Test
  @DisplayName("gives no count for a chat upstream, without a request")
  void chat() throws UpstreamException {
    var chat = new OpenAiChatFactory();
    try (ChatProvider other = provider(chat)) {
      assertThat(other.countTokens(call(MessagesTestRequest.chat(MessagesTestRequest.HI))))
          .isEmpty();
      assertThat(upstream.requests()).isZero();
    } finally {
      chat.close();
    }
  }
}
