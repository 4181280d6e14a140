package io.strowger.langchain4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.data.message.CustomMessage;
import dev.langchain4j.exception.InternalServerException;
import dev.langchain4j.exception.RateLimitException;
import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.TokenStream;
import io.strowger.core.Gateway;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.tck.ScriptedProvider;
import io.strowger.tck.Step;
import io.strowger.tck.TestAmbient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A streaming chat model of LangChain4j over a gateway")
class StrowgerStreamingChatModelTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final LoopbackGateway gateway = new LoopbackGateway();
  private final StreamingChatModel model =
      StrowgerStreamingChatModel.builder(gateway.client()).modelName("acme/large").build();

  @AfterEach
  void close() {
    gateway.close();
  }

  /** Writes down what it is told. */
  private static class Told implements StreamingChatResponseHandler {
    final List<String> events = new CopyOnWriteArrayList<>();
    final CompletableFuture<ChatResponse> end = new CompletableFuture<>();

    @Override
    public void onPartialResponse(String text) {
      events.add("text " + text);
    }

    @Override
    public void onPartialThinking(PartialThinking thought) {
      events.add("thought " + thought.text());
    }

    @Override
    public void onPartialToolCall(PartialToolCall call) {
      events.add("piece " + call.index() + " " + call.id() + " " + call.name());
    }

    @Override
    public void onCompleteToolCall(CompleteToolCall call) {
      events.add("call " + call.index() + " " + call.toolExecutionRequest().arguments());
    }

    @Override
    public void onCompleteResponse(ChatResponse response) {
      events.add("end");
      end.complete(response);
    }

    @Override
    public void onError(Throwable error) {
      events.add("error");
      end.completeExceptionally(error);
    }

    ChatResponse response() throws Exception {
      return end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    Throwable failure() throws Exception {
      try {
        throw new AssertionError("an answer came: " + response());
      } catch (ExecutionException failed) {
        return Objects.requireNonNull(failed.getCause());
      }
    }
  }

  private Told ask() {
    var told = new Told();
    model.chat("Hi", told);
    return told;
  }

  @Test
  @DisplayName("tells of the text and the reasoning piece by piece, and of the whole at the end")
  void pieces() throws Exception {
    gateway
        .upstream()
        .answerNextWith(
            Script.builder().reasoning("hm").text("One two").chunks(2).tokens(10, 4).build());
    Told told = ask();
    ChatResponse response = told.response();
    assertThat(response.aiMessage().text()).isEqualTo("One two");
    assertThat(response.aiMessage().thinking()).isEqualTo("hm");
    assertThat(response.finishReason()).isEqualTo(FinishReason.STOP);
    assertThat(response.tokenUsage().totalTokenCount()).isEqualTo(14);
    assertThat(((StrowgerChatResponseMetadata) response.metadata()).cost())
        .hasToString("$0.000018");
    assertThat(told.events).first().isEqualTo("thought hm");
    assertThat(told.events).last().isEqualTo("end");
    assertThat(told.events.stream().filter(e -> e.startsWith("text ")).map(e -> e.substring(5)))
        .hasSize(2);
    assertThat(gateway.asked()).contains("\"stream\":true");
  }

  @Test
  @DisplayName("tells of tool calls in pieces, and of each once it is complete")
  void toolCalls() throws Exception {
    gateway
        .upstream()
        .answerNextWith(
            Script.builder()
                .text("")
                .toolCall("call_1", "look", "{\"at\":1}")
                .toolCall("call_2", "now", "{}")
                .build());
    Told told = ask();
    ChatResponse response = told.response();
    assertThat(response.finishReason()).isEqualTo(FinishReason.TOOL_EXECUTION);
    assertThat(response.aiMessage().toolExecutionRequests()).hasSize(2);
    assertThat(told.events)
        .contains("piece 0 call_1 look", "piece 1 call_2 now")
        .containsSubsequence("call 0 {\"at\":1}", "piece 1 call_2 now", "call 1 {}", "end");
  }

  @Test
  @DisplayName("ends the upstream's answer when it is cancelled, and says nothing more")
  void cancelled() throws Exception {
    gateway
        .upstream()
        .answerNextWith(
            Script.builder()
                .text("One two three")
                .chunks(3)
                .fault(new ScriptedFault.Stall(2))
                .build());
    var cancelled = new CompletableFuture<Boolean>();
    var told =
        new Told() {
          @Override
          public void onPartialResponse(PartialResponse piece, PartialResponseContext context) {
            super.onPartialResponse(piece.text());
            context.streamingHandle().cancel();
            cancelled.complete(context.streamingHandle().isCancelled());
          }
        };
    model.chat("Hi", told);
    assertThat(cancelled.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(gateway.upstream().awaitClientGone(PATIENCE)).isTrue();
    gateway.close();
    assertThat(told.events).hasSize(1);
  }

  @Test
  @DisplayName("tells of an error before the first word, with the gateway's as its cause")
  void refused() throws Exception {
    gateway.upstream().answerNextWith(Script.status(429));
    Told told = ask();
    assertThat(told.failure())
        .isInstanceOf(RateLimitException.class)
        .hasCauseInstanceOf(GatewayException.class);
    assertThat(told.events).containsExactly("error");
  }

  @Test
  @DisplayName("tells of an error after what came before it")
  void brokenOff() throws Exception {
    gateway
        .upstream()
        .answerNextWith(
            Script.builder()
                .text("One two")
                .chunks(2)
                .fault(new ScriptedFault.ErrorFrame(2, "{\"error\":{\"message\":\"broken\"}}"))
                .build());
    Told told = ask();
    assertThat(told.failure()).isInstanceOf(InternalServerException.class);
    assertThat(told.events).last().isEqualTo("error");
    assertThat(told.events).first().asString().startsWith("text ");
  }

  @Test
  @DisplayName("tells of an answer that comes whole as of one in pieces")
  void whole() throws Exception {
    var ambient = TestAmbient.realTime();
    var provider = new ScriptedProvider(ambient);
    List<Part> parts =
        List.of(
            new Part.Thinking(Json.of("hm"), null, Json.Obj.EMPTY, null),
            new Part.Text("Let me see."),
            new Part.ToolCall("call_1", "look", Json.of("{}"), Json.Obj.EMPTY, null),
            new Part.ToolCall("call_2", "now", Json.of("{}"), Json.Obj.EMPTY, null));
    provider.streams(
        Step.emit(
            new Event.CompleteAnswer(
                new Answer(parts, StopReason.TOOL_CALLS, null, null, Dialect.CHAT, null))));
    try (Gateway scripted = LoopbackGateway.over(provider, ambient)) {
      var told = new Told();
      StrowgerStreamingChatModel.builder(scripted.chat("sk-app"))
          .modelName("acme/large")
          .build()
          .chat("Hi", told);
      assertThat(told.response().aiMessage().toolExecutionRequests()).hasSize(2);
      assertThat(told.events)
          .containsExactly("thought hm", "text Let me see.", "call 0 {}", "call 1 {}", "end");
    }
    ambient.assertNoThreadsLeft();
  }

  @Test
  @DisplayName("tells a handler of what it throws itself, and goes on")
  void handlerThrows() throws Exception {
    gateway.upstream().answerNextWith(Script.builder().text("One two").chunks(2).build());
    var told =
        new Told() {
          @Override
          public void onPartialResponse(String text) {
            super.onPartialResponse(text);
            throw new IllegalStateException("it threw");
          }

          @Override
          public void onError(Throwable error) {
            events.add(error.getMessage());
          }
        };
    model.chat("Hi", told);
    assertThat(told.response().aiMessage().text()).isEqualTo("One two");
    assertThat(told.events).contains("it threw").last().isEqualTo("end");
  }

  @Test
  @DisplayName("refuses at once what cannot be expressed")
  void inexpressible() {
    assertThatThrownBy(() -> model.chat(List.of(CustomMessage.from(Map.of("a", 1))), new Told()))
        .isInstanceOf(UnsupportedFeatureException.class);
  }

  interface Assistant {
    TokenStream chat(String question);
  }

  static final class Clock {
    @Tool("Tells the time")
    String now() {
      return "noon";
    }
  }

  @Test
  @DisplayName("serves a streaming AI service that runs a tool")
  void aiService() throws Exception {
    gateway
        .upstream()
        .answerNextWith(Script.builder().text("").toolCall("call_1", "now", "{}").build());
    gateway.upstream().answerNextWith(Script.answer("It is noon."));
    var end = new CompletableFuture<ChatResponse>();
    var pieces = new CopyOnWriteArrayList<String>();
    AiServices.builder(Assistant.class)
        .streamingChatModel(model)
        .tools(new Clock())
        .build()
        .chat("What time is it?")
        .onPartialResponse(pieces::add)
        .onCompleteResponse(end::complete)
        .onError(end::completeExceptionally)
        .start();
    ChatResponse response = end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(response.aiMessage().text()).isEqualTo("It is noon.");
    assertThat(response.metadata()).isInstanceOf(StrowgerChatResponseMetadata.class);
    assertThat(String.join("", pieces)).isEqualTo("It is noon.");
    assertThat(gateway.asked())
        .contains("{\"role\":\"tool\",\"tool_call_id\":\"call_1\",\"content\":\"noon\"}");
  }
}
