package io.strowger.providers.responses;

import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules for members that hold for every body that is sent. Translation fact sheet, section 8.
 */
final class MemberPolicy {
  /** The value of {@code include} that requests reasoning in a form that can be sent back. */
  static final String ENCRYPTED = "reasoning.encrypted_content";

  static final String LOGPROBS = "message.output_text.logprobs";

  /** Service tiers that have endpoints of their own. */
  private static final Set<String> TIERS_WITH_ENDPOINTS = Set.of("fast", "priority", "flex");

  private MemberPolicy() {}

  /** Returns the limit of output tokens; 0 when there is none. */
  static int limit(Call call) {
    return call.outputCap() > 0 ? call.outputCap() : call.request().maxOutputTokens();
  }

  /**
   * Returns the service tier of the chosen endpoint. An endpoint without a tier never asks for one
   * that has endpoints of its own, since the upstream would serve and bill that tier.
   *
   * @return null when no tier is sent
   */
  static @Nullable Json tier(Call call, @Nullable Json requested) {
    String endpointTier = call.endpoint().serviceTier();
    if (endpointTier != null) {
      return Json.of(endpointTier);
    }
    return requested instanceof Json.Str tier && TIERS_WITH_ENDPOINTS.contains(tier.text())
        ? null
        : requested;
  }

  /**
   * Returns whether the endpoint accepts a member; a member that is not a parameter is always
   * accepted.
   */
  static boolean accepts(Call call, String name) {
    return Parameter.ofWireName(name)
        .map(parameter -> call.endpoint().supports(parameter))
        .orElse(true);
  }

  static boolean acceptsFormat(Call call) {
    return call.endpoint().supports(Parameter.RESPONSE_FORMAT)
        || call.endpoint().supports(Parameter.STRUCTURED_OUTPUTS);
  }

  /**
   * Returns the list with this value, appended if it is missing; a list of only this value if there
   * is no list.
   */
  static Json.Arr withValue(@Nullable Json list, String value) {
    List<Json> values = new ArrayList<>();
    if (list instanceof Json.Arr original) {
      if (original.contains(Json.of(value))) {
        return original;
      }
      values.addAll(original);
    }
    values.add(Json.of(value));
    return Json.array(values);
  }
}
