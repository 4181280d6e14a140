package io.strowger.providers.responses;

import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What becomes of members in every body that leaves. Translation fact sheet, section 8. */
final class MemberPolicy {
  /** What makes reasoning come in a form that can be sent back. */
  static final String ENCRYPTED = "reasoning.encrypted_content";

  static final String LOGPROBS = "message.output_text.logprobs";

  /** Tiers that have endpoints of their own. */
  private static final Set<String> TIERS = Set.of("fast", "priority", "flex");

  private MemberPolicy() {}

  /** Most output tokens to ask for; 0 when nothing limits them. */
  static int limit(Call call) {
    return call.outputCap() > 0 ? call.outputCap() : call.request().maxOutputTokens();
  }

  /**
   * What was routed is what is asked for: an endpoint of a tier names its own, and a plain one asks
   * for none, since the upstream would serve and bill the tier.
   *
   * @return null when nothing is said
   */
  static @Nullable Json tier(Call call, @Nullable Json asked) {
    String own = call.endpoint().serviceTier();
    if (own != null) {
      return Json.of(own);
    }
    return asked instanceof Json.Str tier && TIERS.contains(tier.text()) ? null : asked;
  }

  /** True when the endpoint takes a member of this name; one nobody lists is always taken. */
  static boolean takes(Call call, String name) {
    return Parameter.ofWireName(name)
        .map(parameter -> call.endpoint().supports(parameter))
        .orElse(true);
  }

  static boolean takesFormat(Call call) {
    return call.endpoint().supports(Parameter.RESPONSE_FORMAT)
        || call.endpoint().supports(Parameter.STRUCTURED_OUTPUTS);
  }

  /** A list that has this word, in its place or at the end. */
  static Json.Arr including(@Nullable Json given, String word) {
    List<Json> words = new ArrayList<>();
    if (given instanceof Json.Arr before) {
      if (before.contains(Json.of(word))) {
        return before;
      }
      words.addAll(before);
    }
    words.add(Json.of(word));
    return Json.array(words);
  }
}
