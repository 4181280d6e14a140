package io.strowger.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.strowger.core.client.AnswerType;
import io.strowger.core.client.ChatAnswer;
import io.strowger.core.client.ChatClient;
import io.strowger.core.client.ChatRequest;
import io.strowger.core.client.ChatTool;
import io.strowger.core.client.JsonMismatchException;
import io.strowger.core.client.TypedAnswer;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.tck.ScriptedProvider;
import io.strowger.tck.Step;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A chat client that reads typed answers and runs tools")
class ToolLoopClientTest {
  private static final Json.Obj SCHEMA = Json.object().put("type", "object").build();

  /** An answer type that reads a whole number. */
  private static final AnswerType<Integer> COUNT =
      new AnswerType<>() {
        @Override
        public String name() {
          return "Count";
        }

        @Override
        public Json.Obj schema() {
          return SCHEMA;
        }

        @Override
        public Integer read(String json) throws JsonMismatchException {
          try {
            return Integer.valueOf(json);
          } catch (NumberFormatException e) {
            throw new JsonMismatchException(
                JsonPointer.ROOT.child("count"), "must be a whole number");
          }
        }
      };

  private final TestAmbient ambient = TestAmbient.at(TestServer.NOW);
  private final ScriptedProvider provider = new ScriptedProvider(ambient);
  private final List<String> toolRuns = new ArrayList<>(); // the arguments of each run
  private final Gateway gateway =
      Gateway.builder(TestServer.config(""))
          .ambient(ambient)
          .provider(
              new ProviderFactory() {
                @Override
                public String protocol() {
                  return "openai-chat";
                }

                @Override
                public ChatProvider create(ProviderSettings settings) {
                  return provider;
                }
              })
          .build();
  private final ChatClient chat = gateway.chat(TestServer.APP);

  @AfterEach
  void close() {
    gateway.close();
    provider.assertEveryStreamClosed();
    ambient.assertNoThreadsLeft();
  }

  private ChatRequest request() {
    return chat.ask("acme/large").user("Weather?");
  }

  private ChatTool weather() {
    return ChatTool.of(
        "weather",
        "Tells the weather.",
        SCHEMA,
        arguments -> {
          toolRuns.add(arguments);
          return "sunny in " + arguments;
        });
  }

  private static ChatTool failing(Exception exception) {
    return ChatTool.of(
        "weather",
        "Tells the weather.",
        SCHEMA,
        arguments -> {
          throw exception;
        });
  }

  /** Scripts an answer that calls these functions. */
  private void scriptCalls(String... names) {
    var steps = new ArrayList<Step>();
    for (int i = 0; i < names.length; i++) {
      steps.add(
          Step.emit(
              new Event.ToolCallDelta(
                  i, "call_" + i, names[i], Json.of("{\"n\":" + i + "}"), null)));
    }
    steps.add(Step.usage(5, 5));
    steps.add(Step.finished(StopReason.TOOL_CALLS));
    provider.streams(steps.toArray(Step[]::new));
  }

  private void scriptText(String text) {
    provider.streams(Step.text(text), Step.usage(10, 2), Step.finished());
  }

  private InferenceRequest sentRequest() {
    return provider.calls().getLast().request();
  }

  private String lastMessage() {
    return sentRequest().messages().getLast().parts().toString();
  }

  private String allMessages() {
    return sentRequest().messages().stream().map(Message::parts).toList().toString();
  }

  @Test
  @DisplayName("runs the functions that the model calls, in order, until it answers with text")
  void loop() {
    scriptCalls("weather", "weather");
    scriptCalls("weather");
    scriptText("Sunny");
    ChatRequest request = request().tool(weather());
    ChatAnswer answer = request.callWithTools(5);
    assertThat(answer.text()).isEqualTo("Sunny");
    assertThat(toolRuns).containsExactly("{\"n\":0}", "{\"n\":1}", "{\"n\":0}");
    assertThat(sentRequest().messages().stream().map(Message::role))
        .containsExactly(
            Message.Role.USER,
            Message.Role.ASSISTANT,
            Message.Role.TOOL,
            Message.Role.TOOL,
            Message.Role.ASSISTANT,
            Message.Role.TOOL);
    scriptText("Still sunny");
    assertThat(request.assistant(answer).user("And now?").callWithTools(2).text())
        .isEqualTo("Still sunny");
    assertThat(sentRequest().messages()).hasSize(8);
  }

