package io.strowger.core.meter;

import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import org.jspecify.annotations.Nullable;

/**
 * Turns usage into money: each class of tokens and each unit at its own price, summed in
 * picodollars and rounded once. Pure.
 *
 * <p>Contract: "Errors" 402; pricing and zero-completion insurance are resources fact sheet
 * sections 10 and 13.
 */
public final class Meter {
  private static final long BYOK_FEE_PERCENT = 5;

  private Meter() {}

  /** The share of the price that is paid; searches are always charged in full. */
  public enum Share {
    /** The caller waits for the answer. */
    WHOLE(1),
    /** The request is one of a batch. Resources fact sheet, section 6. */
    HALF(2);

    private final long denominator;

    Share(long denominator) {
      this.denominator = denominator;
    }
  }

  /**
   * Returns the bill of an answer.
   *
   * @param usage the usage of the answer
   * @param pricing the prices that apply for this many prompt tokens at that moment
   * @throws ArithmeticException when the bill does not fit its range
   */
  public static Bill bill(Usage usage, Pricing pricing) {
    return bill(usage, pricing, Share.WHOLE);
  }

  /** Returns the bill at a share of the price, as {@link #bill(Usage, Pricing)}. */
  public static Bill bill(Usage usage, Pricing pricing, Share share) {
    return bill(usage, pricing, share, false);
  }

  /**
   * Returns the bill of an answer for which a BYOK key was used: a fee of 5 % of what it would have
   * cost. Routing fact sheet, section 8.
   */
  public static Bill byok(Usage usage, Pricing pricing) {
    return byok(usage, pricing, Share.WHOLE);
  }

  /** Returns the BYOK bill at a share of the price, as {@link #byok(Usage, Pricing)}. */
  public static Bill byok(Usage usage, Pricing pricing, Share share) {
    return bill(usage, pricing, share, true);
  }

  private static Bill bill(Usage usage, Pricing pricing, Share share, boolean byok) {
    long prompt = cost(usage.freshInput(), pricing, Price.PROMPT);
    prompt = addCost(prompt, usage.characters(), pricing, Price.CHARACTERS);
    prompt = addCost(prompt, usage.inputAudio(), pricing, inputAudioPrice(pricing));
    prompt = addCost(prompt, usage.cacheRead(), pricing, Price.INPUT_CACHE_READ);
    prompt = addCost(prompt, usage.cacheWrite5m(), pricing, Price.INPUT_CACHE_WRITE);
    prompt = addCost(prompt, usage.cacheWrite1h(), pricing, Price.INPUT_CACHE_WRITE_1H);
    long completion = cost(usage.outputText(), pricing, Price.COMPLETION);
    completion = addCost(completion, usage.reasoning(), pricing, Price.INTERNAL_REASONING);
    completion = addCost(completion, usage.outputAudio(), pricing, outputAudioPrice(pricing));
    long fees = pricing.picos(Price.REQUEST);
    fees = addCost(fees, usage.images(), pricing, Price.IMAGE);
    fees = addCost(fees, usage.searchUnits(), pricing, Price.SEARCH_UNITS);
    fees = addCost(fees, usage.seconds(), pricing, Price.SECONDS);
    long searches = cost(usage.searches(), pricing, Price.WEB_SEARCH);
    long denominator = share.denominator; // sums are in fractions of a picodollar
    long sum = Math.addExact(Math.addExact(prompt, completion), fees);
    long total = Math.addExact(sum, Math.multiplyExact(searches, denominator));
    return new Bill(
        usage,
        byok
            ? Usd.ofPicos(total, BYOK_FEE_PERCENT, 100 * denominator)
            : Usd.ofPicos(total, 1, denominator),
        Usd.ofPicos(prompt, 1, denominator),
        Usd.ofPicos(completion, 1, denominator),
        byok,
        byok ? Usd.ofPicos(total, 1, denominator) : Usd.ZERO);
  }

  /**
   * Returns the bill of an answer that {@link #isInsured}: the usage stays, tokens and the request
   * are free, and only the searches that were made are charged.
   *
   * @param byok whether a BYOK key was used
   */
  public static Bill waived(Usage usage, Pricing pricing, boolean byok) {
    long searches = cost(usage.searches(), pricing, Price.WEB_SEARCH);
    Usd price = Usd.ofPicos(searches);
    return byok
        ? new Bill(
            usage, Usd.ofPicos(searches, BYOK_FEE_PERCENT, 100), Usd.ZERO, Usd.ZERO, true, price)
        : new Bill(usage, price, Usd.ZERO, Usd.ZERO);
  }

  /** Returns a bill of zero for this usage. */
  public static Bill free(Usage usage) {
    return new Bill(usage, Usd.ZERO, Usd.ZERO, Usd.ZERO);
  }

  /**
   * Returns whether the insurance covers an answer of which only the stop reason is known: it ended
   * in an error, or it has no output and no stop reason.
   */
  public static boolean isInsured(Usage usage, @Nullable StopReason reason) {
    return (reason == null ? EndCause.CALLER : EndCause.of(reason)).isInsured(usage);
  }

  /** Returns the price of audio input; audio without its own price costs as much as text. */
  private static Price inputAudioPrice(Pricing pricing) {
    return pricing.picos(Price.INPUT_AUDIO) == 0 ? Price.PROMPT : Price.INPUT_AUDIO;
  }

  private static Price outputAudioPrice(Pricing pricing) {
    return pricing.picos(Price.OUTPUT_AUDIO) == 0 ? Price.COMPLETION : Price.OUTPUT_AUDIO;
  }

  private static long cost(long count, Pricing pricing, Price price) {
    return Math.multiplyExact(count, pricing.picos(price));
  }

  private static long addCost(long sum, long count, Pricing pricing, Price price) {
    return Math.addExact(sum, cost(count, pricing, price));
  }
}
