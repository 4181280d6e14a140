package io.strowger.core;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.ProviderObject;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.Objects;

/**
 * A {@code provider} object that is merged over the {@code provider} objects of requests: each of
 * its members replaces the request's member, and a null removes the request's member. Immutable.
 */
record PreferenceChange(Json.Obj members, ProviderPreferences preferences) {
  /** Changes nothing. */
  static final PreferenceChange NONE =
      new PreferenceChange(Json.Obj.EMPTY, ProviderPreferences.NONE);

  /**
   * Reads the object by the rules for requests.
   *
   * @throws io.strowger.spi.error.GatewayException with every problem when it breaks a rule
   */
  static PreferenceChange of(Json.Obj provider) {
    var problems = new Problems();
    ProviderPreferences preferences =
        ProviderObject.RULE.read(provider, new DecodingContext(problems));
    problems.throwIfAny();
    return new PreferenceChange(provider, Objects.requireNonNull(preferences));
  }

  /** Returns the preferences with the members of this object instead of their own. */
  ProviderPreferences applyTo(ProviderPreferences original) {
    if (members.size() == 0) {
      return original;
    }
    ProviderPreferences.Builder merged = original.toBuilder();
    for (int i = 0; i < members.size(); i++) {
      replace(merged, members.name(i));
    }
    return merged.build();
  }

  private void replace(ProviderPreferences.Builder merged, String member) {
    switch (member) {
      case "order" -> merged.order(preferences.order());
      case "only" -> merged.only(preferences.only());
      case "ignore" -> merged.ignore(preferences.ignore());
      case "allow_fallbacks" -> merged.allowFallbacks(preferences.allowFallbacks());
      case "require_parameters" -> merged.requireParameters(preferences.requireParameters());
      case "data_collection" -> merged.denyDataCollection(preferences.denyDataCollection());
      case "zdr" -> merged.zdr(preferences.zdr());
      case "enforce_distillable_text" ->
          merged.enforceDistillableText(preferences.enforceDistillableText());
      case "quantizations" -> merged.quantizations(preferences.quantizations());
      case "max_price" -> merged.maxPrice(preferences.maxPrice());
      case "sort" -> merged.sort(preferences.sort());
      case "preferred_min_throughput" ->
          merged.preferredMinThroughput(preferences.preferredMinThroughput());
      case "preferred_max_latency" -> merged.preferredMaxLatency(preferences.preferredMaxLatency());
      default -> throw new IllegalArgumentException(member + " is not a member of provider");
    }
  }
}
