package io.strowger.core.decode;

import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks the members of a chat request that keep their JSON form, and notes which parameters the
 * request uses. Contract: the table of "Chat request body".
 */
final class OptionsDecoder {
  private static final JsonPointer ROOT = JsonPointer.ROOT;
  private static final Map<String, Long> BITS =
      Arrays.stream(Parameter.values())
          .collect(Collectors.toUnmodifiableMap(Parameter::wireName, Parameter::bit));
  private static final BigDecimal MINUS_TWO = BigDecimal.valueOf(-2);
  private static final List<String> EFFORTS =
      List.of("max", "xhigh", "high", "medium", "low", "minimal", "none");
  private static final List<String> SUMMARIES = List.of("auto", "concise", "detailed");
  private static final List<String> PLAIN_TIERS = List.of("auto", "default");
  private static final List<String> TIERS =
      List.of("auto", "default", "fast", "flex", "priority", "scale");
  private static final List<String> ROUTES = List.of("fallback", "sort");
  private static final List<String> VERBOSITY = List.of("low", "medium", "high", "xhigh", "max");

  private final Checks checks;
  private final StructuresDecoder structures;
  private long parameters;
  private @Nullable String effort; // of reasoning.effort
  private @Nullable String effortShorthand;

  OptionsDecoder(Checks checks) {
    this.checks = checks;
    this.structures = new StructuresDecoder(checks);
  }

  /** Mask of {@link Parameter#bit()} of what the members seen so far use. */
  long parameters() {
    return parameters;
  }

  /** What involves two members; called when all were seen. */
  void crossChecks() {
    if (effort != null && effortShorthand != null && !effort.equals(effortShorthand)) {
      checks.wrong(
          ROOT,
          "reasoning_effort",
          "must not differ from reasoning.effort, which is " + effort,
          Json.of(effortShorthand));
    }
  }

  /** Checks one member; names nobody knows are passed on as they come. */
  void member(String name, Json value) {
    if (value instanceof Json.Null) {
      explicitNull(name, value);
    } else {
      sampling(name, value);
    }
  }

  /** Most members may be null, which is the same as absent; these may not. */
  private void explicitNull(String name, Json value) {
    switch (name) {
      case "reasoning",
          "response_format",
          "metadata",
          "image_config",
          "cache_control",
          "trace",
          "debug" ->
          checks.object(ROOT, name, value);
      case "modalities", "stop_server_tools_when" -> checks.array(ROOT, name, value);
      case "include_reasoning" -> checks.bool(ROOT, name, value);
      case "tool_choice" -> new ToolDecoder(checks).choice(ROOT, name, value);
      default -> {
        // nullable, or unknown
      }
    }
  }

  private void sampling(String name, Json value) {
    switch (name) {
      case "temperature" -> number(name, value, BigDecimal.ZERO, BigDecimal.TWO);
      case "top_p" -> number(name, value, BigDecimal.ZERO, BigDecimal.ONE);
      case "frequency_penalty", "presence_penalty" ->
          number(name, value, MINUS_TWO, BigDecimal.TWO);
      case "min_p", "top_a", "repetition_penalty" -> {
        uses(name);
        checks.number(ROOT, name, value);
      }
      case "top_k" -> {
        uses(name);
        checks.whole(ROOT, name, value, 0, Long.MAX_VALUE, 0);
      }
      case "seed" -> {
        uses(name);
        checks.whole(ROOT, name, value);
      }
      case "top_logprobs" -> {
        uses(name);
        checks.whole(ROOT, name, value, 0, 20, 0);
      }
      case "logprobs", "parallel_tool_calls", "include_reasoning" -> {
        uses(name);
        checks.bool(ROOT, name, value);
      }
      case "logit_bias" -> {
        uses(name);
        structures.logitBias(name, value);
      }
      default -> shaping(name, value);
    }
  }

  private void shaping(String name, Json value) {
    switch (name) {
      case "stop" -> {
        uses(name);
        structures.stop(name, value);
      }
      case "tool_choice" -> {
        uses(name);
        new ToolDecoder(checks).choice(ROOT, name, value);
      }
      case "response_format" -> parameters |= structures.responseFormat(name, value);
      case "reasoning" -> {
        uses(name);
        reasoning(name, value);
      }
      case "reasoning_effort" -> {
        uses(name);
        effortShorthand = checks.word(ROOT, name, value, EFFORTS);
      }
      case "verbosity" -> {
        uses(name);
        checks.word(ROOT, name, value, VERBOSITY);
      }
      case "prediction" -> {
        uses(name);
        structures.prediction(name, value);
      }
      case "modalities" -> structures.modalities(name, value);
      case "image_config" -> structures.imageConfig(name, value);
      default -> handling(name, value);
    }
  }

  /** What concerns the gateway more than the model. */
  private void handling(String name, Json value) {
    switch (name) {
      case "cache_control" -> Markers.cacheControl(checks, ROOT, name, value);
      case "prompt_cache_key" -> checks.string(ROOT, name, value);
      case "prompt_cache_options" -> Markers.mode(checks, ROOT, name, value);
      case "service_tier" -> {
        // an upstream would serve and bill the tier, while the plain one is routed and held for
        String tier = checks.word(ROOT, name, value, TIERS);
        if (tier != null && !PLAIN_TIERS.contains(tier)) {
          checks.wrong(ROOT, name, "is not supported by this version yet", value);
        }
      }
      case "metadata" -> structures.metadata(name, value);
      case "trace" -> structures.trace(name, value);
      case "debug" -> structures.flags(name, value, "echo_upstream_body");
      case "stream_options" -> structures.flags(name, value, "include_usage");
      case "stop_server_tools_when" -> structures.stopConditions(name, value);
      case "n" -> {
        // a hold covers one answer: an upstream that writes more would pass the caller's limit
        if (checks.whole(ROOT, name, value, 1, Long.MAX_VALUE, 1) != 1) {
          checks.wrong(ROOT, name, "must be 1: one answer is all this version gives", value);
        }
      }
      case "max_tool_calls" -> checks.whole(ROOT, name, value, 1, Long.MAX_VALUE, 1);
      case "route" -> {
        if ("sort".equals(checks.word(ROOT, name, value, ROUTES))) {
          checks.wrong(ROOT, name, "is not supported by this version yet", value);
        }
      }
      case "preset" -> checks.wrong(ROOT, name, "is not supported by this version yet", value);
      default -> {
        // unknown members are passed on
      }
    }
  }

  private void uses(String parameter) {
    parameters |= BITS.getOrDefault(parameter, 0L);
  }

  private void number(String name, Json value, BigDecimal min, BigDecimal max) {
    uses(name);
    checks.number(ROOT, name, value, min, max);
  }

  private void reasoning(String name, Json value) {
    Json.Obj reasoning = checks.object(ROOT, name, value);
    if (reasoning == null) {
      return;
    }
    JsonPointer at = ROOT.child(name);
    for (int i = 0; i < reasoning.size(); i++) {
      Json given = reasoning.value(i);
      if (given instanceof Json.Null) {
        continue;
      }
      switch (reasoning.name(i)) {
        case "effort" -> effort = checks.word(at, "effort", given, EFFORTS);
        case "summary" -> checks.word(at, "summary", given, SUMMARIES);
        case "max_tokens" -> checks.whole(at, "max_tokens", given, 0, Integer.MAX_VALUE, 0);
        case "exclude", "enabled" -> checks.bool(at, reasoning.name(i), given);
        default -> {
          // unknown members are passed on
        }
      }
    }
  }
}
