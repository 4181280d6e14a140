package io.strowger.spi.routing;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JSON form of a {@link RoutingQuery}, version 1. */
final class RoutingQueryJson {
  private static final int VERSION = 1;

  private RoutingQueryJson() {}

  static Json.Obj write(RoutingQuery query) {
    var preferences = query.preferences();
    var wishes =
        Json.object()
            .put("order", strings(preferences.order()))
            .put("only", stringsOrNull(preferences.only()))
            .put("ignore", strings(preferences.ignore()))
            .put("allow_fallbacks", preferences.allowFallbacks())
            .build();
    var account =
        Json.object()
            .put("allowed_providers", stringsOrNull(query.account().allowedProviders()))
            .put("ignored_providers", strings(query.account().ignoredProviders()))
            .build();
    Usd budget = query.budget();
    return Json.object()
        .put("version", VERSION)
        .put("catalog_version", query.catalogVersion())
        .put("models", strings(query.models().stream().map(ModelRef::toString).toList()))
        .put("kind", query.kind().name())
        .put("provider", wishes)
        .put("account", account)
        .put("parameters", query.parameters())
        .put("input_modalities", query.inputModalities())
        .put("prompt_ceiling", query.promptCeiling())
        .put("output_limit", query.outputLimit())
        .put("default_output_tokens", query.defaultOutputTokens())
        .put("budget_nanos", budget == null ? Json.NULL : Json.of(budget.nanos()))
        .put("at", query.at().toString())
        .put("seed", query.seed())
        .build();
  }

  static RoutingQuery read(Json.Obj json) {
    if (number(json, "version") != VERSION) {
      throw new IllegalArgumentException("a routing query of version " + json.get("version"));
    }
    Json.Obj wishes = object(json, "provider");
    Json.Obj account = object(json, "account");
    var preferences =
        ProviderPreferences.builder()
            .order(list(wishes, "order"))
            .only(listOrNull(wishes, "only"))
            .ignore(list(wishes, "ignore"))
            .allowFallbacks(Json.TRUE.equals(wishes.get("allow_fallbacks")))
            .build();
    return RoutingQuery.builder(text(json, "catalog_version"))
        .models(list(json, "models").stream().map(ModelRef::parse).toList())
        .kind(Endpoint.Kind.valueOf(text(json, "kind")))
        .preferences(preferences)
        .account(
            new RoutingQuery.AccountRules(
                listOrNull(account, "allowed_providers"), list(account, "ignored_providers")))
        .parameters(number(json, "parameters"))
        .inputModalities((int) number(json, "input_modalities"))
        .promptCeiling(number(json, "prompt_ceiling"))
        .outputLimit((int) number(json, "output_limit"))
        .defaultOutputTokens((int) number(json, "default_output_tokens"))
        .budget(
            json.get("budget_nanos") instanceof Json.Num nanos
                ? new Usd(nanos.asLong().orElseThrow(() -> wrong("budget_nanos")))
                : null)
        .at(instant(text(json, "at")))
        .seed(number(json, "seed"))
        .build();
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static Json strings(List<String> texts) {
    return Json.array(texts.stream().map(Json::of).toList());
  }

  private static Json stringsOrNull(@Nullable List<String> texts) {
    return texts == null ? Json.NULL : strings(texts);
  }

  private static long number(Json.Obj json, String name) {
    if (json.get(name) instanceof Json.Num number) {
      return number.asLong().orElseThrow(() -> wrong(name));
    }
    throw wrong(name);
  }

  private static String text(Json.Obj json, String name) {
    String text = json.text(name);
    if (text == null) {
      throw wrong(name);
    }
    return text;
  }

  private static Json.Obj object(Json.Obj json, String name) {
    Json.Obj object = json.object(name);
    if (object == null) {
      throw wrong(name);
    }
    return object;
  }

  private static List<String> list(Json.Obj json, String name) {
    List<String> texts = listOrNull(json, name);
    if (texts == null) {
      throw wrong(name);
    }
    return texts;
  }

  private static @Nullable List<String> listOrNull(Json.Obj json, String name) {
    Json.Arr items = json.list(name);
    if (items == null) {
      return null;
    }
    return items.stream()
        .map(
            item -> {
              if (item instanceof Json.Str str) {
                return str.text();
              }
              throw wrong(name);
            })
        .toList();
  }

  private static IllegalArgumentException wrong(String name) {
    return new IllegalArgumentException("not a routing query: " + name);
  }
}
