package io.strowger.core;

import static io.strowger.spi.routing.ProviderSort.Key.PRICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.strowger.core.client.ChatAnswer;
import io.strowger.core.client.ChatClient;
import io.strowger.core.client.ChatStream;
import io.strowger.core.client.ContentPart;
import io.strowger.core.client.ToolCall;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Effort;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.ToolChoice;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.tck.ScriptedProvider;
import io.strowger.tck.Step;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A chat client in this process")
class ChatClientTest {
  private final TestAmbient ambient = TestAmbient.at(TestServer.NOW);
  private final ScriptedProvider provider = new ScriptedProvider(ambient);
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

  private InferenceRequest sentRequest() {
    return provider.calls().getLast().request();
  }

  @Test
  @DisplayName("returns the text, usage, cost, endpoint and routing decision of an answer")
  void answer() {
    provider.streams(Step.text("Hello, "), Step.text("you"), Step.usage(10, 2), Step.finished());
    ChatAnswer answer =
        chat.ask("acme/large")
            .system("Be brief.")
            .user("Hi")
            .temperature(0.2)
            .maxTokens(100)
            .prefer(p -> p.sort(PRICE))
            .call();
    assertThat(answer.text()).isEqualTo("Hello, you");
    assertThat(answer.stopReason()).isEqualTo(StopReason.END);
    assertThat(answer.usage().promptTokens()).isEqualTo(10);
    assertThat(answer.usage().completionTokens()).isEqualTo(2);
    assertThat(answer.cost().toString()).isEqualTo("$0.012");
    assertThat(answer.servedBy().id()).isEqualTo("acme/large@alpha");
    assertThat(answer.decision().attempts()).isEqualTo(1);
    assertThat(answer.decision().summary()).isEqualTo("available=2, selected=alpha");
    assertThat(answer.id()).startsWith("gen-");
    assertThat(answer.toString()).contains("acme/large@alpha").doesNotContain("Hello");
    assertThat(sentRequest().messages().stream().map(Message::role))
        .containsExactly(Message.Role.SYSTEM, Message.Role.USER);
    assertThat(sentRequest().maxOutputTokens()).isEqualTo(100);
    assertThat(Objects.requireNonNull(sentRequest().member("temperature")).toBytes())
        .asString()
        .isEqualTo("0.2");
  }

  @Test
  @DisplayName("sends the provider preferences of a request")
  void preferred() {
    provider.always(call -> List.of(Step.text("y"), Step.usage(10, 1), Step.finished()));
    ChatAnswer answer = chat.ask("acme/large").user("Hi").prefer(p -> p.only("beta")).call();
    assertThat(answer.servedBy().id()).isEqualTo("acme/large@beta");
  }

  @Test
  @DisplayName("streams text as it arrives, and returns the whole answer at the end")
  void stream() {
    provider.streams(Step.text("One, "), Step.text("two"), Step.usage(3, 2), Step.finished());
    var pieces = new ArrayList<String>();
    try (ChatStream stream = chat.ask("acme/large").user("Count.").stream()) {
      for (String text : stream.text()) {
        pieces.add(text);
      }
      assertThat(stream.answer().text()).isEqualTo("One, two");
      assertThat(stream.answer().usage().completionTokens()).isEqualTo(2);
    }
    assertThat(pieces).containsExactly("One, ", "two");
    assertThat(sentRequest().streaming()).isTrue();
  }

  @Test
  @DisplayName("ends the upstream's stream when its own stream is closed early")
  void closedEarly() {
    provider.streams(Step.text("One"), Step.stall());
    try (ChatStream stream = chat.ask("acme/large").user("Count.").stream()) {
      assertThat(stream.text().iterator().next()).isEqualTo("One");
      stream.close();
      assertThat(stream.next()).isNull();
      assertThatThrownBy(stream::answer).isInstanceOf(GatewayException.class);
    }
    provider.assertEveryStreamClosed();
  }

