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
  private static final String ASKED =
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
            Asked.CODEC,
            ambient));
  }

  private static Call call(Asked asked, Cancellation until) {
    Call made = asked.call();
    return new Call(
        made.endpoint(),
        new Credential("sk-their"),
        made.request(),
        0,
        null,
        made.readTimeout(),
        made.reasoning(),
        loss -> {},
        until);
  }

  private static Call call(Asked asked) {
    return call(asked, new Cancellation());
  }

  private static Script saying(String document) {
    return Script.failing(new ScriptedFault.Refuse(200, Map.of(), document));
  }

  @Test
  @DisplayName("sends the prompt as it would be answered, and nothing about the answer")
  void own() throws UpstreamException {
    upstream.answerNextWith(Script.builder().tokens(42, 1).build());
    assertThat(provider.countTokens(call(Asked.messagesBody(ASKED).features("f-1"))))
        .isEqualTo(OptionalLong.of(42));
    ReceivedRequest sent = upstream.last();
    assertThat(sent.method()).isEqualTo("POST");
    assertThat(sent.path()).isEqualTo("/v1/messages/count_tokens");
    assertThat(sent.header("x-api-key")).isEqualTo("sk-their");
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
  @DisplayName("sends a prompt of another dialect translated")
  void translated() throws UpstreamException {
    upstream.answerNextWith(Script.builder().tokens(7, 1).build());
    assertThat(provider.countTokens(call(Asked.chat(Asked.HI, "'temperature':1"))))
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
  @DisplayName("fails when what comes is no count")
  void garbage(String document) {
    upstream.answerNextWith(saying(document));
    assertThatThrownBy(() -> provider.countTokens(call(Asked.messages(Asked.HI))))
        .isInstanceOfSatisfying(
            UpstreamException.class,
            failed -> assertThat(failed.failure().kind()).isEqualTo(FailureKind.PROTOCOL));
  }

  @Test
  @DisplayName("fails when it is refused, also with status 200, or cut off")
  void refused() {
    String error = "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}";
    for (Script script :
        new Script[] {
          Script.status(500),
          Script.status(404),
          saying(error),
          Script.failing(new ScriptedFault.Cut(ScriptedFault.AFTER_HEAD))
        }) {
      upstream.answerNextWith(script);
      assertThatThrownBy(() -> provider.countTokens(call(Asked.messages(Asked.HI))))
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
              } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
              }
              until.cancel(Cancellation.Cause.FIRST_CONTENT);
            });
    assertThatThrownBy(() -> provider.countTokens(call(Asked.messages(Asked.HI), until)))
        .isInstanceOfSatisfying(
            UpstreamException.class,
            failed -> assertThat(failed.failure().kind()).isEqualTo(FailureKind.TIMEOUT));
    canceller.join();
  }

  @Test
  @DisplayName("asks a responses upstream for the tokens of the input")
  void responses() throws UpstreamException {
    var responses = new OpenAiResponsesFactory();
    try (ChatProvider other = provider(responses)) {
      upstream.answerNextWith(Script.builder().tokens(9, 1).build());
      assertThat(other.countTokens(call(Asked.messagesBody(ASKED)))).isEqualTo(OptionalLong.of(9));
      assertThat(upstream.last().path()).isEqualTo("/v1/responses/input_tokens");
      assertThat(upstream.last().header("Authorization")).isEqualTo("Bearer sk-their");
      assertThat(upstream.last().text())
          .contains("\"model\":\"their-name\"", "\"input\":", "Be brief.", "\"tools\":")
          .doesNotContain("max_output_tokens", "temperature", "\"stream\"", "\"store\"");
      upstream.answerNextWith(saying("{\"object\":\"response.input_tokens\",\"input_tokens\":11}"));
      assertThat(other.countTokens(call(Asked.chat(Asked.HI)))).isEqualTo(OptionalLong.of(11));
    } finally {
      responses.close();
    }
  }

  @Test
  @DisplayName("asks a gemini upstream for the tokens of the request it would be sent")
  void gemini() throws UpstreamException {
    var gemini = new GeminiFactory();
    try (ChatProvider other = provider(gemini)) {
      upstream.answerNextWith(Script.builder().tokens(9, 1).build());
      assertThat(other.countTokens(call(Asked.messagesBody(ASKED)))).isEqualTo(OptionalLong.of(9));
      assertThat(upstream.last().path()).isEqualTo("/v1/models/their-name:countTokens");
      assertThat(upstream.last().header("x-goog-api-key")).isEqualTo("sk-their");
      Json.Obj asked = Objects.requireNonNull(sent().object("generateContentRequest"));
      assertThat(asked.text("model")).isEqualTo("models/their-name");
      assertThat(asked.has("contents")).isTrue();
      assertThat(asked.has("systemInstruction")).isTrue();
      upstream.answerNextWith(saying("{\"totalTokens\":31,\"promptTokensDetails\":[]}"));
      assertThat(other.countTokens(call(Asked.chat(Asked.HI)))).isEqualTo(OptionalLong.of(31));
      upstream.answerNextWith(saying("{\"totalTokens\":\"31\"}"));
      assertThatThrownBy(() -> other.countTokens(call(Asked.chat(Asked.HI))))
          .isInstanceOf(UpstreamException.class);
    } finally {
      gemini.close();
    }
  }

  private Json.Obj sent() {
    return Asked.parsed(upstream.last().text());
  }

  @Test
  @DisplayName("is nothing the chat dialect can do: nobody is asked")
  void chat() throws UpstreamException {
    var chat = new OpenAiChatFactory();
    try (ChatProvider other = provider(chat)) {
      assertThat(other.countTokens(call(Asked.chat(Asked.HI)))).isEmpty();
      assertThat(upstream.requests()).isZero();
    } finally {
      chat.close();
    }
  }
}
