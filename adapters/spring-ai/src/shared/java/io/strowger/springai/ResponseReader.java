package io.strowger.springai;

import io.strowger.core.client.ChatAnswer;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import java.net.URI;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.metadata.ChatGenerationMetadata;
import org.springframework.ai.chat.metadata.ChatResponseMetadata;
import org.springframework.ai.chat.metadata.DefaultUsage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.content.Media;
import org.springframework.util.MimeTypeUtils;

/** Reads answers of the gateway's client as responses of Spring AI. */
final class ResponseReader {
  private static final String REASONING = "reasoningContent";
  private static final String REASONING_DETAILS = "reasoning_details"; // JSON text
  private static final String DATA = "data:";
  private static final String BASE64 = ";base64,";

  private ResponseReader() {}

  /** Returns the response to a call. */
  static ChatResponse response(ChatAnswer answer) {
    return response(answer, answer.text());
  }

  /** Returns the last response of a stream, which has all but the text that came before. */
  static ChatResponse lastResponse(ChatAnswer answer) {
    return response(answer, "");
  }

  /** Returns the response of a stream for one more piece of the text. */
  static ChatResponse textResponse(String id, String piece) {
    return partialResponse(id, piece, Map.of());
  }

  /** Returns the response of a stream that has all reasoning so far. */
  static ChatResponse reasoningResponse(String id, String reasoningSoFar) {
    return partialResponse(id, "", Map.of(REASONING, reasoningSoFar));
  }

  private static ChatResponse partialResponse(
      String id, String text, Map<String, Object> properties) {
    AssistantMessage message =
        AssistantMessage.builder().content(text).properties(properties).build();
    return new ChatResponse(
        List.of(new Generation(message)), ChatResponseMetadata.builder().id(id).build());
  }

  private static ChatResponse response(ChatAnswer answer, String text) {
    String refusal = Objects.requireNonNullElse(answer.refusal(), "");
    Map<String, Object> properties = new HashMap<>();
    properties.put("id", answer.id());
    properties.put("role", "ASSISTANT");
    properties.put("finishReason", finishReason(answer.stopReason()));
    properties.put("refusal", refusal);
    properties.put(REASONING, answer.reasoning());
    Json.Arr details = answer.reasoningDetails();
    if (!details.isEmpty()) {
      properties.put(REASONING_DETAILS, details.toString());
    }
    AssistantMessage message =
        AssistantMessage.builder()
            .content(text)
            .properties(properties)
            .toolCalls(toolCalls(answer))
            .media(media(answer))
            .build();
    ChatGenerationMetadata generation =
        ChatGenerationMetadata.builder().finishReason(finishReason(answer.stopReason())).build();
    return new ChatResponse(List.of(new Generation(message, generation)), metadata(answer));
  }

  private static List<AssistantMessage.ToolCall> toolCalls(ChatAnswer answer) {
    return answer.toolCalls().stream()
        .map(
            call ->
                new AssistantMessage.ToolCall(call.id(), "function", call.name(), call.arguments()))
        .toList();
  }

  private static ChatResponseMetadata metadata(ChatAnswer answer) {
    Usage usage = answer.usage();
    return ChatResponseMetadata.builder()
        .id(answer.id())
        .model(answer.servedBy().model())
        .usage(
            new DefaultUsage(
                Math.toIntExact(usage.promptTokens()),
                Math.toIntExact(usage.completionTokens()),
                Math.toIntExact(usage.promptTokens() + usage.completionTokens()),
                usage))
        .keyValue(GatewayMetadata.COST, answer.cost().dollars())
        .keyValue(GatewayMetadata.SERVED_BY, answer.servedBy().id())
        .keyValue(GatewayMetadata.ANSWER, answer)
        .build();
  }

  /** Returns the reason in the words that Spring AI's own models use. */
  private static String finishReason(StopReason reason) {
    return switch (reason) {
      case END, STOP_SEQUENCE -> "STOP";
      case LENGTH, CONTEXT_WINDOW -> "LENGTH";
      case TOOL_CALLS -> "TOOL_CALLS";
      case CONTENT_FILTER, REFUSAL -> "CONTENT_FILTER";
      case PAUSE, COMPACTION, ERROR -> reason.name();
    };
  }

  private static List<Media> media(ChatAnswer answer) {
    List<Media> media = new ArrayList<>();
    for (Part part : answer.parts()) {
      if (part instanceof Part.Image image) {
        media.add(image(image.media().asUrl().text()));
      }
    }
    return media;
  }

  private static Media image(String url) {
    int marker = url.indexOf(BASE64);
    return url.startsWith(DATA) && marker > 0
        ? Media.builder()
            .mimeType(MimeTypeUtils.parseMimeType(url.substring(DATA.length(), marker)))
            .data(Base64.getDecoder().decode(url.substring(marker + BASE64.length())))
            .build()
        : Media.builder().mimeType(MimeTypeUtils.IMAGE_PNG).data(URI.create(url)).build();
  }

  /** Returns the reasoning an answer was given with, as it has to be sent back; may be empty. */
  static Json.Arr reasoningDetails(AssistantMessage message) {
    return message.getMetadata().get(REASONING_DETAILS) instanceof String text
            && Json.parseOrNull(text) instanceof Json.Arr details
        ? details
        : Json.array();
  }
}