  @Test
  @DisplayName("throws one exception that names every problem of a request")
  void problems() {
    GatewayException refused =
        catchThrowableOfType(
            GatewayException.class,
            () -> chat.ask("acme/large").user("Hi").temperature(3).maxTokens(-1).call());
    assertThat(refused.error().code()).isEqualTo(ErrorCode.INVALID_REQUEST);
    assertThat(refused.error().problems().stream().map(Problem::pointer).map(Object::toString))
        .containsExactlyInAnyOrder("/temperature", "/max_tokens");
    assertThat(provider.calls()).isEmpty();
  }

  @Test
  @DisplayName("throws when no endpoint can answer")
  void failures() {
    provider.alwaysRefuses(Failure.of(FailureKind.UNAVAILABLE, "down"));
    assertThatThrownBy(() -> chat.ask("acme/small").user("Hi").call())
        .isInstanceOf(GatewayException.class);
  }

  @Test
  @DisplayName("streams the text before an answer breaks off, and then throws")
  void breaksOff() {
    provider.streams(Step.text("One"), Step.failed(Failure.of(FailureKind.PROTOCOL, "gone")));
    var pieces = new ArrayList<String>();
    try (ChatStream stream = chat.ask("acme/large").user("Count.").stream()) {
      assertThatThrownBy(() -> stream.text().forEach(pieces::add))
          .isInstanceOf(GatewayException.class);
    }
    assertThat(pieces).containsExactly("One");
  }

  @Test
  @DisplayName("continues a conversation with an answer that calls a tool and the tool's result")
  void tools() {
    provider.streams(
        Step.emit(
            new Event.ToolCallDelta(0, "call_1", "weather", Json.of("{\"city\":\"Bern\"}"), null)),
        Step.usage(5, 5),
        Step.finished(StopReason.TOOL_CALLS));
    provider.streams(Step.text("Sunny"), Step.usage(9, 1), Step.finished());
    Json.Obj schema = Json.object().put("type", "object").build();
    var request = chat.ask("acme/large").user("Weather?").tool("weather", "Tells it.", schema);
    ChatAnswer first = request.call();
    assertThat(first.toolCalls())
        .containsExactly(new ToolCall("call_1", "weather", "{\"city\":\"Bern\"}"));
    ChatAnswer second =
        request.assistant(first).toolResult(first.toolCalls().getFirst(), "sunny").call();
    assertThat(second.text()).isEqualTo("Sunny");
    assertThat(sentRequest().messages().stream().map(Message::role))
        .containsExactly(Message.Role.USER, Message.Role.ASSISTANT, Message.Role.TOOL);
    assertThat(sentRequest().tools()).hasSize(1);
  }

  @Test
  @DisplayName("writes messages of several parts, earlier answers and tool results")
  void messages() {
    Json.Arr reasoning = Json.array(Json.object().put("type", "reasoning.text").build());
    Json.Obj body =
        chat.ask("acme/large")
            .user(
                ContentPart.text("Compare."),
                ContentPart.image("https://acme.example/a.png"),
                ContentPart.image("https://acme.example/b.png", "high"),
                ContentPart.image(new byte[] {1}, "image/png"),
                ContentPart.audio(new byte[] {2}, "wav"),
                ContentPart.video("https://acme.example/c.mp4"),
                ContentPart.file("d.pdf", "https://acme.example/d.pdf"),
                ContentPart.file("e.pdf", new byte[] {3}, "application/pdf"))
            .assistant(null, List.of(new ToolCall("call_1", "look", "{}")), reasoning)
            .toolResult("call_1", ContentPart.text("a cat"))
            .assistant("A cat.", List.of(), Json.array())
            .toJson();
    assertThat(new String(body.toBytes(), StandardCharsets.UTF_8))
        .isEqualTo(
            """
            {"model":"acme/large","messages":[\
            {"role":"user","content":[{"type":"text","text":"Compare."},\
            {"type":"image_url","image_url":{"url":"https://acme.example/a.png"}},\
            {"type":"image_url","image_url":{"url":"https://acme.example/b.png","detail":"high"}},\
            {"type":"image_url","image_url":{"url":"data:image/png;base64,AQ=="}},\
            {"type":"input_audio","input_audio":{"data":"Ag==","format":"wav"}},\
            {"type":"video_url","video_url":{"url":"https://acme.example/c.mp4"}},\
            {"type":"file","file":{"filename":"d.pdf","file_data":"https://acme.example/d.pdf"}},\
            {"type":"file","file":{"filename":"e.pdf",\
            "file_data":"data:application/pdf;base64,Aw=="}}]},\
            {"role":"assistant","content":null,"reasoning_details":[{"type":"reasoning.text"}],\
            "tool_calls":[{"id":"call_1","type":"function",\
            "function":{"name":"look","arguments":"{}"}}]},\
            {"role":"tool","tool_call_id":"call_1","content":[{"type":"text","text":"a cat"}]},\
            {"role":"assistant","content":"A cat."}]}\
            """);
    assertThat(ContentPart.text("a cat"))
        .isEqualTo(ContentPart.text("a cat"))
        .hasSameHashCodeAs(ContentPart.text("a cat"))
        .isNotEqualTo(ContentPart.text("a dog"))
        .hasToString("ContentPart[text]");
  }

