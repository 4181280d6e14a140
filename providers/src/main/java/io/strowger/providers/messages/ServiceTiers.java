package io.strowger.providers.messages;

import io.strowger.providers.translate.Losses;
import io.strowger.spi.provider.Call;
import org.jspecify.annotations.Nullable;

/**
 * Chooses {@code service_tier}: {@code auto} may use capacity that was bought in advance, {@code
 * standard_only} does not.
 */
final class ServiceTiers {
  private static final String AUTO = "auto";
  private static final String STANDARD = "standard_only";

  private ServiceTiers() {}

  /**
   * Returns the tier to request; null for none. For a priority endpoint this is {@code auto}. For
   * any other endpoint it follows the caller: {@code auto} stays; {@code standard_only}, {@code
   * standard} and {@code default} become {@code standard_only}; any other tier is reported as a
   * loss and becomes none.
   *
   * @param requested the tier the caller requested, in any dialect; null when there was none
   */
  static @Nullable String of(@Nullable String requested, Call call, Losses losses) {
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
}
