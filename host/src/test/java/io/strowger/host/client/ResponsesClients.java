package io.strowger.host.client;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.core.http.StreamResponse;
import com.openai.helpers.ResponseAccumulator;
import com.openai.models.responses.FunctionTool;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseFunctionToolCall;
import com.openai.models.responses.ResponseInputItem;
import com.openai.models.responses.ResponseReasoningItem;
import com.openai.models.responses.ResponseStreamEvent;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Makes clients of the library of the responses format, and their requests. */
final class ResponsesClients {

  private ResponsesClients() {}

  /** Returns a client that rejects answers which its library does not know. */
  static OpenAIClient client(LoopbackGateway gateway, String key) {
    return OpenAIOkHttpClient.builder()
        .baseUrl(gateway.uri().toString())
        .apiKey(key)
        .maxRetries(0)
        .timeout(LoopbackGateway.TIMEOUT)
        .responseValidation(true)
        .build();
  }

  static ResponseCreateParams.Builder request(String model) {
    return ResponseCreateParams.builder().model(model).store(false);
  }

  static ResponseCreateParams.Builder hello(String model) {
    return request(model).input("Hello?");
  }

  static ResponseInputItem user(String text) {
    return ResponseInputItem.ofMessage(
        ResponseInputItem.Message.builder()
            .role(ResponseInputItem.Message.Role.USER)
            .addInputTextContent(text)
            .build());
  }

  /** Returns the response that the library assembles from a stream. */
  static Response streamed(OpenAIClient client, ResponseCreateParams request) {
    ResponseAccumulator whole = ResponseAccumulator.create();
    try (StreamResponse<ResponseStreamEvent> stream = client.responses().createStreaming(request)) {
      stream.stream().forEach(whole::accumulate);
    }
    return whole.response();
  }

  static String text(Response response) {
    return response.output().stream()
        .flatMap(item -> item.message().stream())
        .flatMap(message -> message.content().stream())
        .map(content -> content.asOutputText().text())
        .collect(Collectors.joining());
  }

  static List<ResponseFunctionToolCall> calls(Response response) {
    return response.output().stream().flatMap(item -> item.functionCall().stream()).toList();
  }

  static List<ResponseReasoningItem> thoughts(Response response) {
    return response.output().stream().flatMap(item -> item.reasoning().stream()).toList();
  }

  /** Returns a tool with one string argument. */
  static FunctionTool tool(String name, String argument) {
    return FunctionTool.builder()
        .name(name)
        .strict(false)
        .parameters(
            FunctionTool.Parameters.builder()
                .putAdditionalProperty("type", JsonValue.from("object"))
                .putAdditionalProperty(
                    "properties", JsonValue.from(Map.of(argument, Map.of("type", "string"))))
                .putAdditionalProperty("required", JsonValue.from(List.of(argument)))
                .build())
        .build();
  }

  /** Returns a tool without arguments. */
  static FunctionTool tool(String name) {
    return FunctionTool.builder()
        .name(name)
        .strict(false)
        .parameters(
            FunctionTool.Parameters.builder()
                .putAdditionalProperty("type", JsonValue.from("object"))
                .putAdditionalProperty("properties", JsonValue.from(Map.of()))
                .build())
        .build();
  }
}
