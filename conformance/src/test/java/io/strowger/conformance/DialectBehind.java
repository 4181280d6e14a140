package io.strowger.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.providers.gemini.GeminiFactory;
import io.strowger.providers.messages.AnthropicMessagesFactory;
import io.strowger.providers.responses.OpenAiResponsesFactory;
import io.strowger.spi.provider.ProviderFactory;
import java.util.Locale;

/** One of the four dialects upstreams speak, and where things stand in a request of it. */
enum DialectBehind {
  CHAT("openai-chat"),
  RESPONSES("openai-responses"),
  MESSAGES("anthropic-messages"),
  GEMINI("gemini");

  final String protocol;

  DialectBehind(String protocol) {
    this.protocol = protocol;
  }

  String slug() {
    return name().toLowerCase(Locale.ROOT);
  }

  ProviderFactory factory() {
    return switch (this) {
      case CHAT -> new OpenAiChatFactory();
      case RESPONSES -> new OpenAiResponsesFactory();
      case MESSAGES -> new AnthropicMessagesFactory();
      case GEMINI -> new GeminiFactory();
    };
  }

  /** Whether requests of this front reach this upstream as they came. */
  boolean speaks(DialectFront front) {
    return name().equals(front.name());
  }

  /** Where the first turn's second piece has its picture. */
  JsonNode image(JsonNode body, boolean inline) {
    return switch (this) {
      case CHAT -> body.at("/messages/0/content/1/image_url/url");
      case RESPONSES -> body.at("/input/0/content/1/image_url");
      case MESSAGES -> body.at("/messages/0/content/1/source/" + (inline ? "data" : "url"));
      case GEMINI ->
          body.at("/contents/0/parts/1/" + (inline ? "inlineData/data" : "fileData/fileUri"));
    };
  }

  /** The schema an answer has to follow. */
  JsonNode schema(JsonNode body) {
    return switch (this) {
      case CHAT -> body.at("/response_format/json_schema/schema");
      case RESPONSES -> body.at("/text/format/schema");
      case MESSAGES -> body.at("/output_config/format/schema");
      case GEMINI ->
          body.at("/generationConfig/responseJsonSchema").isMissingNode()
              ? body.at("/generationConfig/responseSchema")
              : body.at("/generationConfig/responseJsonSchema");
    };
  }

  JsonNode maxTokens(JsonNode body) {
    return switch (this) {
      case CHAT ->
          body.has("max_completion_tokens")
              ? body.path("max_completion_tokens")
              : body.path("max_tokens");
      case RESPONSES -> body.path("max_output_tokens");
      case MESSAGES -> body.path("max_tokens");
      case GEMINI -> body.at("/generationConfig/maxOutputTokens");
    };
  }

  /** How this upstream says that it ended for this reason of the chat dialect. */
  String nativeWord(String reason) {
    return switch (this) {
      case CHAT -> reason;
      case RESPONSES ->
          switch (reason) {
            case "length" -> "max_output_tokens";
            case "content_filter" -> "content_filter";
            default -> "completed";
          };
      case MESSAGES ->
          switch (reason) {
            case "length" -> "max_tokens";
            case "content_filter" -> "refusal";
            case "tool_calls" -> "tool_use";
            default -> "end_turn";
          };
      case GEMINI ->
          switch (reason) {
            case "length" -> "MAX_TOKENS";
            case "content_filter" -> "SAFETY";
            default -> "STOP";
          };
    };
  }
}
