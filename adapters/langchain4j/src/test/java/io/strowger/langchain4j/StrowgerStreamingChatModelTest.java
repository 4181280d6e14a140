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
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final LoopbackGateway gateway = new LoopbackGateway();
  private final StreamingChatModel model =
      StrowgerStreamingChatModel.builder(gateway.client()).modelName("acme/large").build();

  @AfterEach
  void close() {
    gateway.close();
  }

  /** Records the events that it receives. */
  private static class RecordingHandler implements StreamingChatResponseHandler {
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
      return end.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }

    Throwable failure() throws Exception {
      try {
        throw new AssertionError("an answer was received: " + response());
      } catch (ExecutionException failed) {
        return Objects.requireNonNull(failed.getCause());
      }
    }
  }

  private RecordingHandler ask() {
    var handler = new RecordingHandler();
    model.chat("Hi", handler);
    return handler;
  }

  @Test
  @DisplayName(
      "reports the text and the reasoning piece by piece, and the complete answer at the end")
  void pieces() throws Exception {
    gateway
        .upstream()
        .answerNextWith(
            Script.builder().reasoning("hm").text("One two").chunks(2).tokens(10, 4).build());
    RecordingHandler handler = ask();
    ChatResponse response = handler.response();
    assertThat(response.aiMessage().text()).isEqualTo("One two");
    assertThat(response.aiMessage().thinking()).isEqualTo("hm");
    assertThat(response.finishReason()).isEqualTo(FinishReason.STOP);
    assertThat(response.tokenUsage().totalTokenCount()).isEqualTo(14);
    assertThat(((StrowgerChatResponseMetadata) response.metadata()).cost())
        .hasToString("$0.000018");
    assertThat(handler.events).first().isEqualTo("thought hm");
    assertThat(handler.events).last().isEqualTo("end");
    assertThat(handler.events.stream().filter(e -> e.startsWith("text ")).map(e -> e.substring(5)))
        .hasSize(2);
    assertThat(gateway.lastRequest()).contains("\"stream\":true");
  }

  @Test
  @DisplayName("reports tool calls in pieces, and each again once it is complete")
  void toolCalls() throws Exception {
    gateway
        .upstream()
        .answerNextWith(
            Script.builder()
                .text("")
                .toolCall("call_1", "look", "{\"at\":1}")
                .toolCall("call_2", "now", "{}")
                .build());
    RecordingHandler handler = ask();
    ChatResponse response = handler.response();
    assertThat(response.finishReason()).isEqualTo(FinishReason.TOOL_EXECUTION);
    assertThat(response.aiMessage().toolExecutionRequests()).hasSize(2);
    assertThat(handler.events)
        .contains("piece 0 call_1 look", "piece 1 call_2 now")
        .containsSubsequence("call 0 {\"at\":1}", "piece 1 call_2 now", "call 1 {}", "end");
  }

  @Test
  @DisplayName("ends the upstream's answer when it is cancelled, and reports nothing more")
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
    var handler =
        new RecordingHandler() {
          @Override
          public void onPartialResponse(PartialResponse piece, PartialResponseContext context) {
            super.onPartialResponse(piece.text());
            context.streamingHandle().cancel();
            cancelled.complete(context.streamingHandle().isCancelled());
          }
        };
    model.chat("Hi", handler);
    assertThat(cancelled.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(gateway.upstream().awaitClientGone(TIMEOUT)).isTrue();
    gateway.close();
    assertThat(handler.events).hasSize(1);
  }

  @Test
  @DisplayName("reports an error before the first piece, with the gateway's exception as its cause")
  void refused() throws Exception {
    gateway.upstream().answerNextWith(Script.status(429));
    RecordingHandler handler = ask();
    assertThat(handler.failure())
        .isInstanceOf(RateLimitException.class)
        .hasCauseInstanceOf(GatewayException.class);
    assertThat(handler.events).containsExactly("error");
  }

  @Test
  @DisplayName("reports an error after the pieces before it")
  void brokenOff() throws Exception {
    gateway
        .upstream()
        .answerNextWith(
            Script.builder()
                .text("One two")
                .chunks(2)
                .fault(new ScriptedFault.ErrorFrame(2, "{\"error\":{\"message\":\"broken\"}}"))
                .build());
    RecordingHandler handler = ask();
    assertThat(handler.failure()).isInstanceOf(InternalServerException.class);
    assertThat(handler.events).last().isEqualTo("error");
    assertThat(handler.events).first().asString().startsWith("text ");
  }

  @Test
  @DisplayName("reports an unstreamed answer in the same way as a streamed one")
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
      var handler = new RecordingHandler();
      StrowgerStreamingChatModel.builder(scripted.chat("sk-app"))
          .modelName("acme/large")
          .build()
          .chat("Hi", handler);
      assertThat(handler.response().aiMessage().toolExecutionRequests()).hasSize(2);
      assertThat(handler.events)
          .containsExactly("thought hm", "text Let me see.", "call 0 {}", "call 1 {}", "end");
    }
    ambient.assertNoThreadsLeft();
  }

  @Test
  @DisplayName("reports to a handler what the handler has thrown, and continues")
  void handlerThrows() throws Exception {
    gateway.upstream().answerNextWith(Script.builder().text("One two").chunks(2).build());
    var handler =
        new RecordingHandler() {
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
    model.chat("Hi", handler);
    assertThat(handler.response().aiMessage().text()).isEqualTo("One two");
    assertThat(handler.events).contains("it threw").last().isEqualTo("end");
  }

  @Test
  @DisplayName("refuses at once a message that cannot be expressed")
  void inexpressible() {
    assertThatThrownBy(
            () -> model.chat(List.of(CustomMessage.from(Map.of("a", 1))), new RecordingHandler()))
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
    ChatResponse response = end.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    assertThat(response.aiMessage().text()).isEqualTo("It is noon.");
    assertThat(response.metadata()).isInstanceOf(StrowgerChatResponseMetadata.class);
    assertThat(String.join("", pieces)).isEqualTo("It is noon.");
    assertThat(gateway.lastRequest())
        .contains("{\"role\":\"tool\",\"tool_call_id\":\"call_1\",\"content\":\"noon\"}");
  }
}
