package io.strowger.core.client;

import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ProviderSort;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * The provider preferences of a request: which providers may answer and which are tried first.
 * Every method returns this object; the gateway decides what is not set. For one thread. Contract:
 * "Provider preferences"; provider-routing fact sheet, section 1.
 */
public final class RoutingPreferences {
  private final Json.Obj.Builder members = Json.object();
  private final Json.Obj.Builder maxPrice = Json.object();
  private boolean hasMaxPrice;

  RoutingPreferences() {}

  /** Tries endpoints in the order of one measure instead of balancing load. */
  public RoutingPreferences sort(ProviderSort.Key key) {
    return member("sort", Json.of(key.name().toLowerCase(Locale.ROOT)));
  }

  /** Tries the providers with these slugs first, in this order. */
  public RoutingPreferences order(String... providers) {
    return member("order", texts(providers));
  }

  /** Uses these providers and no others. */
  public RoutingPreferences only(String... providers) {
    return member("only", texts(providers));
  }

  /** Does not use these providers. */
  public RoutingPreferences ignore(String... providers) {
    return member("ignore", texts(providers));
  }

  /** Uses endpoints of these quantizations only, such as {@code fp8}. */
  public RoutingPreferences quantizations(String... names) {
    return member("quantizations", texts(names));
  }

  /** Sets whether another endpoint may answer when the first one cannot. Default: true. */
  public RoutingPreferences allowFallbacks(boolean value) {
    return member("allow_fallbacks", Json.of(value));
  }

  /** Sets whether endpoints must support every parameter of the request. Default: false. */
  public RoutingPreferences requireParameters(boolean value) {
    return member("require_parameters", Json.of(value));
  }

  /** Uses no provider that may store requests and use them. */
  public RoutingPreferences denyDataCollection() {
    return member("data_collection", Json.of("deny"));
  }

  /** Uses only endpoints that do not retain prompts. */
  public RoutingPreferences zeroDataRetention() {
    return member("zdr", Json.TRUE);
  }

  /** Uses only endpoints whose prompt costs at most this many US dollars per million tokens. */
  public RoutingPreferences maxPromptPrice(String usdPerMillion) {
    return maxPrice("prompt", usdPerMillion);
  }

  /** Uses only endpoints whose output costs at most this many US dollars per million tokens. */
  public RoutingPreferences maxCompletionPrice(String usdPerMillion) {
    return maxPrice("completion", usdPerMillion);
  }

  private RoutingPreferences maxPrice(String price, String usd) {
    maxPrice.put(price, Json.of(new BigDecimal(usd)));
    hasMaxPrice = true;
    return this;
  }

  /** Prefers endpoints whose median throughput is at least this many tokens a second. */
  public RoutingPreferences preferredMinThroughput(double tokensPerSecond) {
    return member("preferred_min_throughput", Json.of(BigDecimal.valueOf(tokensPerSecond)));
  }

  /** Prefers endpoints whose median time to the first token is at most this many seconds. */
  public RoutingPreferences preferredMaxLatency(double seconds) {
    return member("preferred_max_latency", Json.of(BigDecimal.valueOf(seconds)));
  }

  private RoutingPreferences member(String name, Json value) {
    members.put(name, value);
    return this;
  }

  private static Json.Arr texts(String... texts) {
    return Json.array(List.of(texts).stream().map(Objects::requireNonNull).map(Json::of).toList());
  }

  /** Returns the {@code provider} object of a body. */
  Json.Obj toJson() {
    Json.Obj json = members.build();
    return hasMaxPrice
        ? Json.object().putAll(json).put("max_price", maxPrice.build()).build()
        : json;
  }
}
