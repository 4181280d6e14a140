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
 * more than the hold covers, so an estimated answer never costs more than its hold.
 *
 * @param attempt the candidate that answers
 * @param size the size of the prompt
 * @param outputCap the most output tokens the hold covers; 0 for no limit
 * @param at the moment of the request, for prices that depend on the hour
 * @param cutCheck returns whether the answer was cut because it exceeded what was requested; called
 *     at its end
 * @param isBatch whether the request belongs to a batch and costs half the token prices
 */
record AnswerPrice(
    PlannedAttempt attempt,
    PromptSize size,
    int outputCap,
    Instant at,
    BooleanSupplier cutCheck,
    boolean isBatch) {
  /** A provider that searches reads its prompt again and again, but not more often than this. */
  private static final long MAX_CONTEXTS = 64;

  /** The maximum number of images, and of searches, that one answer can have. */
  private static final long MAX_UNITS = 1_000;

  /** The minimum context length that is assumed of an endpoint, in tokens. */
  private static final long MIN_ASSUMED_CONTEXT = 1 << 20;

  /**
   * Returns the bill of an answer that has ended.
   *
   * @param reportedUsage the upstream's latest count; null when it gave none
   * @param deliveredOutput the output that was delivered
   */
  Bill of(@Nullable Usage reportedUsage, DeliveredOutput deliveredOutput, EndCause cause) {
    if (attempt.endpoint().kind() == Endpoint.Kind.SPEECH) {
      return ofSpeech(reportedUsage, deliveredOutput, cause);
    }
    if (reportedUsage != null && isPossible(reportedUsage)) {
      try {
        Usage usage = complete(reportedUsage, deliveredOutput, cause);
        return price(usage, cause.isInsured(usage));
      } catch (ArithmeticException e) {
        // the count is implausible: its cost does not fit an amount of money; so it is estimated
      }
    }
    Usage usage = estimate(deliveredOutput);
    return price(usage, cause.isInsured(usage));
  }

  /**
   * Returns the bill of speech: the characters are those of the request, the tokens may be
   * estimated.
   */
  private Bill ofSpeech(
      @Nullable Usage reportedUsage, DeliveredOutput deliveredOutput, EndCause cause) {
    boolean isInsured = cause.isSoundInsured(deliveredOutput.hasAudibleSound());
    if (reportedUsage != null && isPossible(reportedUsage)) {
      try {
        return price(reportedUsage.toBuilder().characters(size.characters()).build(), isInsured);
      } catch (ArithmeticException e) {
        // as above
      }
    }
    return price(estimateOfSpeech(deliveredOutput), isInsured);
  }

  /** Returns an estimate; tokens are estimated only where they have a price. */
  private Usage estimateOfSpeech(DeliveredOutput deliveredOutput) {
    Usage.Builder usage = Usage.builder().characters(size.characters());
    Pricing pricing = attempt.endpoint().pricing();
    long prompt = promptTokens();
    boolean hasTokenPrice =
        pricing.highestInputPicos(prompt, at) > 0 || pricing.highestOutputPicos(prompt, at) > 0;
    if (hasTokenPrice) {
      long tokens = deliveredOutput.estimatedSoundTokens();
      usage
          .freshInput(prompt)
          .outputAudio(outputCap > 0 ? Math.min(tokens, outputCap) : tokens)
          .estimated(true);
    }
    return usage.build();
  }

  /** Returns whether a count is plausible: no answer uses more tokens, images or searches. */
  private boolean isPossible(Usage count) {
    long context = Math.max(attempt.endpoint().contextLength(), MIN_ASSUMED_CONTEXT);
    long maxTokens = MAX_CONTEXTS * context;
    return count.freshInput() <= maxTokens
        && count.inputAudio() <= maxTokens
        && count.cacheRead() <= maxTokens
        && count.cacheWrite5m() <= maxTokens
        && count.cacheWrite1h() <= maxTokens
        && count.outputText() <= maxTokens
        && count.reasoning() <= maxTokens
        && count.outputAudio() <= maxTokens
        && count.images() <= MAX_UNITS
        && count.searches() <= MAX_UNITS;
  }

  /** Returns the count, with estimates for the parts that are missing. */
  private Usage complete(Usage count, DeliveredOutput deliveredOutput, EndCause cause) {
    Usage usage = count;
    boolean isEarly =
        cause == EndCause.CALLER || cause == EndCause.GATEWAY || isCut() && count.images() == 0;
    if (isEarly || count.completionTokens() < minPossible(count, deliveredOutput)) {
      usage = usage.withMinimumOutput(outputTokens(deliveredOutput));
    }
    if (usage.promptTokens() == 0 && size.bytes() > 0 && !isByUnits(usage)) {
      usage = usage.toBuilder().freshInput(promptTokens()).estimated(true).build();
    }
    return usage;
  }

  /** Returns whether the upstream counts units and input tokens are free. */
  private boolean isByUnits(Usage usage) {
    return usage.searchUnits() + usage.images() + usage.seconds() > 0
        && attempt.endpoint().kind().unit() != null
        && attempt.endpoint().pricing().highestInputPicos(promptTokens(), at) == 0;
  }

  /** Returns the minimum number of tokens; 0 with images, which may be counted separately. */
  private static long minPossible(Usage count, DeliveredOutput deliveredOutput) {
    return count.images() > 0 ? 0 : deliveredOutput.minTokens();
  }

  private Usage estimate(DeliveredOutput deliveredOutput) {
    return Usage.builder()
        .freshInput(promptTokens())
        .outputText(outputTokens(deliveredOutput))
        .estimated(true)
        .build();
  }

  private long promptTokens() {
    return DeliveredOutput.tokens(size.bytes());
  }

  private long outputTokens(DeliveredOutput deliveredOutput) {
    long tokens =
        isCut() ? deliveredOutput.estimatedTokensWhenCut() : deliveredOutput.estimatedTokens();
    return outputCap > 0 ? Math.min(tokens, outputCap) : tokens;
  }

  private boolean isCut() {
    return cutCheck.getAsBoolean();
  }

  private Bill price(Usage usage, boolean isInsured) {
    Pricing pricing = attempt.endpoint().pricing().effective(usage.promptTokens(), at);
    boolean isByok = attempt.byokKey() != null;
    if (isInsured) {
      return Meter.waived(usage, pricing, isByok);
    }
    Meter.Share share = isBatch ? Meter.Share.HALF : Meter.Share.WHOLE;
    return isByok ? Meter.byok(usage, pricing, share) : Meter.bill(usage, pricing, share);
  }
}
