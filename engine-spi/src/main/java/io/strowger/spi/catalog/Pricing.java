package io.strowger.spi.catalog;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All prices of one endpoint, with the overrides that apply to long prompts or at certain hours.
 * Immutable.
 *
 * <p>Prices not given: cache reads and 5-minute cache writes cost as much as fresh input, 1-hour
 * writes as much as 5-minute ones, reasoning as much as other output; everything else is free.
 */
public final class Pricing {
  private static final List<Price> PRICES = List.of(Price.values());

  private static final Price[] INPUT = {
    Price.PROMPT,
    Price.INPUT_CACHE_READ,
    Price.INPUT_CACHE_WRITE,
    Price.INPUT_CACHE_WRITE_1H,
    Price.INPUT_AUDIO
  };
  private static final Price[] OUTPUT = {
    Price.COMPLETION, Price.INTERNAL_REASONING, Price.OUTPUT_AUDIO
  };

  public static final Pricing FREE = builder().build();

  private final long[] picos; // by Price.ordinal()
  private final int givenMask; // bits by Price.ordinal(): prices that were given, not derived
  private final List<Override> overrides;
  private final long maxInputPicos; // without overrides
  private final long maxOutputPicos;
  private final boolean isFree;

  private Pricing(long[] picos, int givenMask, List<Override> overrides) {
    this.picos = picos;
    this.givenMask = givenMask;
    this.overrides = overrides;
    derive();
    this.maxInputPicos = maxPicos(INPUT, picos);
    this.maxOutputPicos = maxPicos(OUTPUT, picos);
    this.isFree = isFree(picos, overrides);
  }

  private static boolean isFree(long[] picos, List<Override> overrides) {
    for (long price : picos) {
      if (price != 0) {
        return false;
      }
    }
    for (Override override : overrides) {
      for (UnitPrice price : override.prices.values()) {
        if (price.picos() != 0) {
          return false;
        }
      }
    }
    return true;
  }

  private static long maxPicos(Price[] prices, long[] picos) {
    long max = 0;
    for (Price price : prices) {
      max = Math.max(max, picos[price.ordinal()]);
    }
    return max;
  }

  /** Derives each price that is not given from its fallback, which the enum lists earlier. */
  private void derive() {
    for (Price price : PRICES) {
      if ((givenMask & bit(price)) == 0) {
        Price source = price.fallback();
        picos[price.ordinal()] = source == price ? 0 : picos[source.ordinal()];
      }
    }
  }

  private static int bit(Price price) {
    return 1 << price.ordinal();
  }

  /**
   * Prices that replace base prices under conditions. A condition that is absent always holds. Of
   * several overrides that apply, the last one that has a certain price decides that price.
   *
   * @param minPromptTokens applies to prompts of strictly more tokens; null: to all
   * @param utcStart start of a daily window as HHMM, inclusive; null: all day
   * @param utcEnd end of the window as HHMM, exclusive; a window may wrap midnight
   * @param prices the prices that replace base prices
   */
  @SuppressWarnings("AvoidCommonTypeNames") // the word of the contract
  public record Override(
      @Nullable Long minPromptTokens,
      @Nullable Integer utcStart,
      @Nullable Integer utcEnd,
      Map<Price, UnitPrice> prices) {
    public Override {
      if ((utcStart == null) != (utcEnd == null)) {
        throw new IllegalArgumentException("utcStart and utcEnd must be given together");
      }
      var copy = new EnumMap<Price, UnitPrice>(Price.class);
      copy.putAll(prices);
      prices = copy;
    }

    @java.lang.Override
    public Map<Price, UnitPrice> prices() {
      return new EnumMap<>(prices);
    }

    boolean applies(long promptTokens, Instant at) {
      return (minPromptTokens == null || promptTokens > minPromptTokens) && appliesAt(at);
    }

    private boolean appliesAt(Instant at) {
      if (utcStart == null || utcEnd == null) {
        return true;
      }
      var time = at.atOffset(ZoneOffset.UTC);
      int hhmm = time.getHour() * 100 + time.getMinute();
      return utcStart <= utcEnd
          ? hhmm >= utcStart && hhmm < utcEnd
          : hhmm >= utcStart || hhmm < utcEnd;
    }
  }

