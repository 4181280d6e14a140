package io.strowger.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.image.Image;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.exception.ContentFilteredException;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import io.strowger.core.client.ChatAnswer;
import io.strowger.core.client.ToolCall;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads answers of the gateway's client as responses of LangChain4j. */
final class ResponseReader {
  private static final String DATA = "data:";
  private static final String BASE64 = ";base64,";

  private ResponseReader() {}

  /**
   * Returns the response for an answer.
   *
   * @throws ContentFilteredException when the model refused; the message is the text of the refusal
   */
  static ChatResponse response(ChatAnswer answer) {
    String refusal = answer.refusal();
    if (refusal != null) {
      throw new ContentFilteredException(refusal);
    }
    return ChatResponse.builder()
        .aiMessage(message(answer))
        .metadata(
            StrowgerChatResponseMetadata.builder(answer)
                .id(answer.id())
                .modelName(answer.servedBy().model())
                .tokenUsage(usage(answer.usage()))
                .finishReason(finishReason(answer.stopReason()))
                .build())
        .build();
  }

  private static AiMessage message(ChatAnswer answer) {
    Map<String, Object> attributes = new HashMap<>();
    Json.Arr reasoning = answer.reasoningDetails();
    if (!reasoning.isEmpty()) {
      attributes.put(ReasoningAttribute.NAME, reasoning.toString());
    }
    List<Image> images = images(answer);
    if (!images.isEmpty()) {
      attributes.put(AiMessage.GENERATED_IMAGES_KEY, images);
    }
    return AiMessage.builder()
        .text(nullIfEmpty(answer.text()))
        .thinking(nullIfEmpty(answer.reasoning()))
        .toolExecutionRequests(
            answer.toolCalls().stream().map(ResponseReader::toolExecutionRequest).toList())
        .attributes(attributes)
        .build();
  }

  private static @Nullable String nullIfEmpty(String text) {
    return text.isEmpty() ? null : text;
  }

  static ToolExecutionRequest toolExecutionRequest(ToolCall call) {
    return ToolExecutionRequest.builder()
        .id(call.id())
        .name(call.name())
        .arguments(call.arguments())
        .build();
  }

  private static List<Image> images(ChatAnswer answer) {
    List<Image> images = new ArrayList<>();
    for (Part part : answer.parts()) {
      if (part instanceof Part.Image image) {
        images.add(image(image.media().asUrl().text()));
      }
    }
    return images;
  }

  private static Image image(String url) {
    int marker = url.indexOf(BASE64);
    return url.startsWith(DATA) && marker > 0
        ? Image.builder()
            .mimeType(url.substring(DATA.length(), marker))
            .base64Data(url.substring(marker + BASE64.length()))
            .build()
        : Image.builder().url(url).build();
  }

  private static TokenUsage usage(Usage usage) {
    return new TokenUsage(
        Math.toIntExact(usage.promptTokens()), Math.toIntExact(usage.completionTokens()));
  }

  private static FinishReason finishReason(StopReason reason) {
    return switch (reason) {
      case END, STOP_SEQUENCE -> FinishReason.STOP;
      case LENGTH, CONTEXT_WINDOW -> FinishReason.LENGTH;
      case TOOL_CALLS -> FinishReason.TOOL_EXECUTION;
      case CONTENT_FILTER, REFUSAL -> FinishReason.CONTENT_FILTER;
      case PAUSE, COMPACTION, ERROR -> FinishReason.OTHER;
    };
  }
}
