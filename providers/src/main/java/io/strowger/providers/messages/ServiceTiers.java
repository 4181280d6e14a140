package io.strowger.providers.messages;

import io.strowger.providers.translate.Losses;
import io.strowger.spi.provider.Call;
import org.jspecify.annotations.Nullable;

/**
 * {@code service_tier}: {@code auto} may use capacity that was paid for before, {@code
 * standard_only} does not.
 */
final class ServiceTiers {
  private static final String AUTO = "auto";
  private static final String STANDARD = "standard_only";

  private ServiceTiers() {}

  /**
   * What was routed is what is asked for: an endpoint of the dear tier asks for it, whatever the
   * caller's word was, and a plain one never does so because of a word for the dear tier.
   *
   * @param wanted the caller's word, of whatever dialect; null when there was none
   */
  static @Nullable String of(@Nullable String wanted, Call call, Losses losses) {
    if (isPriority(call)) {
      return AUTO;
    }
    return switch (wanted) {
      case null -> null;
      case AUTO -> AUTO;
      case STANDARD, "default", "standard" -> STANDARD;
      default -> {
        losses.dropped("service_tier", "the endpoint does not have " + wanted);
        yield null;
      }
    };
  }

  static boolean isPriority(Call call) {
    return "priority".equals(call.endpoint().serviceTier());
  }
}
