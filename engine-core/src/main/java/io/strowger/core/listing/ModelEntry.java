package io.strowger.core.listing;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A model with the endpoints that a caller may see, as listings show it. Prices are those of its
 * top endpoint: the cheapest one without a service tier. Resources fact sheet, section 8.
 *
 * @param endpoints at least one, cheapest first
 */
record ModelEntry(ModelInfo model, List<Endpoint> endpoints) {
  ModelEntry {
    endpoints = List.copyOf(endpoints);
    if (endpoints.isEmpty()) {
      throw new IllegalArgumentException(model + " has no endpoint to show");
    }
  }

  Endpoint topEndpoint() {
    return endpoints.stream()
        .filter(endpoint -> endpoint.serviceTier() == null)
        .findFirst()
        .orElse(endpoints.getFirst());
  }

  Json.Obj toJson() {
    return Json.object()
        .put("id", model.id())
        .put("canonical_slug", model.id())
        .put("name", model.name())
        .put("created", createdSeconds())
        .put("description", "")
        .put("architecture", architecture())
        .put("pricing", PricingJson.of(topEndpoint().pricing()))
        .put("top_provider", topProvider())
        .put("context_length", EndpointEntry.tokensOrNull(contextLength()))
        .put("supported_parameters", EndpointEntry.parameters(parameters()))
        .put("default_parameters", Json.NULL)
        .put("per_request_limits", Json.NULL)
        .put("expiration_date", Json.NULL)
        .put("knowledge_cutoff", Json.NULL)
        .put("reasoning", reasoning())
        .put("supported_voices", Json.NULL)
        .put("alias_target", Json.NULL)
        .put("benchmarks", benchmarks())
        .put("links", Json.object().put("details", "/models/" + model.id() + "/endpoints").build())
        .build();
  }

  /** Returns the form of {@code /models/{author}/{slug}/endpoints}, with every endpoint. */
  Json.Obj withEndpoints(List<Json> endpointsJson) {
    return Json.object()
        .put("id", model.id())
        .put("name", model.name())
        .put("created", createdSeconds())
        .put("description", "")
        .put("architecture", architecture())
        .put("reasoning", reasoning())
        .put("endpoints", Json.array(endpointsJson))
        .build();
  }

  /** Returns the creation time in Unix seconds; 0 when unknown, since it must be a number. */
  long createdSeconds() {
    Instant created = model.createdAt();
    return created == null ? 0 : created.getEpochSecond();
  }

  int contextLength() {
    return endpoints.stream().mapToInt(Endpoint::contextLength).max().orElse(0);
  }

  /** Returns the kinds of output the model produces, in the words of listings. */
  TreeSet<String> outputs() {
    var words = new TreeSet<String>();
    for (Endpoint endpoint : endpoints) {
      switch (endpoint.kind()) {
        case CHAT -> words.addAll(words(endpoint.outputModalities()));
        case SPEECH -> words.add("speech");
        case EMBEDDINGS -> words.add("embeddings");
        case RERANK -> words.add("rerank");
        case IMAGES -> words.add("image");
        case TRANSCRIPTIONS -> words.add("transcription");
      }
    }
    return words;
  }

  private long parameters() {
    long mask = 0;
    for (Endpoint endpoint : endpoints) {
      mask |= endpoint.parameterMask();
    }
    return mask;
  }

  private Json.Obj architecture() {
    List<String> inputs =
        words(endpoints.stream().mapToInt(Endpoint::inputModalities).reduce(0, (a, b) -> a | b));
    List<String> outputs = List.copyOf(outputs());
    return Json.object()
        .put("input_modalities", texts(inputs))
        .put("output_modalities", texts(outputs))
        .put("modality", String.join("+", inputs) + "->" + String.join("+", outputs))
        .put("tokenizer", Json.NULL)
        .put("instruct_type", Json.NULL)
        .build();
  }

  private static List<String> words(int mask) {
    var words = new ArrayList<String>();
    for (Modality modality : Modality.values()) {
      if ((mask & modality.bit()) != 0) {
        words.add(modality.wireName());
      }
    }
    return words;
  }

  private static Json.Arr texts(List<String> words) {
    return Json.array(words.stream().<Json>map(Json::of).toList());
  }

  private Json.Obj topProvider() {
    return Json.object()
        .put("context_length", EndpointEntry.tokensOrNull(topEndpoint().contextLength()))
        .put("max_completion_tokens", EndpointEntry.tokensOrNull(topEndpoint().maxOutputTokens()))
        .put("is_moderated", topEndpoint().provider().moderated())
        .build();
  }

  /** Returns how the model reasons; JSON null for a model that does not reason. */
  private Json reasoning() {
    ModelInfo.Reasoning reasoning = model.reasoning();
    if (reasoning.equals(ModelInfo.Reasoning.NONE)
        && (parameters() & Parameter.REASONING.bit()) == 0) {
      return Json.NULL;
    }
    return Json.object()
        .put("mandatory", reasoning.mandatory())
        .put("default_enabled", reasoning.mandatory() ? Json.TRUE : Json.NULL)
        .put("default_effort", Json.NULL)
        .put(
            "supported_efforts",
            reasoning.efforts().isEmpty() ? Json.NULL : texts(reasoning.efforts()))
        .put("supports_max_tokens", reasoning.acceptsMaxTokens())
        .build();
  }

  /** Returns the benchmark scores; JSON null when there are none. */
  private Json benchmarks() {
    Double coding = model.codingScore();
    Double intelligence = model.intelligenceScore();
    return coding == null && intelligence == null
        ? Json.NULL
        : Json.object()
            .put("coding_score", score(coding))
            .put("intelligence_score", score(intelligence))
            .build();
  }

  private static Json score(@Nullable Double score) {
    return score == null ? Json.NULL : Json.of(BigDecimal.valueOf(score));
  }
}
