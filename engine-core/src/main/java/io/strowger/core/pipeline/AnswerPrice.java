package io.strowger.core.pipeline;

import io.strowger.core.meter.Bill;
import io.strowger.core.meter.DeliveredOutput;
import io.strowger.core.meter.EndCause;
import io.strowger.core.meter.Meter;
import io.strowger.core.meter.PromptSize;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.model.Usage;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Prices one answer. The upstream's own count is used where it is plausible for what was delivered;
 * otherwise the usage is estimated, and marked as an estimate. An estimate of the output is never
 * more than the hold covers, so it never costs more than its hold.
 *
 * @param by the candidate that answers
 * @param size the size of the prompt
 * @param outputCap the most output tokens the hold covers; 0 for no limit
 * @param at the moment of the request, for prices that depend on the hour
 * @param cut returns whether the answer was cut because it exceeded what was requested; called at
 *     its end
 * @param batch whether the request belongs to a batch and costs half the token prices
 */
record AnswerPrice(
    PlannedAttempt by,
    PromptSize size,
    int outputCap,
    Instant at,
    BooleanSupplier cut,
    boolean batch) {
  /** A provider that searches reads its prompt again and again, but not more often than this. */
  private static final long MAX_CONTEXTS = 64;

  /** The maximum number of images, and of searches, that one answer can have. */
  private static final long MAX_OTHERS = 1_000;

  /** The minimum context length that is assumed of an endpoint, in tokens. */
  private static final long LARGE_CONTEXT = 1 << 20;

  /**
   * Returns the bill of an answer that has ended.
   *
   * @param reported the upstream's latest count; null when it gave none
   * @param delivered the output that was delivered
   */
  Bill of(@Nullable Usage reported, DeliveredOutput delivered, EndCause cause) {
    if (by.endpoint().kind() == Endpoint.Kind.SPEECH) {
      return ofSpeech(reported, delivered, cause);
    }
    if (reported != null && isPossible(reported)) {
      try {
        Usage used = completed(reported, delivered, cause);
        return priced(used, cause.isInsured(used));
      } catch (ArithmeticException absurd) {
        // a count so large that no money expresses it is not a count
      }
    }
    Usage used = estimate(delivered);
    return priced(used, cause.isInsured(used));
  }

  /**
   * Returns the bill of speech: the characters are those of the request, the tokens may be
   * estimated.
   */
  private Bill ofSpeech(@Nullable Usage reported, DeliveredOutput delivered, EndCause cause) {
    boolean insured = cause.insuresSound(delivered.hasUsableSound());
    if (reported != null && isPossible(reported)) {
      try {
        return priced(reported.toBuilder().characters(size.characters()).build(), insured);
      } catch (ArithmeticException absurd) {
        // as above
      }
    }
    return priced(estimateOfSpeech(delivered), insured);
  }

  /** Returns an estimate; tokens are estimated only where they have a price. */
  private Usage estimateOfSpeech(DeliveredOutput delivered) {
    Usage.Builder usage = Usage.builder().characters(size.characters());
    Pricing pricing = by.endpoint().pricing();
    long prompt = prompt();
    boolean counted =
        pricing.highestInputPicos(prompt, at) > 0 || pricing.highestOutputPicos(prompt, at) > 0;
    if (counted) {
      long tokens = delivered.estimatedSoundTokens();
      usage
          .freshInput(prompt)
          .outputAudio(outputCap > 0 ? Math.min(tokens, outputCap) : tokens)
          .estimated(true);
    }
    return usage.build();
  }

  /** Returns whether a count is plausible: no answer uses more tokens, images or searches. */
  private boolean isPossible(Usage counted) {
    long context = Math.max(by.endpoint().contextLength(), LARGE_CONTEXT);
    long most = MAX_CONTEXTS * context;
    return counted.freshInput() <= most
        && counted.inputAudio() <= most
        && counted.cacheRead() <= most
        && counted.cacheWrite5m() <= most
        && counted.cacheWrite1h() <= most
        && counted.outputText() <= most
        && counted.reasoning() <= most
        && counted.outputAudio() <= most
        && counted.images() <= MAX_OTHERS
        && counted.searches() <= MAX_OTHERS;
  }

  /** Returns the count, with estimates for the parts that are missing. */
  private Usage completed(Usage counted, DeliveredOutput delivered, EndCause cause) {
    Usage usage = counted;
    boolean isEarly =
        cause == EndCause.CALLER || cause == EndCause.GATEWAY || isCut() && counted.images() == 0;
    if (isEarly || counted.completionTokens() < fewestPossible(counted, delivered)) {
      usage = usage.withMinimumOutput(output(delivered));
    }
    if (usage.promptTokens() == 0 && size.bytes() > 0 && !isByUnits(usage)) {
      usage = usage.toBuilder().freshInput(prompt()).estimated(true).build();
    }
    return usage;
  }

  /** Returns whether the upstream counts units and input tokens are free. */
  private boolean isByUnits(Usage usage) {
    return usage.searchUnits() + usage.images() + usage.seconds() > 0
        && by.endpoint().kind().unit() != null
        && by.endpoint().pricing().highestInputPicos(prompt(), at) == 0;
  }

  /** Returns the minimum number of tokens; 0 with images, which may be counted separately. */
  private static long fewestPossible(Usage counted, DeliveredOutput delivered) {
    return counted.images() > 0 ? 0 : delivered.minTokens();
  }

  private Usage estimate(DeliveredOutput delivered) {
    return Usage.builder()
        .freshInput(prompt())
        .outputText(output(delivered))
        .estimated(true)
        .build();
  }

  private long prompt() {
    return DeliveredOutput.tokens(size.bytes());
  }

  private long output(DeliveredOutput delivered) {
    long tokens = isCut() ? delivered.estimatedTokensOfCut() : delivered.estimatedTokens();
    return outputCap > 0 ? Math.min(tokens, outputCap) : tokens;
  }

  private boolean isCut() {
    return cut.getAsBoolean();
  }

  private Bill priced(Usage used, boolean insured) {
    Pricing pricing = by.endpoint().pricing().effective(used.promptTokens(), at);
    boolean own = by.byokKey() != null;
    if (insured) {
      return Meter.waived(used, pricing, own);
    }
    Meter.Share share = batch ? Meter.Share.HALF : Meter.Share.WHOLE;
    return own ? Meter.byok(used, pricing, share) : Meter.bill(used, pricing, share);
  }
}
