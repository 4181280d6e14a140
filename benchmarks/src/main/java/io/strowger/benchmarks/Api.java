package io.strowger.benchmarks;

import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.providers.gemini.GeminiFactory;
import io.strowger.providers.messages.AnthropicMessagesFactory;
import io.strowger.providers.responses.OpenAiResponsesFactory;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.Transport;

/** A dialect, as callers post it to a gateway and as upstreams speak it. */
enum Api {
  CHAT("openai-chat", "/chat/completions"),
  MESSAGES("anthropic-messages", "/messages"),
  RESPONSES("openai-responses", "/responses"),
  /** Spoken by upstreams only. */
  GEMINI("gemini", "/models");

  private final String protocol;
  private final String path;

  Api(String protocol, String path) {
    this.protocol = protocol;
    this.path = path;
  }

  /** Returns the protocol's name in configuration files. */
  String protocol() {
    return protocol;
  }

  /** Returns the path that callers post to. */
  String path() {
    return path;
  }

  /**
   * Returns a factory of adapters for upstreams of this dialect.
   *
   * @param transport the transport to the upstream; not closed by the factory
   */
  ProviderFactory factory(Transport transport) {
    return switch (this) {
      case CHAT -> new OpenAiChatFactory(transport);
      case MESSAGES -> new AnthropicMessagesFactory(transport);
      case RESPONSES -> new OpenAiResponsesFactory(transport);
      case GEMINI -> new GeminiFactory(transport);
    };
  }

  /** Returns the body of a streaming request of about 1 KB, as a caller posts it. */
  byte[] requestBody(String model) {
    return switch (this) {
      case CHAT -> ChatBodies.named("1k", model, true);
      case MESSAGES -> bytes(conversation("messages", model).put("max_tokens", 2_000));
      case RESPONSES -> bytes(conversation("input", model));
      case GEMINI -> throw new IllegalStateException("a gateway does not accept this dialect");
    };
  }

  private static Json.Obj.Builder conversation(String member, String model) {
    String text = "Say in a few words what an exchange without an operator does. ".repeat(15);
    Json.Obj message = Json.object().put("role", "user").put("content", text).build();
    return Json.object().put("model", model).put(member, Json.array(message)).put("stream", true);
  }

  private static byte[] bytes(Json.Obj.Builder body) {
    return body.build().toBytes();
  }
}
