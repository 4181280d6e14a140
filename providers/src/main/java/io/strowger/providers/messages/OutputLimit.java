package io.strowger.providers.messages;

import io.strowger.providers.translate.Losses;
import io.strowger.spi.provider.Call;

/** Chooses {@code max_tokens}, which this dialect requires. */
final class OutputLimit {
  /** The limit for an endpoint whose maximum is not known. */
  static final int DEFAULT_LIMIT = 4096;

  private OutputLimit() {}

  /**
   * Returns the first limit that is set: the cap, the caller's limit, the endpoint's maximum, the
   * tokens that the hold covers; else {@link #DEFAULT_LIMIT} plus the caller's thinking budget.
   */
  static int of(Call call, Losses losses) {
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
}