  @Test
  @DisplayName("writes parameters, tools and the response format as in the contract")
  void parameters() {
    Json.Obj schema = Json.object().put("type", "object").build();
    Json.Obj body =
        chat.ask("acme/large")
            .topK(40)
            .frequencyPenalty(0.5)
            .presencePenalty(-0.5)
            .reasoning(Effort.LOW)
            .tool("plain", null, schema)
            .tool("exact", "Takes care.", schema, true)
            .toolChoice(new ToolChoice.Named("exact"))
            .parallelToolCalls(false)
            .answerSchema("City", schema, false)
            .toJson();
    assertThat(new String(body.toBytes(), StandardCharsets.UTF_8))
        .isEqualTo(
            """
            {"model":"acme/large","top_k":40,"frequency_penalty":0.5,"presence_penalty":-0.5,\
            "reasoning_effort":"low",\
            "tool_choice":{"type":"function","function":{"name":"exact"}},\
            "parallel_tool_calls":false,"response_format":{"type":"json_schema",\
            "json_schema":{"name":"City","strict":false,"schema":{"type":"object"}}},\
            "messages":[],"tools":[\
            {"type":"function","function":{"name":"plain","parameters":{"type":"object"}}},\
            {"type":"function","function":{"name":"exact","description":"Takes care.",\
            "parameters":{"type":"object"},"strict":true}}]}\
            """);
    assertThat(chat.ask().answerJson().toolChoice(ToolChoice.Mode.NONE).toJson().toString())
        .contains("\"response_format\":{\"type\":\"json_object\"}", "\"tool_choice\":\"none\"");
    Json.Obj other = Json.object().put("type", "router:datetime").build();
    assertThat(chat.ask().toolChoice(new ToolChoice.Other(other)).toJson().get("tool_choice"))
        .isEqualTo(other);
  }

  @Test
  @DisplayName("returns reasoning with its signatures in the form in which it is sent back")
  void reasoning() {
    provider.streams(
        Step.emit(new Event.ReasoningDelta(Json.of("Hm."), null)),
        Step.emit(new Event.ReasoningSignature(Json.of("sig"), "anthropic-claude-v1", null)),
        Step.text("Yes"),
        Step.usage(10, 2),
        Step.finished());
    ChatAnswer answer = chat.ask("acme/large").user("Hi").call();
    assertThat(answer.reasoningDetails().toString())
        .contains("\"text\":\"Hm.\"", "\"signature\":\"sig\"");
    provider.streams(Step.text("Yes"), Step.usage(10, 2), Step.finished());
    assertThat(chat.ask("acme/large").user("Hi").call().reasoningDetails()).isEmpty();
  }

