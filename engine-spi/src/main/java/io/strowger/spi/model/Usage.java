package io.strowger.spi.model;

import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The usage of an answer, as quantities that do not overlap: each token is counted under exactly
 * one of them. A bill is therefore a sum, and so is every dialect's view of the usage. Counts are
 * in tokens, except {@code images}, {@code searches}, {@code characters}, {@code searchUnits},
 * {@code seconds} and those of tool calls. Every count is at least 0. Immutable.
 */
public final class Usage {
  private static final int QUANTITIES = Quantity.values().length;

  public static final Usage NONE = builder().build();

  private final long[] counts; // indexed by the ordinal of the quantity
  private final boolean isEstimated;

  /** The quantities of usage, in the order in which usage is written. */
  public enum Quantity {
    FRESH_INPUT,
    INPUT_AUDIO,
    CACHE_READ,
    CACHE_WRITE_5M,
    CACHE_WRITE_1H,
    OUTPUT_TEXT,
    REASONING,
    OUTPUT_AUDIO,
    IMAGES,
    SEARCHES,
    CHARACTERS,
    SEARCH_UNITS,
    SECONDS,
    TOOL_CALLS_REQUESTED,
    TOOL_CALLS_EXECUTED;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    /** Returns the name in documents the gateway writes, such as {@code cache_write_5m}. */
    public String wireName() {
      return wireName;
    }
  }

  private Usage(long[] counts, boolean isEstimated) {
    this.counts = counts;
    this.isEstimated = isEstimated;
  }

  /** Returns the count of a quantity, at least 0. */
  public long count(Quantity quantity) {
    return counts[quantity.ordinal()];
  }

  /** Returns the text tokens of the prompt that were neither read from nor written to a cache. */
  public long freshInput() {
    return count(Quantity.FRESH_INPUT);
  }

  /** Returns the audio tokens of the prompt. */
  public long inputAudio() {
    return count(Quantity.INPUT_AUDIO);
  }

  public long cacheRead() {
    return count(Quantity.CACHE_READ);
  }

  public long cacheWrite5m() {
    return count(Quantity.CACHE_WRITE_5M);
  }

  public long cacheWrite1h() {
    return count(Quantity.CACHE_WRITE_1H);
  }

  /** Returns the output tokens that are neither reasoning nor audio. */
  public long outputText() {
    return count(Quantity.OUTPUT_TEXT);
  }

  public long reasoning() {
    return count(Quantity.REASONING);
  }

  public long outputAudio() {
    return count(Quantity.OUTPUT_AUDIO);
  }

  /** Returns the number of images made. */
  public long images() {
    return count(Quantity.IMAGES);
  }

  /** Returns the number of searches the upstream ran. */
  public long searches() {
    return count(Quantity.SEARCHES);
  }

  /** Returns the Unicode characters of a text that was spoken; not in {@link #promptTokens()}. */
  public long characters() {
    return count(Quantity.CHARACTERS);
  }

  /** Returns the search units that a rerank provider counted; not in any token count. */
  public long searchUnits() {
    return count(Quantity.SEARCH_UNITS);
  }

  /** Returns the seconds of transcribed audio, rounded up; not in any token count. */
  public long seconds() {
    return count(Quantity.SECONDS);
  }

  /** Returns the number of calls the model made to the gateway's own tools; not in any price. */
  public long toolCallsRequested() {
    return count(Quantity.TOOL_CALLS_REQUESTED);
  }

  /** Returns the number of calls to its own tools that the gateway ran; not in any price. */
  public long toolCallsExecuted() {
    return count(Quantity.TOOL_CALLS_EXECUTED);
  }

  /** Returns whether the engine estimated usage that the upstream did not report. */
  public boolean isEstimated() {
    return isEstimated;
  }

  public long promptTokens() {
    return freshInput() + inputAudio() + cacheRead() + cacheWrite5m() + cacheWrite1h();
  }

  public long completionTokens() {
    return outputText() + reasoning() + outputAudio();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Usage that
        && isEstimated == that.isEstimated
        && Arrays.equals(counts, that.counts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(counts);
  }

  @Override
  public String toString() {
    return promptTokens()
        + " in, "
        + completionTokens()
        + " out"
        + (isEstimated ? ", estimated" : "");
  }

  /**
   * Returns this usage with at least this many output tokens: missing ones are added as text, and
   * the result is marked as estimated. Returns this object when none are missing. For answers that
   * ended before the upstream reported their usage.
   */
  public Usage withMinimumOutput(long outputTokens) {
    long missing = outputTokens - completionTokens();
    return missing <= 0
        ? this
        : toBuilder().outputText(outputText() + missing).estimated(true).build();
  }

  /** Returns the sum of both, quantity by quantity; estimated when either is. */
  public Usage plus(Usage other) {
    if (this == NONE) {
      return other; // every request's sum starts at NONE: avoids a copy
    }
    long[] sum = counts.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] += other.counts[i];
    }
    return new Usage(sum, isEstimated || other.isEstimated);
  }

  public Builder toBuilder() {
    return new Builder(counts, true).estimated(isEstimated);
  }

  public static Builder builder() {
    return new Builder(new long[QUANTITIES], false);
  }

  /** Builds usage. Rejects negative counts, since upstreams do send them. */
  public static final class Builder {
    private long[] counts;
    private boolean isShared; // with a usage, so that a change has to copy the counts first
    private boolean isEstimated;

    private Builder(long[] counts, boolean isShared) {
      this.counts = counts;
      this.isShared = isShared;
    }

    /** Sets the count of a quantity. */
    public Builder set(Quantity quantity, long count) {
      if (count < 0) {
        throw new IllegalArgumentException("a count must be at least 0, was " + count);
      }
      if (isShared) {
        counts = counts.clone();
        isShared = false;
      }
      counts[quantity.ordinal()] = count;
      return this;
    }

    public Builder freshInput(long tokens) {
      return set(Quantity.FRESH_INPUT, tokens);
    }

    public Builder inputAudio(long tokens) {
      return set(Quantity.INPUT_AUDIO, tokens);
    }

    public Builder cacheRead(long tokens) {
      return set(Quantity.CACHE_READ, tokens);
    }

    public Builder cacheWrite5m(long tokens) {
      return set(Quantity.CACHE_WRITE_5M, tokens);
    }

    public Builder cacheWrite1h(long tokens) {
      return set(Quantity.CACHE_WRITE_1H, tokens);
    }

    public Builder outputText(long tokens) {
      return set(Quantity.OUTPUT_TEXT, tokens);
    }

    public Builder reasoning(long tokens) {
      return set(Quantity.REASONING, tokens);
    }

    public Builder outputAudio(long tokens) {
      return set(Quantity.OUTPUT_AUDIO, tokens);
    }

    public Builder images(long count) {
      return set(Quantity.IMAGES, count);
    }

    public Builder searches(long count) {
      return set(Quantity.SEARCHES, count);
    }

    public Builder characters(long count) {
      return set(Quantity.CHARACTERS, count);
    }

    public Builder searchUnits(long count) {
      return set(Quantity.SEARCH_UNITS, count);
    }

    public Builder seconds(long count) {
      return set(Quantity.SECONDS, count);
    }

    public Builder toolCallsRequested(long calls) {
      return set(Quantity.TOOL_CALLS_REQUESTED, calls);
    }

    public Builder toolCallsExecuted(long calls) {
      return set(Quantity.TOOL_CALLS_EXECUTED, calls);
    }

    public Builder estimated(boolean value) {
      isEstimated = value;
      return this;
    }

    public Usage build() {
      isShared = true;
      return new Usage(counts, isEstimated);
    }
  }
}
