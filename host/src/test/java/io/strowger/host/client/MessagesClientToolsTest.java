package io.strowger.host.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.anthropic.client.AnthropicClient;
import com.anthropic.models.messages.ContentBlockParam;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.StopReason;
import com.anthropic.models.messages.ToolChoiceAny;
import com.anthropic.models.messages.ToolResultBlockParam;
import com.anthropic.models.messages.ToolUseBlock;
import com.fasterxml.jackson.databind.JsonNode;
import io.strowger.simulated.Script;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The tools of the client library of the messages format")
class MessagesClientToolsTest {
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

  private static MessageCreateParams.Builder request(String model) {
    return MessagesClients.hello(model)
        .addTool(MessagesClients.tool("weather", "city"))
        .addTool(MessagesClients.tool("now"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("are called as the model called them, whole and streamed")
  void single(String model) {
    Script weather = calling().toolCall("call_1", "weather", "{\"city\":\"Bern\"}").build();
    gateway.upstream().answerNextWith(weather).answerNextWith(weather);
    assertWeather(client.messages().create(request(model).build()));
    assertWeather(MessagesClients.streamed(client, request(model).build()));
  }

  private static void assertWeather(Message answer) {
    assertThat(answer.stopReason()).contains(StopReason.TOOL_USE);
    assertThat(answer.content()).hasSize(1);
    ToolUseBlock call = answer.content().getFirst().asToolUse();
    assertThat(call.id()).isEqualTo("call_1");
    assertThat(call.name()).isEqualTo("weather");
    assertThat(call._input().convert(Map.class)).isEqualTo(Map.of("city", "Bern"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("are called twice in one answer, after a text")
  void parallel(String model) {
    Script both =
        Script.builder()
            .text("I shall look.")
            .toolCall("call_1", "weather", "{\"city\":\"Bern\"}")
            .toolCall("call_2", "weather", "{\"city\":\"Basel\"}")
            .build();
    gateway.upstream().answerNextWith(both).answerNextWith(both);
    assertBoth(client.messages().create(request(model).build()));
    assertBoth(MessagesClients.streamed(client, request(model).build()));
  }

  private static void assertBoth(Message answer) {
    assertThat(answer.stopReason()).contains(StopReason.TOOL_USE);
    assertThat(MessagesClients.text(answer)).isEqualTo("I shall look.");
    assertThat(MessagesClients.calls(answer))
        .extracting(ToolUseBlock::id)
        .containsExactly("call_1", "call_2");
    assertThat(MessagesClients.calls(answer))
        .extracting(call -> call._input().convert(Map.class))
        .containsExactly(Map.of("city", "Bern"), Map.of("city", "Basel"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("are called without arguments if the model gives none")
  void withoutArguments(String model) {
    Script now = calling().toolCall("call_1", "now", "").build();
    gateway.upstream().answerNextWith(now).answerNextWith(now);
    assertNow(client.messages().create(request(model).build()));
    assertNow(MessagesClients.streamed(client, request(model).build()));
  }

  private static void assertNow(Message answer) {
    assertThat(answer.stopReason()).contains(StopReason.TOOL_USE);
    ToolUseBlock call = answer.content().getFirst().asToolUse();
    assertThat(call.name()).isEqualTo("now");
    assertThat(call._input().convert(Map.class)).isEqualTo(Map.of());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("have their results sent to the upstream with the ids of the calls")
  void results(String model) {
    gateway
        .upstream()
        .answerNextWith(
            calling()
                .toolCall("call_1", "weather", "{\"city\":\"Bern\"}")
                .toolCall("call_2", "now", "{}")
                .build())
        .answerNextWith(Script.answer("Rain at noon."));
    Message first = MessagesClients.streamed(client, request(model).build());
    Message second =
        client
            .messages()
            .create(
                request(model)
                    .addMessage(first)
                    .addUserMessageOfContentBlockParams(
                        List.of(
                            result("call_1", "rain", false), result("call_2", "no clock", true)))
                    .build());
    assertThat(MessagesClients.text(second)).isEqualTo("Rain at noon.");
    assertResults(model, gateway.lastRequest());
  }

  private static void assertResults(String model, JsonNode sent) {
    switch (model) {
      case LoopbackGateway.OVER_CHAT -> {
        assertThat(sent.at("/messages/1/tool_calls/0/id").asText()).isEqualTo("call_1");
        assertThat(sent.at("/messages/1/tool_calls/1/function/arguments").asText()).isEqualTo("{}");
        assertThat(sent.at("/messages/2/tool_call_id").asText()).isEqualTo("call_1");
        assertThat(sent.at("/messages/2/content").toString()).contains("rain");
        assertThat(sent.at("/messages/3/tool_call_id").asText()).isEqualTo("call_2");
      }
      case LoopbackGateway.OVER_RESPONSES -> {
        assertThat(sent.at("/input/1/call_id").asText()).isEqualTo("call_1");
        assertThat(sent.at("/input/1/type").asText()).isEqualTo("function_call");
        assertThat(sent.at("/input/3/call_id").asText()).isEqualTo("call_1");
        assertThat(sent.at("/input/3/type").asText()).isEqualTo("function_call_output");
        assertThat(sent.at("/input/4/call_id").asText()).isEqualTo("call_2");
      }
      default -> {
        assertThat(sent.at("/messages/1/content/0/input/city").asText()).isEqualTo("Bern");
        assertThat(sent.at("/messages/1/content/1/input").isObject()).isTrue();
        assertThat(sent.at("/messages/2/content/0/tool_use_id").asText()).isEqualTo("call_1");
        assertThat(sent.at("/messages/2/content/1/is_error").asBoolean()).isTrue();
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName(
      "are offered to the upstream in its own format, without parallel calls if so requested")
  void offered(String model) {
    gateway.upstream().answerNextWith(Script.answer("No need."));
    client
        .messages()
        .create(
            request(model)
                .toolChoice(ToolChoiceAny.builder().disableParallelToolUse(true).build())
                .build());
    JsonNode sent = gateway.lastRequest();
    switch (model) {
      case LoopbackGateway.OVER_CHAT -> {
        assertThat(sent.at("/tools/0/function/name").asText()).isEqualTo("weather");
        assertThat(sent.at("/tool_choice").asText()).isEqualTo("required");
        assertThat(sent.at("/parallel_tool_calls").asText()).isEqualTo("false");
      }
      case LoopbackGateway.OVER_RESPONSES -> {
        assertThat(sent.at("/tools/0/name").asText()).isEqualTo("weather");
        assertThat(sent.at("/tool_choice").asText()).isEqualTo("required");
        assertThat(sent.at("/parallel_tool_calls").asText()).isEqualTo("false");
      }
      default -> {
        assertThat(sent.at("/tools/0/input_schema/required/0").asText()).isEqualTo("city");
        assertThat(sent.at("/tool_choice/type").asText()).isEqualTo("any");
        assertThat(sent.at("/tool_choice/disable_parallel_tool_use").asBoolean()).isTrue();
      }
    }
  }

  private static Script.Builder calling() {
    return Script.builder().text("");
  }

  private static ContentBlockParam result(String call, String text, boolean error) {
    return ContentBlockParam.ofToolResult(
        ToolResultBlockParam.builder().toolUseId(call).content(text).isError(error).build());
  }
}
