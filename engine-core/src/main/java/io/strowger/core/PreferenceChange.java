package io.strowger.core;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.ProviderObject;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.Objects;

/**
 * A {@code provider} object that is merged over those of other requests: each of its members
 * replaces the request's, and a null removes it. Immutable.
 */
final class PreferenceChange {
  /** Changes nothing. */
  static final PreferenceChange NONE =
      new PreferenceChange(Json.Obj.EMPTY, ProviderPreferences.NONE);

  private final Json.Obj members;
  private final ProviderPreferences read;

  private PreferenceChange(Json.Obj members, ProviderPreferences read) {
    this.members = members;
    this.read = read;
  }

  /**
   * Reads the object by the rules for requests.
   *
   * @throws io.strowger.spi.error.GatewayException with every problem when it breaks a rule
   */
  static PreferenceChange of(Json.Obj provider) {
    var problems = new Problems();
    ProviderPreferences read = ProviderObject.RULE.read(provider, new DecodingContext(problems));
    problems.throwIfAny();
    return new PreferenceChange(provider, Objects.requireNonNull(read));
  }

  /** Returns the preferences with the members of this object instead of their own. */
  ProviderPreferences over(ProviderPreferences before) {
    if (members.size() == 0) {
      return before;
    }
    ProviderPreferences.Builder merged = before.toBuilder();
    for (int i = 0; i < members.size(); i++) {
      replace(merged, members.name(i));
    }
    return merged.build();
  }

  private void replace(ProviderPreferences.Builder merged, String member) {
    switch (member) {
      case "order" -> merged.order(read.order());
      case "only" -> merged.only(read.only());
      case "ignore" -> merged.ignore(read.ignore());
      case "allow_fallbacks" -> merged.allowFallbacks(read.allowFallbacks());
      case "require_parameters" -> merged.requireParameters(read.requireParameters());
      case "data_collection" -> merged.denyDataCollection(read.denyDataCollection());
      case "zdr" -> merged.zdr(read.zdr());
      case "enforce_distillable_text" ->
          merged.enforceDistillableText(read.enforceDistillableText());
      case "quantizations" -> merged.quantizations(read.quantizations());
      case "max_price" -> merged.maxPrice(read.maxPrice());
      case "sort" -> merged.sort(read.sort());
      case "preferred_min_throughput" ->
          merged.preferredMinThroughput(read.preferredMinThroughput());
      case "preferred_max_latency" -> merged.preferredMaxLatency(read.preferredMaxLatency());
      default -> throw new IllegalArgumentException(member + " is not a member of provider");
    }
  }
}
