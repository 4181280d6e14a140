package io.strowger.spi.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The usage of an answer, in classes that do not overlap: each token is in exactly one of them, so
 * a bill is a sum and every dialect's view is a sum too. All in tokens, at least 0, but for {@code
 * images}, {@code searches}, {@code characters}, {@code searchUnits} and {@code seconds}, which are
 * counts. Immutable.
 */
public final class Usage {
  public static final Usage NONE = builder().build();

  private final long freshInput;
  private final long inputAudio;
  private final long cacheRead;
  private final long cacheWrite5m;
  private final long cacheWrite1h;
  private final long outputText;
  private final long reasoning;
  private final long outputAudio;
  private final long images;
  private final long searches;
  private final long characters;
  private final long searchUnits;
  private final long seconds;
  private final long toolCallsRequested;
  private final long toolCallsExecuted;
  private final boolean estimated;

  private Usage(Builder from) {
    freshInput = from.freshInput;
    inputAudio = from.inputAudio;
    cacheRead = from.cacheRead;
    cacheWrite5m = from.cacheWrite5m;
    cacheWrite1h = from.cacheWrite1h;
    outputText = from.outputText;
    reasoning = from.reasoning;
    outputAudio = from.outputAudio;
    images = from.images;
    searches = from.searches;
    characters = from.characters;
    searchUnits = from.searchUnits;
    seconds = from.seconds;
    toolCallsRequested = from.toolCallsRequested;
    toolCallsExecuted = from.toolCallsExecuted;
    estimated = from.estimated;
  }

  /** Prompt text that neither came from a cache nor was written to one. */
  public long uncachedInput() {
    return freshInput;
  }

  /** Sound in the prompt. */
  public long inputAudio() {
    return inputAudio;
  }

  public long cacheRead() {
    return cacheRead;
  }

  public long cacheWrite5m() {
    return cacheWrite5m;
  }

  public long cacheWrite1h() {
    return cacheWrite1h;
  }

  /** Output that is neither reasoning nor sound. */
  public long outputText() {
    return outputText;
  }

  public long reasoning() {
    return reasoning;
  }

  public long outputAudio() {
    return outputAudio;
  }

  /** Images made. */
  public long images() {
    return images;
  }

  /** Searches the upstream did. */
  public long searches() {
    return searches;
  }

  /** Unicode characters of a text that was spoken; not in {@link #promptTokens()}. */
  public long characters() {
    return characters;
  }

  /** What a provider of a rerank model counted of its own units; in no token count. */
  public long searchUnits() {
    return searchUnits;
  }

  /** Seconds of sound that was transcribed, begun ones included; in no token count. */
  public long seconds() {
    return seconds;
  }

  /** Calls of the gateway's own tools the model made; in no price. */
  public long toolCallsRequested() {
    return toolCallsRequested;
  }

  /** Those of them the gateway ran; in no price. */
  public long toolCallsExecuted() {
    return toolCallsExecuted;
  }

  /** True when the upstream did not say and the engine counted what it saw. */
  public boolean estimated() {
    return estimated;
  }

  public long promptTokens() {
    return freshInput + inputAudio + cacheRead + cacheWrite5m + cacheWrite1h;
  }

  public long completionTokens() {
    return outputText + reasoning + outputAudio;
  }

  private List<Long> counts() {
    return List.of(
        freshInput,
        inputAudio,
        cacheRead,
        cacheWrite5m,
        cacheWrite1h,
        outputText,
        reasoning,
        outputAudio,
        images,
        searches,
        characters,
        searchUnits,
        seconds,
        toolCallsRequested,
        toolCallsExecuted);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Usage that
        && estimated == that.estimated
        && counts().equals(that.counts());
  }

  @Override
  public int hashCode() {
    return counts().hashCode();
  }

  @Override
  public String toString() {
    return promptTokens()
        + " in, "
        + completionTokens()
        + " out"
        + (estimated ? ", estimated" : "");
  }

  /**
   * This usage with as much text output as makes these output tokens in all, marked as estimated;
   * itself when it counts as many already. For answers that ended before they were counted.
   */
  public Usage withMinimumOutput(long outputTokens) {
    long missing = outputTokens - completionTokens();
    return missing <= 0
        ? this
        : toBuilder().outputText(outputText + missing).estimated(true).build();
  }