  @Test
  @DisplayName("returns the total usage and cost, and those of each turn")
  void sums() {
    scriptCalls("weather");
    scriptText("Sunny");
    ChatAnswer answer = request().tool(weather()).callWithTools(5);
    assertThat(answer.usage().promptTokens()).isEqualTo(15);
    assertThat(answer.usage().completionTokens()).isEqualTo(7);
    assertThat(answer.cost().toString()).isEqualTo("$0.022");
    assertThat(answer.earlierTurns()).hasSize(1);
    ChatAnswer first = answer.earlierTurns().getFirst();
    assertThat(first.cost().toString()).isEqualTo("$0.01");
    assertThat(first.earlierTurns()).isEmpty();
    assertThat(first.id()).isNotEqualTo(answer.id());
  }

  @Test
  @DisplayName("returns the last answer with its calls when the maximum of turns is reached")
  void turnsUsedUp() {
    scriptCalls("weather");
    scriptCalls("weather");
    ChatAnswer answer = request().tool(weather()).callWithTools(2);
    assertThat(toolRuns).hasSize(1);
    assertThat(answer.toolCalls()).hasSize(1);
    assertThat(provider.calls()).hasSize(2);
    assertThatThrownBy(() -> request().callWithTools(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxTurns");
  }

  @Test
  @DisplayName("reports a failed function to the model by exception class, without its message")
  void failed() {
    scriptCalls("weather");
    scriptText("Sorry");
    assertThat(request().tool(failing(new IOException("password"))).callWithTools(2).text())
        .isEqualTo("Sorry");
    assertThat(allMessages())
        .contains("The function failed (IOException)")
        .doesNotContain("password");
  }

  @Test
  @DisplayName("reports to the model which argument is wrong")
  void unfit() {
    scriptCalls("weather");
    scriptText("Sorry");
    var unfit = new JsonMismatchException(JsonPointer.ROOT.child("city"), "is required");
    request().tool(failing(unfit)).callWithTools(2);
    assertThat(lastMessage()).contains("The arguments do not fit: /city: is required");
  }

  @Test
  @DisplayName("reports to the model a call of an unknown function")
  void unknown() {
    scriptCalls("whether");
    scriptText("Sorry");
    request().tool(weather()).callWithTools(2);
    assertThat(lastMessage()).contains("There is no function whether; there are [weather]");
    assertThat(toolRuns).isEmpty();
  }

  @Test
  @DisplayName("returns an answer that calls a function without an implementation")
  void functionWithoutImplementation() {
    scriptCalls("weather", "own");
    ChatAnswer answer = request().tool(weather()).tool("own", "Ours.", SCHEMA).callWithTools(5);
    assertThat(answer.toolCalls()).hasSize(2);
    assertThat(toolRuns).isEmpty();
  }

  @Test
  @DisplayName("runs no further function after cancellation")
  void cancelled() {
    scriptCalls("weather", "weather");
    var cancellation = new Cancellation();
    ChatTool cancelling =
        ChatTool.of(
            "weather",
            "Tells the weather.",
            SCHEMA,
            arguments -> {
              toolRuns.add(arguments);
              cancellation.cancel(Cancellation.Cause.CALLER_GONE);
              return "sunny";
            });
    assertThatThrownBy(() -> request().tool(cancelling).cancelledBy(cancellation).callWithTools(5))
        .isInstanceOfSatisfying(
            GatewayException.class,
            e -> assertThat(e.error().code()).isEqualTo(ErrorCode.CLIENT_CLOSED_REQUEST));
    assertThat(toolRuns).hasSize(1);
    assertThat(provider.calls()).hasSize(1);
  }

  @Test
  @DisplayName("ends if its thread is interrupted in a function, and keeps the interrupt flag")
  void interrupted() {
    scriptCalls("weather");
    try {
      assertThatThrownBy(() -> request().tool(failing(new InterruptedException())).callWithTools(5))
          .isInstanceOfSatisfying(
              GatewayException.class,
              e -> assertThat(e.error().code()).isEqualTo(ErrorCode.CLIENT_CLOSED_REQUEST));
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  @DisplayName("resumes after a failed turn with the last complete one; no function runs twice")
  void resumed() {
    scriptCalls("weather");
    provider.streams(Step.text("Sun"), Step.failed(Failure.of(FailureKind.PROTOCOL, "broken off")));
    ChatRequest request = request().tool(weather());
    assertThatThrownBy(() -> request.callWithTools(5)).isInstanceOf(GatewayException.class);
    scriptText("Sunny");
    assertThat(request.callWithTools(5).text()).isEqualTo("Sunny");
    assertThat(toolRuns).hasSize(1);
  }

  @Test
  @DisplayName("refuses two functions with the same name")
  void twice() {
    assertThatThrownBy(() -> request().tool(weather()).tool(weather()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> request().tool("weather", "Ours.", SCHEMA).tool(weather()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> request().tool(weather()).tool("weather", "Ours.", SCHEMA))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("runs no function twice when another one of the same answer was interrupted")
  void interruptedBetween() {
    scriptCalls("weather", "slow");
    ChatTool slow =
        ChatTool.of(
            "slow",
            "Waits.",
            SCHEMA,
            arguments -> {
              Thread.currentThread().interrupt(); // like an HTTP client whose thread is interrupted
              throw new IllegalStateException("gave up");
            });
    ChatRequest request = request().tool(weather()).tool(slow);
    try {
      assertThatThrownBy(() -> request.callWithTools(5))
          .isInstanceOfSatisfying(
              GatewayException.class,
              e -> assertThat(e.error().code()).isEqualTo(ErrorCode.CLIENT_CLOSED_REQUEST));
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    scriptText("Sunny");
    assertThat(request.callWithTools(5).text()).isEqualTo("Sunny");
    assertThat(toolRuns).hasSize(1);
    assertThat(request.toJson().get("messages")).asString().contains("not run to its end");
  }

  @Test
  @DisplayName("sends a type's schema as strict, only with that call, and reads the answer")
  void typed() {
    scriptText("42");
    ChatRequest request = request();
    TypedAnswer<Integer> typed = request.call(COUNT);
    assertThat(typed.value()).isEqualTo(42);
    assertThat(typed.answer().cost().toString()).isEqualTo("$0.012");
    assertThat(typed.toString()).contains("acme/large@alpha").doesNotContain("42");
    assertThat(sentRequest().member("response_format"))
        .asString()
        .contains("json_schema", "\"strict\":true", "\"name\":\"Count\"");
    assertThat(request.toJson().get("response_format")).isNull();
  }

  @Test
  @DisplayName("throws with the wrong member and the generation id if an answer does not fit")
  void misfit() {
    scriptText("many");
    GatewayException unfit =
        catchThrowableOfType(GatewayException.class, () -> request().call(COUNT));
    assertThat(unfit.error().code()).isEqualTo(ErrorCode.PROVIDER_ERROR);
    assertThat(unfit.error().problems().stream().map(Problem::pointer).map(JsonPointer::toString))
        .containsExactly("/count");
    assertThat(unfit)
        .hasMessageContaining("does not match the type Count: /count: must be a whole number")
        .hasMessageNotContaining("many");
    assertThat(unfit.error().metadata().text("generation_id")).startsWith("gen-");
    provider.streams(Step.text("4"), Step.usage(10, 2), Step.finished(StopReason.LENGTH));
    assertThat(request().call(COUNT).value()).isEqualTo(4);
    provider.streams(Step.text("{"), Step.usage(10, 2), Step.finished(StopReason.LENGTH));
    assertThatThrownBy(() -> request().call(COUNT)).hasMessageContaining("cut at its limit");
  }

  @Test
  @DisplayName("runs tools before a typed answer, and throws if the turns end before it")
  void typedWithTools() {
    scriptCalls("weather");
    scriptText("7");
    TypedAnswer<Integer> typed = request().tool(weather()).callWithTools(3, COUNT);
    assertThat(typed.value()).isEqualTo(7);
    assertThat(typed.answer().earlierTurns()).hasSize(1);
    scriptCalls("weather");
    assertThatThrownBy(() -> request().tool(weather()).callWithTools(1, COUNT))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("it calls functions");
  }

  @Test
  @DisplayName("throws if the model refuses, instead of reading the refusal as an answer")
  void refused() {
    provider.streams(
        Step.emit(new Event.RefusalDelta(Json.of("No."), null)),
        Step.usage(10, 2),
        Step.finished());
    assertThatThrownBy(() -> request().call(COUNT))
        .isInstanceOfSatisfying(
            GatewayException.class,
            e -> assertThat(e.error().code()).isEqualTo(ErrorCode.CONTENT_POLICY_VIOLATION));
  }
}