  /** Returns the base price, in picodollars per unit. */
  public long picos(Price price) {
    return picos[price.ordinal()];
  }

  /** Returns the base price. */
  public UnitPrice price(Price price) {
    return new UnitPrice(picos(price));
  }

  /** Returns whether the base price was given rather than derived from another one. */
  public boolean isGiven(Price price) {
    return (givenMask & bit(price)) != 0;
  }

  /** Returns whether nothing is ever charged, whatever the size or the hour of a request. */
  public boolean isFree() {
    return isFree;
  }

  public List<Override> overrides() {
    return overrides;
  }

  /**
   * Returns the prices of a request with this many prompt tokens at this moment. A price that is
   * given nowhere follows its fallback, even when an override replaces the fallback.
   */
  public Pricing effective(long promptTokens, Instant at) {
    long[] effectivePicos = null;
    int effectiveMask = givenMask;
    for (Override override : overrides) {
      if (override.applies(promptTokens, at)) {
        effectivePicos = effectivePicos == null ? picos.clone() : effectivePicos;
        for (var entry : override.prices.entrySet()) {
          effectivePicos[entry.getKey().ordinal()] = entry.getValue().picos();
          effectiveMask |= bit(entry.getKey());
        }
      }
    }
    return effectivePicos == null ? this : new Pricing(effectivePicos, effectiveMask, List.of());
  }

  /**
   * Returns the most picodollars one prompt token can cost in a request of at most this many prompt
   * tokens, whatever sort of token it is: fresh text, audio, read from a cache or written to one.
   */
  public long highestInputPicos(long maxPromptTokens, Instant at) {
    return overrides.isEmpty() ? maxInputPicos : maxPicos(INPUT, maxPromptTokens, at);
  }

  /** Returns the most picodollars one output token can cost, reasoning and audio included. */
  public long highestOutputPicos(long maxPromptTokens, Instant at) {
    return overrides.isEmpty() ? maxOutputPicos : maxPicos(OUTPUT, maxPromptTokens, at);
  }

  /**
   * Returns the most picodollars one unit can cost in a request of at most this many prompt tokens.
   * The base price counts even where an override applies, since a shorter prompt may not reach the
   * override.
   */
  public long highestPicos(Price price, long maxPromptTokens, Instant at) {
    if (overrides.isEmpty()) {
      return picos(price);
    }
    boolean followsFallback = (givenMask & bit(price)) == 0 && price.fallback() != price;
    long highest =
        followsFallback ? highestPicos(price.fallback(), maxPromptTokens, at) : picos(price);
    for (Override override : overrides) {
      UnitPrice overridePrice = override.prices.get(price);
      if (overridePrice != null && override.applies(maxPromptTokens, at)) {
        highest = Math.max(highest, overridePrice.picos());
      }
    }
    return highest;
  }

  private long maxPicos(Price[] prices, long maxPromptTokens, Instant at) {
    long max = 0;
    for (Price price : prices) {
      max = Math.max(max, highestPicos(price, maxPromptTokens, at));
    }
    return max;
  }

  @java.lang.Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Pricing that
        && givenMask == that.givenMask
        && Arrays.equals(picos, that.picos)
        && overrides.equals(that.overrides);
  }

  @java.lang.Override
  public int hashCode() {
    return Arrays.hashCode(picos) * 31 + overrides.hashCode();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Builds a {@link Pricing}. */
  public static final class Builder {
    private final EnumMap<Price, UnitPrice> prices = new EnumMap<>(Price.class);
    private final List<Override> overrides = new ArrayList<>();

    private Builder() {}

    public Builder set(Price price, UnitPrice value) {
      prices.put(price, value);
      return this;
    }

    public Builder override(Override override) {
      overrides.add(override);
      return this;
    }

    public Pricing build() {
      long[] picos = new long[PRICES.size()];
      int givenMask = 0;
      for (var entry : prices.entrySet()) {
        picos[entry.getKey().ordinal()] = entry.getValue().picos();
        givenMask |= bit(entry.getKey());
      }
      return new Pricing(picos, givenMask, List.copyOf(overrides));
    }
  }
}