  /** Both, class by class; estimated when either is. */
  public Usage plus(Usage other) {
    if (this == NONE) {
      return other; // the first of a sum, for every request
    }
    return builder()
        .freshInput(freshInput + other.freshInput)
        .inputAudio(inputAudio + other.inputAudio)
        .cacheRead(cacheRead + other.cacheRead)
        .cacheWrite5m(cacheWrite5m + other.cacheWrite5m)
        .cacheWrite1h(cacheWrite1h + other.cacheWrite1h)
        .outputText(outputText + other.outputText)
        .reasoning(reasoning + other.reasoning)
        .outputAudio(outputAudio + other.outputAudio)
        .images(images + other.images)
        .searches(searches + other.searches)
        .characters(characters + other.characters)
        .searchUnits(searchUnits + other.searchUnits)
        .seconds(seconds + other.seconds)
        .toolCallsRequested(toolCallsRequested + other.toolCallsRequested)
        .toolCallsExecuted(toolCallsExecuted + other.toolCallsExecuted)
        .estimated(estimated || other.estimated)
        .build();
  }

  public Builder toBuilder() {
    return builder()
        .freshInput(freshInput)
        .inputAudio(inputAudio)
        .cacheRead(cacheRead)
        .cacheWrite5m(cacheWrite5m)
        .cacheWrite1h(cacheWrite1h)
        .outputText(outputText)
        .reasoning(reasoning)
        .outputAudio(outputAudio)
        .images(images)
        .searches(searches)
        .characters(characters)
        .searchUnits(searchUnits)
        .seconds(seconds)
        .toolCallsRequested(toolCallsRequested)
        .toolCallsExecuted(toolCallsExecuted)
        .estimated(estimated);
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Collects counts; a negative one is refused, since upstreams do send them. */
  public static final class Builder {
    private long freshInput;
    private long inputAudio;
    private long cacheRead;
    private long cacheWrite5m;
    private long cacheWrite1h;
    private long outputText;
    private long reasoning;
    private long outputAudio;
    private long images;
    private long searches;
    private long characters;
    private long searchUnits;
    private long seconds;
    private long toolCallsRequested;
    private long toolCallsExecuted;
    private boolean estimated;

    private Builder() {}

    private static long count(long value) {
      if (value < 0) {
        throw new IllegalArgumentException("a count must be at least 0, was " + value);
      }
      return value;
    }

    public Builder freshInput(long tokens) {
      freshInput = count(tokens);
      return this;
    }

    public Builder inputAudio(long tokens) {
      inputAudio = count(tokens);
      return this;
    }

    public Builder cacheRead(long tokens) {
      cacheRead = count(tokens);
      return this;
    }

    public Builder cacheWrite5m(long tokens) {
      cacheWrite5m = count(tokens);
      return this;
    }

    public Builder cacheWrite1h(long tokens) {
      cacheWrite1h = count(tokens);
      return this;
    }

    public Builder outputText(long tokens) {
      outputText = count(tokens);
      return this;
    }

    public Builder reasoning(long tokens) {
      reasoning = count(tokens);
      return this;
    }

    public Builder outputAudio(long tokens) {
      outputAudio = count(tokens);
      return this;
    }

    public Builder images(long made) {
      images = count(made);
      return this;
    }

    public Builder searches(long done) {
      searches = count(done);
      return this;
    }

    public Builder characters(long spoken) {
      characters = count(spoken);
      return this;
    }

    public Builder searchUnits(long counted) {
      searchUnits = count(counted);
      return this;
    }

    public Builder seconds(long heard) {
      seconds = count(heard);
      return this;
    }

    public Builder toolCallsRequested(long calls) {
      toolCallsRequested = count(calls);
      return this;
    }

    public Builder toolCallsExecuted(long calls) {
      toolCallsExecuted = count(calls);
      return this;
    }

    public Builder estimated(boolean value) {
      estimated = value;
      return this;
    }

    public Usage build() {
      return new Usage(this);
    }
  }
}
