package io.strowger.host.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.openai.client.OpenAIClient;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseFunctionToolCall;
import com.openai.models.responses.ResponseInputItem;
import com.openai.models.responses.ResponseStatus;
import com.openai.models.responses.ToolChoiceOptions;
import io.strowger.simulated.Script;
import java.io.IOException;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The tools of the client library of the responses format")
class ResponsesClientToolsTest {
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

  private static ResponseCreateParams.Builder request(String model) {
    return ResponsesClients.hello(model)
        .addTool(ResponsesClients.tool("weather", "city"))
        .addTool(ResponsesClients.tool("now"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("are called as the model called them, whole and streamed")
  void single(String model) {
    Script weather = calling().toolCall("call_1", "weather", "{\"city\":\"Bern\"}").build();
    gateway.upstream().answerNextWith(weather).answerNextWith(weather);
    assertWeather(client.responses().create(request(model).build()));
    assertWeather(ResponsesClients.streamed(client, request(model).build()));
  }

  private static void assertWeather(Response answer) {
    assertThat(answer.status()).contains(ResponseStatus.COMPLETED);
    assertThat(answer.output()).hasSize(1);
    ResponseFunctionToolCall call = answer.output().getFirst().asFunctionCall();
    assertThat(call.callId()).isEqualTo("call_1");
    assertThat(call.name()).isEqualTo("weather");
    assertThat(call.arguments()).isEqualTo("{\"city\":\"Bern\"}");
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
    assertBoth(client.responses().create(request(model).build()));
    assertBoth(ResponsesClients.streamed(client, request(model).build()));
  }

  private static void assertBoth(Response answer) {
    assertThat(answer.output().getFirst().isMessage()).isTrue();
    assertThat(ResponsesClients.text(answer)).isEqualTo("I shall look.");
    assertThat(ResponsesClients.calls(answer))
        .extracting(ResponseFunctionToolCall::callId)
        .containsExactly("call_1", "call_2");
    assertThat(ResponsesClients.calls(answer))
        .extracting(ResponseFunctionToolCall::arguments)
        .containsExactly("{\"city\":\"Bern\"}", "{\"city\":\"Basel\"}");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource(MODELS)
  @DisplayName("are called without arguments if the model gives none")
  void withoutArguments(String model) {
    // an upstream of the same format is passed through, and writes an empty object itself
    String none = model.equals(LoopbackGateway.OVER_RESPONSES) ? "{}" : "";
    Script now = calling().toolCall("call_1", "now", none).build();
    gateway.upstream().answerNextWith(now).answerNextWith(now);
    assertNow(client.responses().create(request(model).build()));
    assertNow(ResponsesClients.streamed(client, request(model).build()));
  }

  private static void assertNow(Response answer) {
    ResponseFunctionToolCall call = answer.output().getFirst().asFunctionCall();
    assertThat(call.name()).isEqualTo("now");
    assertThat(call.arguments()).isEqualTo("{}");
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
    Response first = ResponsesClients.streamed(client, request(model).build());
    var input = new ArrayList<ResponseInputItem>();
    input.add(ResponsesClients.user("Hello?"));
    ResponsesClients.calls(first).forEach(c -> input.add(ResponseInputItem.ofFunctionCall(c)));
    input.add(result("call_1", "rain"));
    input.add(result("call_2", "noon"));
    Response second = client.responses().create(request(model).inputOfResponse(input).build());
    assertThat(ResponsesClients.text(second)).isEqualTo("Rain at noon.");
    assertResults(model, gateway.lastRequest());
  }

  private static void assertResults(String model, JsonNode sent) {
    switch (model) {
      case LoopbackGateway.OVER_CHAT -> {
        assertThat(sent.at("/messages/1/tool_calls/0/id").asText()).isEqualTo("call_1");
        assertThat(sent.at("/messages/1/tool_calls/1/id").asText()).isEqualTo("call_2");
        assertThat(sent.at("/messages/2/tool_call_id").asText()).isEqualTo("call_1");
        assertThat(sent.at("/messages/2/content").toString()).contains("rain");
        assertThat(sent.at("/messages/3/tool_call_id").asText()).isEqualTo("call_2");
      }
      case LoopbackGateway.OVER_RESPONSES -> {
        assertThat(sent.at("/input/1/call_id").asText()).isEqualTo("call_1");
        assertThat(sent.at("/input/3/call_id").asText()).isEqualTo("call_1");
        assertThat(sent.at("/input/3/output").toString()).contains("rain");
        assertThat(sent.at("/input/4/call_id").asText()).isEqualTo("call_2");
      }
      default -> {
        assertThat(sent.at("/messages/1/content/0/input/city").asText()).isEqualTo("Bern");
        assertThat(sent.at("/messages/1/content/1/input").isObject()).isTrue();
        assertThat(sent.at("/messages/2/content/0/tool_use_id").asText()).isEqualTo("call_1");
        assertThat(sent.at("/messages/2/content/1/tool_use_id").asText()).isEqualTo("call_2");
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
        .responses()
        .create(
            request(model).toolChoice(ToolChoiceOptions.REQUIRED).parallelToolCalls(false).build());
    JsonNode sent = gateway.lastRequest();
    switch (model) {
      case LoopbackGateway.OVER_CHAT -> {
        assertThat(sent.at("/tools/0/function/name").asText()).isEqualTo("weather");
        assertThat(sent.at("/tool_choice").asText()).isEqualTo("required");
        assertThat(sent.at("/parallel_tool_calls").asText()).isEqualTo("false");
      }
      case LoopbackGateway.OVER_RESPONSES -> {
        assertThat(sent.at("/tools/0/parameters/required/0").asText()).isEqualTo("city");
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

  private static ResponseInputItem result(String call, String text) {
    return ResponseInputItem.ofFunctionCallOutput(
        ResponseInputItem.FunctionCallOutput.builder().callId(call).output(text).build());
  }
}
