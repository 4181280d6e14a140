package io.strowger.spi.catalog;

import java.util.Locale;

/**
 * The units that an endpoint's pricing charges for. The wire names are those of the configuration's
 * {@code pricing} object.
 */
public enum Price {
  PROMPT,
  COMPLETION,
  INPUT_CACHE_READ,
  INPUT_CACHE_WRITE,
  INPUT_CACHE_WRITE_1H,
  INTERNAL_REASONING,
  REQUEST,
  IMAGE,
  INPUT_AUDIO,
  OUTPUT_AUDIO,
  CHARACTERS,
  WEB_SEARCH,
  /** The unit of rerank providers: one query over a certain number of documents. */
  SEARCH_UNITS,
  /** Seconds of audio that is transcribed. */
  SECONDS;

  // computed once: a catalog asks for it thousands of times
  private final String wireName = name().toLowerCase(Locale.ROOT);

  /**
   * Returns the price that applies when this one is not given; this price itself when a missing
   * price means free. The enum lists a fallback before the prices that use it.
   */
  Price fallback() {
    return switch (this) {
      case INPUT_CACHE_READ, INPUT_CACHE_WRITE -> PROMPT;
      case INPUT_CACHE_WRITE_1H -> INPUT_CACHE_WRITE;
      case INTERNAL_REASONING -> COMPLETION;
      case PROMPT,
          COMPLETION,
          REQUEST,
          IMAGE,
          INPUT_AUDIO,
          OUTPUT_AUDIO,
          CHARACTERS,
          WEB_SEARCH,
          SEARCH_UNITS,
          SECONDS ->
          this;
    };
  }

  public String wireName() {
    return wireName;
  }
}
