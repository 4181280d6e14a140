package io.strowger.core.resource;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import java.util.Set;

/**
 * Selects the members of a request that a preset keeps: those that configure how a model answers,
 * but not the conversation, the user or the delivery. Open question 64; resources fact sheet,
 * section 2.
 */
final class PresetConfigs {
  /** Contract: "Chat request body", without the members open question 64 leaves out. */
  private static final Set<String> CHAT =
      Set.of(
          "model",
          "models",
          "frequency_penalty",
          "presence_penalty",
          "image_config",
          "logit_bias",
          "logprobs",
          "top_logprobs",
          "max_completion_tokens",
          "max_tokens",
          "max_tool_calls",
          "min_p",
          "top_a",
          "top_k",
          "top_p",
          "temperature",
          "repetition_penalty",
          "modalities",
          "parallel_tool_calls",
          "plugins",
          "prediction",
          "prompt_cache_key",
          "prompt_cache_options",
          "provider",
          "reasoning",
          "reasoning_effort",
          "include_reasoning",
          "response_format",
          "route",
          "seed",
          "service_tier",
          "stop",
          "stop_server_tools_when",
          "tool_choice",
          "tools",
          "cache_enabled",
          "cache_ttl_seconds");

  /** Messages fact sheet, section 1. */
  private static final Set<String> MESSAGES =
      Set.of(
          "fallbacks",
          "speed",
          "stop_server_tools_when",
          "output_config",
          "model",
          "max_tokens",
          "models",
          "stop_sequences",
          "temperature",
          "top_p",
          "top_k",
          "thinking",
          "tool_choice",
          "tools",
          "service_tier",
          "context_management",
          "plugins",
          "provider",
          "route",
          "cache_enabled",
          "cache_ttl_seconds");

  /** Responses fact sheet, "Request". */
  private static final Set<String> RESPONSES =
      Set.of(
          "model",
          "models",
          "max_output_tokens",
          "max_tool_calls",
          "temperature",
          "top_p",
          "frequency_penalty",
          "presence_penalty",
          "top_k",
          "top_logprobs",
          "tools",
          "tool_choice",
          "parallel_tool_calls",
          "text",
          "reasoning",
          "include",
          "truncation",
          "prompt_cache_key",
          "prompt_cache_options",
          "service_tier",
          "modalities",
          "image_config",
          "plugins",
          "provider",
          "route",
          "stop_server_tools_when",
          "cache_enabled",
          "cache_ttl_seconds");

  private PresetConfigs() {}

  /** Returns copies of the members a preset keeps, in the request's order. */
  static Json.Obj of(Json.Obj request, Dialect dialect) {
    Set<String> keptNames =
        switch (dialect) {
          case CHAT -> CHAT;
          case MESSAGES -> MESSAGES;
          case RESPONSES -> RESPONSES;
          case GEMINI ->
              throw new IllegalArgumentException("callers cannot use the dialect " + dialect);
        };
    Json.Obj.Builder config = Json.object();
    for (int i = 0; i < request.size(); i++) {
      if (keptNames.contains(request.name(i))) {
        config.put(request.name(i), request.value(i).detached());
      }
    }
    return config.build();
  }
}
