package io.strowger.core.routing;

import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.PercentilePreferences;
import io.strowger.spi.routing.PriceCaps;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.ProviderSort;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The JSON form of {@link ProviderPreferences} inside a routing query: amounts are exact integers
 * (picodollars, millionths), so that nothing is rounded twice.
 */
final class ProviderPreferencesJson {
  private ProviderPreferencesJson() {}

  static Json.Obj write(ProviderPreferences preferences) {
    ProviderSort.Key sortKey = preferences.sort().by();
    return Json.object()
        .put("order", RoutingQueryJson.strings(preferences.order()))
        .put("only", RoutingQueryJson.stringsOrNull(preferences.only()))
        .put("ignore", RoutingQueryJson.strings(preferences.ignore()))
        .put("allow_fallbacks", preferences.allowFallbacks())
        .put("require_parameters", preferences.requireParameters())
        .put("deny_data_collection", preferences.denyDataCollection())
        .put("zdr", preferences.zdr())
        .put("enforce_distillable_text", preferences.enforceDistillableText())
        .put("quantizations", RoutingQueryJson.strings(preferences.quantizations()))
        .put("max_price_picos", caps(preferences.maxPrice()))
        .putOrNull("sort_by", sortKey == null ? null : lowerName(sortKey))
        .put("sort_partition", lowerName(preferences.sort().partition()))
        .put("preferred_min_throughput_micros", cutoffs(preferences.preferredMinThroughput()))
        .put("preferred_max_latency_micros", cutoffs(preferences.preferredMaxLatency()))
        .build();
  }

  static ProviderPreferences read(Json.Obj json) {
    String sortKey = Json.NULL.equals(json.get("sort_by")) ? null : upperCaseText(json, "sort_by");
    return ProviderPreferences.builder()
        .order(RoutingQueryJson.list(json, "order"))
        .only(RoutingQueryJson.listOrNull(json, "only"))
        .ignore(RoutingQueryJson.list(json, "ignore"))
        .allowFallbacks(RoutingQueryJson.flag(json, "allow_fallbacks"))
        .requireParameters(RoutingQueryJson.flag(json, "require_parameters"))
        .denyDataCollection(RoutingQueryJson.flag(json, "deny_data_collection"))
        .zdr(RoutingQueryJson.flag(json, "zdr"))
        .enforceDistillableText(RoutingQueryJson.flag(json, "enforce_distillable_text"))
        .quantizations(RoutingQueryJson.list(json, "quantizations"))
        .maxPrice(caps(RoutingQueryJson.object(json, "max_price_picos")))
        .sort(
            new ProviderSort(
                sortKey == null ? null : ProviderSort.Key.valueOf(sortKey),
                ProviderSort.Partition.valueOf(upperCaseText(json, "sort_partition"))))
        .preferredMinThroughput(
            cutoffs(RoutingQueryJson.object(json, "preferred_min_throughput_micros")))
        .preferredMaxLatency(cutoffs(RoutingQueryJson.object(json, "preferred_max_latency_micros")))
        .build();
  }

  private static Json.Obj caps(PriceCaps caps) {
    return Json.object()
        .put("prompt", picos(caps.prompt()))
        .put("completion", picos(caps.completion()))
        .put("image", picos(caps.image()))
        .put("audio", picos(caps.audio()))
        .put("request", picos(caps.request()))
        .build();
  }

  private static PriceCaps caps(Json.Obj json) {
    return new PriceCaps(
        price(json, "prompt"),
        price(json, "completion"),
        price(json, "image"),
        price(json, "audio"),
        price(json, "request"));
  }

  private static Json.Obj cutoffs(PercentilePreferences percentilePreferences) {
    return Json.object()
        .put("p50", jsonNumber(percentilePreferences.p50()))
        .put("p75", jsonNumber(percentilePreferences.p75()))
        .put("p90", jsonNumber(percentilePreferences.p90()))
        .put("p99", jsonNumber(percentilePreferences.p99()))
        .build();
  }

  private static PercentilePreferences cutoffs(Json.Obj json) {
    return new PercentilePreferences(
        numberOrNull(json, "p50"),
        numberOrNull(json, "p75"),
        numberOrNull(json, "p90"),
        numberOrNull(json, "p99"));
  }

  private static Json picos(@Nullable UnitPrice price) {
    return price == null ? Json.NULL : Json.of(price.picos());
  }

  private static Json jsonNumber(@Nullable Long number) {
    return number == null ? Json.NULL : Json.of(number);
  }

  private static @Nullable UnitPrice price(Json.Obj json, String name) {
    Long picos = numberOrNull(json, name);
    return picos == null ? null : new UnitPrice(picos);
  }

  private static @Nullable Long numberOrNull(Json.Obj json, String name) {
    return Json.NULL.equals(json.get(name)) ? null : RoutingQueryJson.number(json, name);
  }

  private static String lowerName(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static String upperCaseText(Json.Obj json, String name) {
    return RoutingQueryJson.text(json, name).toUpperCase(Locale.ROOT);
  }
}
