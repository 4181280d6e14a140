package io.strowger.springai;

import io.strowger.core.client.ChatClient;
import io.strowger.core.client.ChatRequest;
import io.strowger.core.client.ContentPart;
import io.strowger.core.client.ToolCall;
import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.definition.ToolDefinition;

/** Writes prompts of Spring AI as requests of the gateway's client. */
final class PromptWriter {
  private PromptWriter() {}

  /**
   * Returns the request.
   *
   * @throws IllegalArgumentException when a message or an option is not supported by the gateway;
   *     the message names it
   */
  static ChatRequest write(
      List<Message> messages,
      StrowgerChatOptions options,
      ChatClient client,
      ToolCallingManager tools) {
    ChatRequest request = newRequest(options, client);
    messages.forEach(message -> addMessage(message, request));
    setSampling(options, request);
    for (ToolDefinition tool : tools.resolveToolDefinitions(options)) {
      request.tool(tool.name(), tool.description(), schema(tool.inputSchema(), tool.name()));
    }
    String schema = options.getOutputSchema();
    if (schema != null) {
      boolean strict = Boolean.TRUE.equals(options.getStrictOutputSchema());
      request.answerSchema("answer", schema(schema, "the answer"), strict);
    }
    Consumer<ChatRequest> customizer = options.getRequestCustomizer();
    if (customizer != null) {
      customizer.accept(request);
    }
    return request;
  }

  private static ChatRequest newRequest(StrowgerChatOptions options, ChatClient client) {
    String model = options.getModel();
    String[] fallbacks = options.getFallbackModels().toArray(new String[0]);
    if (model == null && fallbacks.length > 0) {
      throw new IllegalArgumentException(
          "fallbackModels without a model: name the model that is tried first");
    }
    return model == null ? client.ask() : client.ask(model, fallbacks);
  }

  private static void addMessage(Message message, ChatRequest request) {
    switch (message.getMessageType()) {
      case SYSTEM -> request.system(text(message));
      case USER -> addUserMessage((UserMessage) message, request);
      case ASSISTANT -> addAssistantMessage((AssistantMessage) message, request);
      case TOOL -> {
        for (var result : ((ToolResponseMessage) message).getResponses()) {
          request.toolResult(new ToolCall(result.id(), result.name(), ""), result.responseData());
        }
      }
    }
  }

  private static String text(Message message) {
    return Objects.requireNonNullElse(message.getText(), "");
  }

  private static void addUserMessage(UserMessage user, ChatRequest request) {
    if (user.getMedia().isEmpty()) {
      request.user(text(user));
      return;
    }
    var parts = new ArrayList<ContentPart>();
    if (!text(user).isEmpty()) {
      parts.add(ContentPart.text(text(user)));
    }
    user.getMedia().stream().map(MediaWriter::part).forEach(parts::add);
    request.user(parts.toArray(new ContentPart[0]));
  }

  private static void addAssistantMessage(AssistantMessage answer, ChatRequest request) {
    List<ToolCall> calls =
        answer.getToolCalls().stream()
            .map(call -> new ToolCall(call.id(), call.name(), arguments(call.arguments())))
            .toList();
    String text = answer.getText();
    boolean hasNoText = text == null || text.isEmpty() && !calls.isEmpty();
    request.assistant(hasNoText ? null : text, calls, ResponseReader.reasoningDetails(answer));
  }

  private static String arguments(@Nullable String arguments) {
    return arguments == null || arguments.isBlank() ? "{}" : arguments;
  }

  private static void setSampling(StrowgerChatOptions options, ChatRequest request) {
    setIfPresent(options.getTemperature(), request::temperature);
    setIfPresent(options.getTopP(), request::topP);
    setIfPresent(options.getTopK(), request::topK);
    setIfPresent(options.getFrequencyPenalty(), request::frequencyPenalty);
    setIfPresent(options.getPresencePenalty(), request::presencePenalty);
    setIfPresent(options.getMaxTokens(), request::maxTokens);
    List<String> stop = options.getStopSequences();
    if (stop != null && !stop.isEmpty()) {
      request.stop(stop.toArray(new String[0]));
    }
  }

  private static <T> void setIfPresent(@Nullable T value, Consumer<T> setter) {
    if (value != null) {
      setter.accept(value);
    }
  }

  private static Json.Obj schema(String text, String subject) {
    if (Json.parseOrNull(text) instanceof Json.Obj schema) {
      return schema;
    }
    throw new IllegalArgumentException("the schema of " + subject + " must be a JSON object");
  }
}
