package io.strowger.spi.routing;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of a {@link RoutingQuery}. Version 2 has all provider preferences; version 1, which
 * had but the lists and the fallbacks, is read as well.
 */
final class RoutingQueryJson {
  private static final int VERSION = 2;

  private RoutingQueryJson() {}

  static Json.Obj write(RoutingQuery query) {
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
        .put("provider", ProviderPreferencesJson.write(query.preferences()))
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
    long version = number(json, "version");
    if (version < 1 || version > VERSION) {
      throw new IllegalArgumentException("a routing query of version " + json.get("version"));
    }
    Json.Obj account = object(json, "account");
    return RoutingQuery.builder(text(json, "catalog_version"))
        .models(list(json, "models").stream().map(ModelRef::parse).toList())
        .kind(Endpoint.Kind.valueOf(text(json, "kind")))
        .preferences(ProviderPreferencesJson.read(object(json, "provider"), version))
        .account(
            new RoutingQuery.AccountRules(
                listOrNull(account, "allowed_providers"), list(account, "ignored_providers")))
        .parameters(number(json, "parameters"))
        .inputModalities(whole(json, "input_modalities"))
        .promptCeiling(number(json, "prompt_ceiling"))
        .outputLimit(whole(json, "output_limit"))
        .defaultOutputTokens(whole(json, "default_output_tokens"))
        .budget(
            Json.NULL.equals(json.get("budget_nanos"))
                ? null
                : new Usd(number(json, "budget_nanos")))
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

  static Json strings(List<String> texts) {
    return Json.array(texts.stream().map(Json::of).toList());
  }

  static Json stringsOrNull(@Nullable List<String> texts) {
    return texts == null ? Json.NULL : strings(texts);
  }

  static long number(Json.Obj json, String name) {
    if (json.get(name) instanceof Json.Num number) {
      return number.asLong().orElseThrow(() -> wrong(name));
    }
    throw wrong(name);
  }

  static boolean flag(Json.Obj json, String name) {
    if (json.get(name) instanceof Json.Bool bool) {
      return bool.value();
    }
    throw wrong(name);
  }

  private static int whole(Json.Obj json, String name) {
    long value = number(json, name);
    if (value != (int) value) {
      throw wrong(name);
    }
    return (int) value;
  }

  static String text(Json.Obj json, String name) {
    String text = json.text(name);
    if (text == null) {
      throw wrong(name);
    }
    return text;
  }

  static Json.Obj object(Json.Obj json, String name) {
    Json.Obj object = json.object(name);
    if (object == null) {
      throw wrong(name);
    }
    return object;
  }

  static List<String> list(Json.Obj json, String name) {
    List<String> texts = listOrNull(json, name);
    if (texts == null) {
      throw wrong(name);
    }
    return texts;
  }

  static @Nullable List<String> listOrNull(Json.Obj json, String name) {
    if (Json.NULL.equals(json.get(name))) {
      return null;
    }
    Json.Arr items = json.list(name);
    if (items == null) {
      throw wrong(name);
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
