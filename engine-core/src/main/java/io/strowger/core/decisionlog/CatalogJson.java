package io.strowger.core.decisionlog;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of a {@link Catalog}. The form is exact: a catalog that is read back equals the
 * original, with the same ordinals. Credentials and addresses are not part of a catalog.
 */
final class CatalogJson {
  private CatalogJson() {}

  static Json.Obj write(Catalog catalog) {
    return Json.object()
        .put("version", catalog.version())
        .put(
            "providers",
            Json.array(catalog.providers().stream().map(CatalogJson::provider).toList()))
        .put(
            "models",
            Json.array(catalog.models().stream().map(model -> model(model, catalog)).toList()))
        .build();
  }

  static Catalog read(LogDocument json) {
    Catalog.Builder catalog = Catalog.builder(json.text("version"));
    var providers = new ArrayList<ProviderInfo>();
    for (LogDocument provider : json.objects("providers")) {
      ProviderInfo providerInfo = provider(provider);
      providers.add(providerInfo);
      catalog.provider(providerInfo);
    }
    for (LogDocument model : json.objects("models")) {
      String id = model.text("id");
      var endpoints = new ArrayList<Endpoint>();
      for (LogDocument endpoint : model.objects("endpoints")) {
        endpoints.add(EndpointJson.read(endpoint, id, provider(endpoint, providers)));
      }
      catalog.add(model(model, id), endpoints);
    }
    return catalog.build();
  }

  private static Json provider(ProviderInfo provider) {
    Json.Obj.Builder json =
        Json.object()
            .put("slug", provider.slug())
            .put("name", provider.name())
            .put("retains", provider.retainsPrompts())
            .put("trains", provider.trainsOnPrompts())
            .putOrNull("region", provider.region())
            .put("moderated", provider.moderated());
    if (!provider.protocol().isEmpty()) {
      json.put("protocol", provider.protocol()); // left out when empty, as in older versions
    }
    return json.build();
  }

  private static ProviderInfo provider(LogDocument json) {
    return new ProviderInfo(
        json.text("slug"),
        json.text("name"),
        json.flag("retains"),
        json.flag("trains"),
        json.textOrNull("region"),
        json.flag("moderated"),
        json.isAbsent("protocol") ? "" : json.text("protocol"));
  }

  /** Returns the number of a provider, or the whole provider if it differs from the catalog's. */
  private static Json providerOf(Endpoint endpoint, Catalog catalog) {
    int number = endpoint.providerOrdinal();
    return catalog.providers().get(number).equals(endpoint.provider())
        ? Json.of(number)
        : provider(endpoint.provider());
  }

  private static ProviderInfo provider(LogDocument endpoint, List<ProviderInfo> providers) {
    if (endpoint.members().get("provider") instanceof Json.Obj providerJson) {
      return provider(new LogDocument(providerJson));
    }
    int number = endpoint.intNumber("provider");
    if (number < 0 || number >= providers.size()) {
      throw LogDocument.unexpectedForm("provider");
    }
    return providers.get(number);
  }

  private static Json model(ModelInfo model, Catalog catalog) {
    Instant created = model.createdAt();
    List<Json> endpoints =
        model.endpoints().stream()
            .map(endpoint -> EndpointJson.write(endpoint, providerOf(endpoint, catalog)))
            .toList();
    return Json.object()
        .put("id", model.id())
        .put("name", model.name())
        .putOrNull("family", model.family())
        .putOrNull("created", created == null ? null : created.toString())
        .put("hidden", model.isHidden())
        .put("private", model.isPrivate())
        .put("aliases", texts(model.aliases()))
        .put("distillable", model.distillable())
        .put("coding_score", fraction(model.codingScore()))
        .put("intelligence_score", fraction(model.intelligenceScore()))
        .put(
            "reasoning",
            Json.object()
                .put("mandatory", model.reasoning().mandatory())
                .put("efforts", texts(model.reasoning().efforts()))
                .put("max_tokens", model.reasoning().acceptsMaxTokens())
                .build())
        .put("endpoints", Json.array(endpoints))
        .build();
  }

  private static ModelInfo model(LogDocument json, String id) {
    LogDocument reasoning = json.object("reasoning");
    String created = json.textOrNull("created");
    return ModelInfo.builder(id)
        .name(json.text("name"))
        .family(json.textOrNull("family"))
        .createdAt(created == null ? null : moment(created))
        .isHidden(json.flag("hidden"))
        .isPrivate(json.flag("private"))
        .aliases(json.texts("aliases"))
        .distillable(json.flag("distillable"))
        .codingScore(json.isAbsent("coding_score") ? null : json.fraction("coding_score"))
        .intelligenceScore(
            json.isAbsent("intelligence_score") ? null : json.fraction("intelligence_score"))
        .reasoning(
            new ModelInfo.Reasoning(
                reasoning.flag("mandatory"),
                reasoning.texts("efforts"),
                reasoning.flag("max_tokens")))
        .build();
  }

  private static Instant moment(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  static Json texts(List<String> texts) {
    return Json.array(texts.stream().map(Json::of).toList());
  }

  /** Returns the shortest decimal that reads back as the same double. */
  static Json fraction(@Nullable Double value) {
    return value == null ? Json.NULL : Json.of(BigDecimal.valueOf(value));
  }
}