  @Test
  @DisplayName("runs tasks on virtual threads of the gateway")
  void executor() throws InterruptedException {
    var results = new LinkedBlockingQueue<Boolean>();
    chat.executor().execute(() -> results.add(Thread.currentThread().isVirtual()));
    assertThat(results.poll(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  @DisplayName("throws for an unknown key or a management key when a request is sent")
  void keys() {
    assertThatThrownBy(() -> gateway.chat("sk-unknown").ask("acme/large").user("Hi").call())
        .isInstanceOfSatisfying(
            GatewayException.class,
            e -> assertThat(e.error().code()).isEqualTo(ErrorCode.AUTHENTICATION));
    assertThatThrownBy(() -> gateway.chat(TestServer.ADMIN).ask("acme/large").user("Hi").call())
        .isInstanceOfSatisfying(
            GatewayException.class,
            e -> assertThat(e.error().code()).isEqualTo(ErrorCode.PERMISSION_DENIED));
  }

  @Test
  @DisplayName("does not set by name a member that has its own method")
  void set() {
    assertThatThrownBy(() -> chat.ask("acme/large").set("messages", Json.array()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("messages");
    assertThat(chat.ask("acme/large").set("logit_bias", Json.Obj.EMPTY).toJson().get("logit_bias"))
        .isEqualTo(Json.Obj.EMPTY);
  }

  @Test
  @DisplayName("writes every provider preference as in the contract")
  void preferences() {
    Json.Obj body =
        chat.ask("acme/large", "acme/small")
            .user("Hi")
            .prefer(
                p ->
                    p.order("alpha", "beta")
                        .only("alpha", "beta")
                        .ignore("gamma")
                        .quantizations("fp8")
                        .allowFallbacks(false)
                        .requireParameters(true)
                        .denyDataCollection()
                        .zeroDataRetention()
                        .maxPromptPrice("1.5")
                        .maxCompletionPrice("3")
                        .preferredMinThroughput(40)
                        .preferredMaxLatency(0.5))
            .toJson();
    assertThat(new String(body.toBytes(), StandardCharsets.UTF_8))
        .isEqualTo(
            """
            {"model":"acme/large","models":["acme/large","acme/small"],\
            "messages":[{"role":"user","content":"Hi"}],\
            "provider":{"order":["alpha","beta"],"only":["alpha","beta"],"ignore":["gamma"],\
            "quantizations":["fp8"],"allow_fallbacks":false,"require_parameters":true,\
            "data_collection":"deny","zdr":true,"preferred_min_throughput":40.0,\
            "preferred_max_latency":0.5,"max_price":{"prompt":1.5,"completion":3}}}\
            """);
  }

  @Test
  @DisplayName("is not needed to send the body of a dialect without HTTP")
  void bytes() throws IOException {
    provider.always(call -> List.of(Step.text("y"), Step.usage(10, 1), Step.finished()));
    for (Dialect dialect : List.of(Dialect.CHAT, Dialect.MESSAGES, Dialect.RESPONSES)) {
      String body =
          dialect == Dialect.RESPONSES
              ? "{\"model\":\"acme/large\",\"input\":\"Hi\"}"
              : "{\"model\":\"acme/large\",\"max_tokens\":9,"
                  + "\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}";
      WireResponse response =
          gateway.serve(
              TestServer.APP, dialect, body.getBytes(StandardCharsets.UTF_8), new Cancellation());
      assertThat(response.status()).as(dialect.name()).isEqualTo(200);
      var out = new ByteArrayOutputStream();
      try (var answer = response.body()) {
        answer.transferTo(out);
      }
      assertThat(out.toString(StandardCharsets.UTF_8)).contains("\"y\"");
    }
    WireResponse wrong =
        gateway.serve(
            TestServer.APP,
            Dialect.CHAT,
            "{}".getBytes(StandardCharsets.UTF_8),
            new Cancellation());
    wrong.body().close();
    assertThat(wrong.status()).isEqualTo(400);
    assertThatThrownBy(
            () -> gateway.serve(TestServer.APP, Dialect.GEMINI, new byte[0], new Cancellation()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
