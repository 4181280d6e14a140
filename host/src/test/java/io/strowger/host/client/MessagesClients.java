package io.strowger.host.client;

import com.anthropic.client.AnthropicClient;
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.core.JsonValue;
import com.anthropic.core.http.StreamResponse;
import com.anthropic.helpers.MessageAccumulator;
import com.anthropic.models.messages.ContentBlock;
import com.anthropic.models.messages.Message;
import com.anthropic.models.messages.MessageCreateParams;
import com.anthropic.models.messages.RawMessageStreamEvent;
import com.anthropic.models.messages.Tool;
import com.anthropic.models.messages.ToolUseBlock;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Makes clients of the library of the messages format, and their requests. */
final class MessagesClients {

  private MessagesClients() {}

  /**
   * Returns a client that rejects answers which its library does not know. The library appends
   * {@code /v1/messages} to the base URL itself.
   */
  static AnthropicClient client(LoopbackGateway gateway, String key) {
    return AnthropicOkHttpClient.builder()
        .baseUrl(gateway.uri().resolve("/api").toString())
        .apiKey(key)
        .maxRetries(0)
        .timeout(LoopbackGateway.TIMEOUT)
        .responseValidation(true)
        .build();
  }

  static MessageCreateParams.Builder request(String model) {
    return MessageCreateParams.builder().model(model).maxTokens(2048);
  }

  static MessageCreateParams.Builder hello(String model) {
    return request(model).addUserMessage("Hello?");
  }

  /** Returns the message that the library assembles from a stream. */
  static Message streamed(AnthropicClient client, MessageCreateParams request) {
    MessageAccumulator whole = MessageAccumulator.create();
    try (StreamResponse<RawMessageStreamEvent> stream =
        client.messages().createStreaming(request)) {
      stream.stream().forEach(whole::accumulate);
    }
    return whole.message();
  }

  static String text(Message message) {
    return message.content().stream()
        .flatMap(block -> block.text().stream())
        .map(block -> block.text())
        .collect(Collectors.joining());
  }

  static List<ToolUseBlock> calls(Message message) {
    return message.content().stream()
        .filter(ContentBlock::isToolUse)
        .map(ContentBlock::asToolUse)
        .toList();
  }

  /** Returns a tool with one string argument. */
  static Tool tool(String name, String argument) {
    return Tool.builder()
        .name(name)
        .description("Tells something.")
        .inputSchema(
            Tool.InputSchema.builder()
                .properties(
                    Tool.InputSchema.Properties.builder()
                        .putAdditionalProperty(argument, JsonValue.from(Map.of("type", "string")))
                        .build())
                .addRequired(argument)
                .build())
        .build();
  }

  /** Returns a tool without arguments. */
  static Tool tool(String name) {
    return Tool.builder().name(name).inputSchema(Tool.InputSchema.builder().build()).build();
  }
}
