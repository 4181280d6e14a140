package io.strowger.providers.messages;

import io.strowger.providers.translate.Losses;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Call;
import org.jspecify.annotations.Nullable;

/**
 * The rules for members that hold for every body that is sent. Provider-routing fact sheet, section
 * 14.
 */
final class MemberPolicy {
  /** The limit of output tokens for an endpoint whose maximum is not known. */
  static final int DEFAULT_LIMIT = 4096;

  /** The tier that may use capacity that was bought in advance. */
  private static final String AUTO = "auto";

  private static final String STANDARD = "standard_only";
  private static final String STRUCTURED_OUTPUTS = "structured-outputs";

  private MemberPolicy() {}

  /**
   * Returns {@code max_tokens}, which this dialect requires: the first limit that is set: the cap,
   * the caller's limit, the endpoint's maximum, the tokens that the hold covers; else {@link
   * #DEFAULT_LIMIT} plus the caller's thinking budget.
   */
  static int outputLimit(Call call, Losses losses) {
    if (call.outputCap() > 0) {
      return call.outputCap();
    }
    if (call.request().maxOutputTokens() > 0) {
      return call.request().maxOutputTokens();
    }
    if (call.endpoint().maxOutputTokens() > 0) {
      return call.endpoint().maxOutputTokens();
    }
    if (call.outputHold() > 0) {
      return call.outputHold();
    }
    int thinking = Math.max(0, call.request().generationParameters().reasoning().budget());
    int limit = (int) Math.min(Integer.MAX_VALUE, (long) DEFAULT_LIMIT + thinking);
    losses.changed("max_tokens", "is required in this dialect, so it was set to " + limit);
    return limit;
  }

  /**
   * Returns the tier to request; null for none. For a priority endpoint this is {@code auto}. For
   * any other endpoint it follows the caller: {@code auto} stays; {@code standard_only}, {@code
   * standard} and {@code default} become {@code standard_only}; any other tier is reported as a
   * loss and becomes none.
   *
   * @param requested the tier the caller requested, in any dialect; null when there was none
   */
  static @Nullable String serviceTier(@Nullable String requested, Call call, Losses losses) {
    if (isPriority(call)) {
      return AUTO;
    }
    return switch (requested) {
      case null -> null;
      case AUTO -> AUTO;
      case STANDARD, "default", "standard" -> STANDARD;
      default -> {
        losses.dropped("service_tier", "the endpoint does not offer the tier " + requested);
        yield null;
      }
    };
  }

  static boolean isPriority(Call call) {
    return "priority".equals(call.endpoint().serviceTier());
  }

  /** Returns whether {@code strict} may be sent; without its feature, upstreams refuse it. */
  static boolean allowsStrictTools(InferenceRequest request) {
    return request.upstreamFeatures().stream()
        .anyMatch(feature -> feature.startsWith(STRUCTURED_OUTPUTS));
  }
}
