package io.strowger.providers.messages;

import io.strowger.providers.translate.Losses;
import io.strowger.spi.provider.Call;

/** {@code max_tokens}, which has to be there. */
final class OutputLimit {
  /** Of an endpoint nobody said anything about. */
  static final int USUAL = 4096;

  private OutputLimit() {}

  /**
   * Most output tokens: the cap, else what the caller said, else what the endpoint can, else what
   * is paid for; what is usual when nobody said anything, beside what the caller wants for
   * thinking.
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
    int limit = (int) Math.min(Integer.MAX_VALUE, (long) USUAL + thinking);
    losses.changed("max_tokens", "has to be said here: " + limit);
    return limit;
  }
}
