package io.strowger.host.catalog;

import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a map from model names to prices in dollars per token.
 *
 * <p>The provider is {@code litellm_provider}. The rest of a key, after the provider's name and a
 * slash, is the provider's name for the model. If that name begins with an author ({@code
 * author/name}), it is the model's id; otherwise the id is {@code provider/name}. Ids that differ
 * only in case are equal. Chat, completion, embedding and speech entries are read.
 */
final class LiteLlmReader {
  private static final Map<String, String> KINDS =
      Map.of(
          "chat", "chat",
          "completion", "chat",
          "responses", "chat",
          "embedding", "embeddings",
          "audio_speech", "speech");
  private static final Map<String, String> PRICES =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("input_cost_per_token", "prompt"),
              Map.entry("output_cost_per_token", "completion"),
              Map.entry("cache_read_input_token_cost", "input_cache_read"),
              Map.entry("cache_creation_input_token_cost", "input_cache_write"),
              Map.entry("cache_creation_input_token_cost_above_1hr", "input_cache_write_1h"),
              Map.entry("output_cost_per_reasoning_token", "internal_reasoning"),
              Map.entry("input_cost_per_request", "request"),
              Map.entry("input_cost_per_image", "image"),
              Map.entry("input_cost_per_audio_token", "input_audio"),
              Map.entry("output_cost_per_audio_token", "output_audio"),
              Map.entry("input_cost_per_character", "characters")));
  private static final Pattern TIER_NAME = Pattern.compile("(.+)_above_([0-9]{1,6})k_tokens");

  private final ConfigDraft draft;

  private LiteLlmReader(ImportOptions options) {
    draft = new ConfigDraft(options);
  }

  static ImportResult read(Json document, ImportOptions options) {
    if (!(document instanceof Json.Obj map)) {
      throw new IllegalArgumentException(
          "a litellm price map is an object of models, was " + document.kind());
    }
    var reader = new LiteLlmReader(options);
    for (int i = 0; i < map.size(); i++) {
      if (map.name(i).equals("sample_spec")) {
        continue; // the list's own explanation of its members
      }
      if (map.value(i) instanceof Json.Obj entry) {
        reader.readEntry(map.name(i), entry);
      } else {
        reader.draft.skip("not an object");
      }
    }
    return reader.draft.build();
  }

  private void readEntry(String key, Json.Obj entry) {
    String provider = ConfigDraft.cleanName(entry.text("litellm_provider"), "");
    String slug = ConfigDraft.slug(provider);
    String mode = ConfigDraft.cleanName(entry.text("mode"), "chat");
    String kind = KINDS.get(mode);
    Json.Obj pricing = pricing(entry);
    if (slug.isEmpty()) {
      draft.skip("without a provider");
    } else if (kind == null) {
      draft.skip("neither chat, embeddings nor speech");
    } else if (!isPriced(kind, pricing)) {
      draft.skip("without a price");
    } else {
      draft.addProvider(slug, provider);
      String upstreamModel =
          key.startsWith(provider + "/") ? key.substring(provider.length() + 1) : key;
      String id = ConfigDraft.modelId(slug, upstreamModel);
      if (draft.addEndpoint(id, slug, upstreamModel, null, endpoint(entry, kind, pricing))) {
        draft.addFacts(id, facts(upstreamModel, entry), id.startsWith(slug + "/"));
      }
    }
  }

  /**
   * Returns whether an endpoint has the prices it needs. Without one of its two prices, a chat
   * endpoint would be chosen as if that price were zero.
   */
  private static boolean isPriced(String kind, Json.Obj pricing) {
    return switch (kind) {
      case "chat" -> pricing.has("prompt") && pricing.has("completion");
      case "speech" -> pricing.has("prompt") || pricing.has("characters");
      default -> pricing.has("prompt");
    };
  }

  private static Json.Obj facts(String upstreamModel, Json.Obj entry) {
    var facts = Json.object().put("name", ConfigDraft.cleanName(upstreamModel, "model"));
    if (Abilities.isTrue(entry, "supports_reasoning")) {
      facts.put("reasoning", Json.object().put("mandatory", false).build());
    }
    return facts.build();
  }

  private static Json.Obj endpoint(Json.Obj entry, String kind, Json.Obj pricing) {
    var endpoint = Json.object();
    if (!kind.equals("chat")) {
      endpoint.put("kind", kind);
    }
    endpoint.put("pricing", pricing);
    Abilities.putTokens(endpoint, "context_length", entry, tokensMember(entry, "max_input_tokens"));
    if (!kind.equals("embeddings")) {
      Abilities.putTokens(
          endpoint, "max_output_tokens", entry, tokensMember(entry, "max_output_tokens"));
    }
    if (kind.equals("chat")) {
      endpoint.put("supported_parameters", parameters(entry));
    }
    endpoint.put("input_modalities", inputs(entry));
    Abilities.putUnlessNull(endpoint, "output_modalities", outputs(entry, kind));
    return endpoint.build();
  }

  /** Returns the name of the member with a length; {@code max_tokens} is its older name. */
  private static String tokensMember(Json.Obj entry, String name) {
    return entry.has(name) ? name : "max_tokens";
  }

  private static Json.Arr parameters(Json.Obj entry) {
    Json.Arr listed = Abilities.knownParameters(entry.get("supported_openai_params"));
    if (listed != null && !listed.isEmpty()) {
      return listed;
    }
    var parameters = Abilities.basicParameters(true);
    add(parameters, entry, "supports_function_calling", Parameter.TOOLS, Parameter.TOOL_CHOICE);
    add(parameters, entry, "supports_tool_choice", Parameter.TOOL_CHOICE);
    add(parameters, entry, "supports_parallel_function_calling", Parameter.PARALLEL_TOOL_CALLS);
    add(
        parameters,
        entry,
        "supports_response_schema",
        Parameter.RESPONSE_FORMAT,
        Parameter.STRUCTURED_OUTPUTS);
    add(
        parameters,
        entry,
        "supports_reasoning",
        Parameter.REASONING,
        Parameter.INCLUDE_REASONING,
        Parameter.REASONING_EFFORT);
    return Abilities.parameters(parameters);
  }

  private static void add(
      EnumSet<Parameter> parameters, Json.Obj entry, String flag, Parameter... supported) {
    if (Abilities.isTrue(entry, flag)) {
      parameters.addAll(List.of(supported));
    }
  }

  private static Json.Arr inputs(Json.Obj entry) {
    Json.Arr listed = Abilities.knownModalities(entry.get("supported_modalities"));
    if (listed != null) {
      return listed;
    }
    var inputs = new ArrayList<Json>();
    inputs.add(Json.of("text"));
    addIf(inputs, entry, "supports_vision", "image");
    addIf(inputs, entry, "supports_audio_input", "audio");
    addIf(inputs, entry, "supports_video_input", "video");
    addIf(inputs, entry, "supports_pdf_input", "file");
    return Json.array(inputs);
  }

  private static Json.@Nullable Arr outputs(Json.Obj entry, String kind) {
    Json.Arr listed = Abilities.knownModalities(entry.get("supported_output_modalities"));
    if (listed != null) {
      return listed;
    }
    if (kind.equals("speech")) {
      return Json.array(Json.of("audio"));
    }
    return Abilities.isTrue(entry, "supports_audio_output")
        ? Json.array(Json.of("text"), Json.of("audio"))
        : null;
  }

  private static void addIf(List<Json> modalities, Json.Obj entry, String flag, String modality) {
    if (Abilities.isTrue(entry, flag)) {
      modalities.add(Json.of(modality));
    }
  }

  private static Json.Obj pricing(Json.Obj entry) {
    var pricing = Json.object();
    PRICES.forEach((name, price) -> put(pricing, price, Prices.perUnit(entry.get(name))));
    // ascending, since the last override that applies wins
    var tiers = new TreeMap<Long, Json.Obj.Builder>();
    for (int i = 0; i < entry.size(); i++) {
      Matcher tier = TIER_NAME.matcher(entry.name(i));
      String price = tier.matches() ? PRICES.get(tier.group(1)) : null;
      String dollars = Prices.perUnit(entry.value(i));
      if (price != null && dollars != null) {
        long tokens = Long.parseLong(tier.group(2)) * 1000;
        put(
            tiers.computeIfAbsent(
                tokens, size -> Json.object().put("min_prompt_tokens", size.longValue())),
            price,
            dollars);
      }
    }
    if (!tiers.isEmpty()) {
      pricing.put(
          "overrides", Json.array(tiers.values().stream().map(Json.Obj.Builder::build).toList()));
    }
    return pricing.build();
  }

  private static void put(Json.Obj.Builder prices, String price, @Nullable String dollars) {
    if (dollars != null) {
      prices.put(price, dollars);
    }
  }
}
