package io.strowger.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.providers.gemini.GeminiFactory;
import io.strowger.providers.messages.AnthropicMessagesFactory;
import io.strowger.providers.responses.OpenAiResponsesFactory;
import io.strowger.spi.provider.ProviderFactory;
import java.util.Locale;

/** A dialect that upstreams speak, with the places of members in its requests. */
enum DialectUpstream {
  CHAT("openai-chat"),
  RESPONSES("openai-responses"),
  MESSAGES("anthropic-messages"),
  GEMINI("gemini");

  final String protocol;

  DialectUpstream(String protocol) {
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

  /**
   * Returns whether the client uses the upstream's own dialect, so that requests pass unchanged.
   */
  boolean speaks(DialectClient client) {
    return name().equals(client.name());
  }

  /** Returns the image in the second part of the first turn. */
  JsonNode image(JsonNode body, boolean inline) {
    return switch (this) {
      case CHAT -> body.at("/messages/0/content/1/image_url/url");
      case RESPONSES -> body.at("/input/0/content/1/image_url");
      case MESSAGES -> body.at("/messages/0/content/1/source/" + (inline ? "data" : "url"));
      case GEMINI ->
          body.at("/contents/0/parts/1/" + (inline ? "inlineData/data" : "fileData/fileUri"));
    };
  }

  /** Returns the schema that the answer must follow. */
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

  /** Returns the upstream's own word for a finish reason of the chat dialect. */
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
