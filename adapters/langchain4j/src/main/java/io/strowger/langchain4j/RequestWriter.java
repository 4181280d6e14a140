package io.strowger.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.langchain4j.internal.JsonSchemaElementUtils;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import io.strowger.core.client.ChatClient;
import io.strowger.core.client.ChatRequest;
import io.strowger.core.client.ContentPart;
import io.strowger.core.client.ToolCall;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.ToolChoice;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes a request of LangChain4j as one of the gateway's client. For one thread. */
final class RequestWriter {
  private static final Json.Obj NO_ARGUMENTS =
      Json.object().put("type", "object").put("properties", Json.Obj.EMPTY).build();

  private final ChatRequest request;
  private final StrowgerChatRequestParameters parameters;

  private RequestWriter(ChatClient client, StrowgerChatRequestParameters parameters) {
    this.parameters = parameters;
    String model = parameters.modelName();
    String[] fallbacks = parameters.fallbackModels().toArray(new String[0]);
    if (model == null && fallbacks.length > 0) {
      throw new UnsupportedFeatureException(
          "fallbackModels without a modelName: name the model that is tried first");
    }
    request = model == null ? client.ask() : client.ask(model, fallbacks);
  }

  /**
   * Returns the request.
   *
   * @throws UnsupportedFeatureException when a message or parameter is not supported by the gateway
   */
  static ChatRequest write(
      List<ChatMessage> messages, ChatRequestParameters parameters, ChatClient client) {
    var writer =
        new RequestWriter(client, StrowgerChatRequestParameters.EMPTY.overrideWith(parameters));
    messages.forEach(writer::addMessage);
    writer.setSampling();
    writer.addTools();
    writer.setResponseFormat();
    Consumer<ChatRequest> customizer = writer.parameters.requestCustomizer();
    if (customizer != null) {
      customizer.accept(writer.request);
    }
    return writer.request;
  }

  private void addMessage(ChatMessage message) {
    switch (message) {
      case SystemMessage system -> request.system(system.text());
      case UserMessage user -> addUserMessage(user);
      case AiMessage answer -> addAssistantMessage(answer);
      case ToolExecutionResultMessage result -> addToolResult(result);
      default ->
          throw new UnsupportedFeatureException(
              "A message of type "
                  + message.type()
                  + " is not supported; send it as another type of message");
    }
  }

  private void addUserMessage(UserMessage user) {
    if (user.name() != null) {
      request.message(
          Json.object()
              .put("role", "user")
              .put("name", user.name())
              .put("content", content(user.contents()))
              .build());
    } else if (user.hasSingleText()) {
      request.user(user.singleText());
    } else {
      request.user(parts(user.contents()));
    }
  }

  private static Json content(List<Content> contents) {
    return contents.size() == 1 && contents.getFirst() instanceof TextContent text
        ? Json.of(text.text())
        : Json.array(contents.stream().map(ContentWriter::part).map(ContentPart::toJson).toList());
  }

  private static ContentPart[] parts(List<Content> contents) {
    return contents.stream().map(ContentWriter::part).toArray(ContentPart[]::new);
  }

  private void addAssistantMessage(AiMessage answer) {
    List<ToolCall> calls =
        answer.toolExecutionRequests().stream().map(RequestWriter::toolCall).toList();
    request.assistant(answer.text(), calls, ReasoningAttribute.of(answer));
  }

  private static ToolCall toolCall(ToolExecutionRequest call) {
    if (call.id() == null) {
      throw new UnsupportedFeatureException(
          "The call of the tool " + call.name() + " has no id; set one, which its result names");
    }
    String arguments = call.arguments();
    return new ToolCall(
        call.id(), call.name(), arguments == null || arguments.isBlank() ? "{}" : arguments);
  }

  private void addToolResult(ToolExecutionResultMessage result) {
    if (result.id() == null) {
      throw new UnsupportedFeatureException(
          "The result of the tool " + result.toolName() + " lacks the id of its call");
    }
    if (result.hasSingleText()) {
      request.toolResult(new ToolCall(result.id(), result.toolName(), ""), result.text());
    } else {
      request.toolResult(result.id(), parts(result.contents()));
    }
  }

  private void setSampling() {
    setIfPresent(parameters.temperature(), request::temperature);
    setIfPresent(parameters.topP(), request::topP);
    setIfPresent(parameters.topK(), request::topK);
    setIfPresent(parameters.frequencyPenalty(), request::frequencyPenalty);
    setIfPresent(parameters.presencePenalty(), request::presencePenalty);
    setIfPresent(parameters.maxOutputTokens(), request::maxTokens);
    List<String> stop = parameters.stopSequences();
    if (!stop.isEmpty()) {
      request.stop(stop.toArray(new String[0]));
    }
  }

  private static <T> void setIfPresent(@Nullable T value, Consumer<T> setter) {
    if (value != null) {
      setter.accept(value);
    }
  }

  private void addTools() {
    for (ToolSpecification tool : parameters.toolSpecifications()) {
      boolean strict = Boolean.TRUE.equals(tool.strict());
      Json.Obj arguments =
          tool.parameters() == null ? NO_ARGUMENTS : schema(tool.parameters(), strict);
      request.tool(tool.name(), tool.description(), arguments, strict);
    }
    if (parameters.toolChoice() != null) {
      request.toolChoice(
          switch (parameters.toolChoice()) {
            case AUTO -> ToolChoice.Mode.AUTO;
            case REQUIRED -> ToolChoice.Mode.REQUIRED;
            case NONE -> ToolChoice.Mode.NONE;
          });
    }
  }

  private void setResponseFormat() {
    ResponseFormat format = parameters.responseFormat();
    if (format == null || format.type() == ResponseFormatType.TEXT) {
      return; // answers are text by default
    }
    JsonSchema jsonSchema = format.jsonSchema();
    if (jsonSchema == null) {
      request.answerJson();
      return;
    }
    boolean strict = Boolean.TRUE.equals(parameters.strictJsonSchema());
    String name = Objects.requireNonNullElse(jsonSchema.name(), "answer");
    request.answerSchema(name, schema(jsonSchema.rootElement(), strict), strict);
  }

  private static Json.Obj schema(JsonSchemaElement element, boolean strict) {
    return JsonValues.object(JsonSchemaElementUtils.toMap(element, strict));
  }

  /** Converts the maps by which LangChain4j represents JSON Schemas to JSON. */
  private static final class JsonValues {
    private JsonValues() {}

    static Json.Obj object(Map<?, ?> members) {
      Json.Obj.Builder object = Json.object();
      members.forEach((name, value) -> object.put(String.valueOf(name), value(value)));
      return object.build();
    }

    private static Json value(@Nullable Object value) {
      return switch (value) {
        case null -> Json.NULL;
        case Map<?, ?> members -> object(members);
        case List<?> items -> Json.array(items.stream().map(JsonValues::value).toList());
        case Object[] items -> Json.array(Arrays.stream(items).map(JsonValues::value).toList());
        case Boolean flag -> Json.of(flag);
        case Number number -> Json.of(new BigDecimal(number.toString()));
        default -> Json.of(value.toString());
      };
    }
  }
}
