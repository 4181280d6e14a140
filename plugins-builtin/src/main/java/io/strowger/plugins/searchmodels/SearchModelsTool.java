package io.strowger.plugins.searchmodels;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.plugin.ServerTool;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Finds models of the catalog: {@code
 * {"models":[{"id":...,"context_length":...}],"total_results":7, "showing":5}}. The models meet all
 * criteria and are sorted newest first, then by id; hidden and private models are never included.
 * Free of charge.
 *
 * <p>Contract: plugins fact sheet, section 12, {@code experimental__search_models}.
 */
public final class SearchModelsTool implements ServerTool {
  private static final int MAX_RESULTS = 20;
  private static final int DEFAULT_RESULTS = 5;
  private static final Comparator<ModelInfo> NEWEST_FIRST =
      Comparator.comparing(
              ModelInfo::createdAt, Comparator.nullsFirst(Comparator.<Instant>naturalOrder()))
          .reversed()
          .thenComparing(ModelInfo::id);

  private static final Spec SPEC =
      new Spec(
          "router:experimental__search_models",
          "Searches the models that this gateway serves.",
          Json.object()
              .put("type", "object")
              .put(
                  "properties",
                  Json.object()
                      .put("query", text("Words in the model's id or name."))
                      .put("input_modalities", modalities("Modalities it must accept."))
                      .put("output_modalities", modalities("Modalities it must return."))
                      .put(
                          "min_context_length",
                          Json.object()
                              .put("type", "integer")
                              .put("minimum", 0)
                              .put("description", "Minimum context, in tokens.")
                              .build())
                      .put("series", text("The model's maker or family."))
                      .build())
              .put("additionalProperties", false)
              .build());

  private static Json text(String description) {
    return Json.object().put("type", "string").put("description", description).build();
  }

  private static Json modalities(String description) {
    List<Json> words = new ArrayList<>();
    for (Modality modality : Modality.values()) {
      words.add(Json.of(modality.wireName()));
    }
    return Json.object()
        .put("type", "array")
        .put("items", Json.object().put("type", "string").put("enum", Json.array(words)).build())
        .put("description", description)
        .build();
  }

  @Override
  public Spec spec() {
    return SPEC;
  }

  /** The criteria of a search; empty words and series, and zeros, match every model. */
  private record Criteria(
      List<String> words, int inputMask, int outputMask, long minContext, String series) {
    boolean matches(ModelInfo model) {
      if (model.isHidden() || model.isPrivate() || model.endpoints().isEmpty()) {
        return false;
      }
      String searchText = (model.id() + " " + model.name()).toLowerCase(Locale.ROOT);
      return words.stream().allMatch(searchText::contains)
          && isOfSeries(model)
          && model.endpoints().stream().anyMatch(this::matches);
    }

    private boolean matches(Endpoint endpoint) {
      return (endpoint.inputModalities() & inputMask) == inputMask
          && (endpoint.outputModalities() & outputMask) == outputMask
          && endpoint.contextLength() >= minContext;
    }

    private boolean isOfSeries(ModelInfo model) {
      String family = model.family() == null ? "" : model.family();
      return series.isEmpty()
          || (model.id() + " " + family).toLowerCase(Locale.ROOT).contains(series);
    }
  }

  @Override
  public Json run(Invocation call, Chain chain) throws ToolException {
    Criteria criteria = parseCriteria(call.arguments());
    int limit =
        Math.clamp(call.parameters().longValue("max_results", DEFAULT_RESULTS), 1, MAX_RESULTS);
    Catalog catalog = chain.catalog();
    List<ModelInfo> matches =
        catalog.models().stream().filter(criteria::matches).sorted(NEWEST_FIRST).toList();
    List<Json> page = matches.stream().limit(limit).map(SearchModelsTool::toJson).toList();
    return Json.object()
        .put("models", Json.array(page))
        .put("total_results", matches.size())
        .put("showing", page.size())
        .build();
  }

  private static Criteria parseCriteria(Json.Obj arguments) throws ToolException {
    String query = string(arguments, "query");
    List<String> words =
        query.isBlank() ? List.of() : List.of(query.strip().toLowerCase(Locale.ROOT).split("\\s+"));
    Json context = arguments.get("min_context_length");
    if (context != null && !(context instanceof Json.Num)) {
      throw new ToolException("min_context_length must be a number of tokens");
    }
    return new Criteria(
        words,
        mask(arguments, "input_modalities"),
        mask(arguments, "output_modalities"),
        arguments.longValue("min_context_length", 0),
        string(arguments, "series").strip().toLowerCase(Locale.ROOT));
  }

  private static String string(Json.Obj arguments, String name) throws ToolException {
    Json value = arguments.get(name);
    if (value == null || value instanceof Json.Null) {
      return "";
    }
    if (value instanceof Json.Str text) {
      return text.text();
    }
    throw new ToolException(name + " must be a string");
  }

  private static int mask(Json.Obj arguments, String name) throws ToolException {
    Json value = arguments.get(name);
    if (value == null || value instanceof Json.Null) {
      return 0;
    }
    int mask = 0;
    for (Json item : value instanceof Json.Arr items ? items : Json.array(Json.NULL)) {
      int bit = 0;
      for (Modality modality : Modality.values()) {
        bit |= item instanceof Json.Str word && word.is(modality.wireName()) ? modality.bit() : 0;
      }
      if (bit == 0) {
        throw new ToolException(
            name
                + " must be a list of words from "
                + List.of(Modality.values()).stream().map(Modality::wireName).toList());
      }
      mask |= bit;
    }
    return mask;
  }

  private static Json toJson(ModelInfo model) {
    Endpoint cheapest = model.endpoints().getFirst();
    int inputs = 0;
    int outputs = 0;
    int context = 0;
    for (Endpoint endpoint : model.endpoints()) {
      inputs |= endpoint.inputModalities();
      outputs |= endpoint.outputModalities();
      context = Math.max(context, endpoint.contextLength());
    }
    return Json.object()
        .put("id", model.id())
        .put("name", model.name())
        .put("context_length", context == 0 ? Json.NULL : Json.of(context))
        .put("input_modalities", modalityNames(inputs))
        .put("output_modalities", modalityNames(outputs))
        .put(
            "pricing",
            Json.object()
                .put("prompt", perToken(cheapest, Price.PROMPT))
                .put("completion", perToken(cheapest, Price.COMPLETION))
                .build())
        .build();
  }

  private static String perToken(Endpoint endpoint, Price price) {
    return endpoint.pricing().price(price).dollars().toPlainString();
  }

  private static Json modalityNames(int mask) {
    var words = new ArrayList<Json>();
    for (Modality modality : Modality.values()) {
      if ((mask & modality.bit()) != 0) {
        words.add(Json.of(modality.wireName()));
      }
    }
    return Json.array(words);
  }
}
