package io.strowger.spi.observe;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.routing.TraceEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The record of a finished request. Immutable; holds no prompt, no answer, no secret. */
public final class CallRecord {
  private final String id;
  private final String keyName;
  private final Endpoint.Kind kind;
  private final String requestedModel;
  private final @Nullable String endpoint;
  private final @Nullable String cachedGeneration;
  private final Outcome outcome;
  private final @Nullable StopReason stopReason;
  private final @Nullable ErrorCode error;
  private final List<BillLine> billLines;
  private final @Nullable Supplier<List<TraceEntry>> decisionTrace;
  private final List<TraceEntry> attemptTrace;
  private final List<Attempt> attempts;
  private final List<Step> steps;
  private final boolean isBatch;
  private final Instant arrivedAt;
  private final long firstContentNanos;
  private final long totalNanos;

  /** The outcome of a request. */
  public enum Outcome {
    COMPLETE,
    ERROR,
    CANCELLED
  }

  /**
   * The bill of one attempt, or of something that a plugin paid for, such as a search.
   *
   * @param endpoint {@link io.strowger.spi.catalog.Endpoint#id()}, or the name of what was paid for
   * @param usage what was used, estimated when the upstream did not say
   * @param cost what it costs the caller; zero for an attempt that delivered nothing
   */
  public record BillLine(String endpoint, Usage usage, Usd cost) {}

  /**
   * One attempt. All times are nanoseconds since the request arrived.
   *
   * @param number the attempt's number within the request, from 0, in the order they began
   * @param innerCall the inner call that it was made for; null for the caller's own call
   * @param endpoint the endpoint it was sent to
   * @param times when it began, received its first content and ended
   * @param ending how it ended
   * @param billLine its usage and cost; both zero when it delivered nothing
   */
  public record Attempt(
      int number,
      @Nullable String innerCall,
      Endpoint endpoint,
      CallTimes times,
      Ending ending,
      BillLine billLine) {
    public Attempt {
      Objects.requireNonNull(endpoint, "endpoint");
      Objects.requireNonNull(times, "times");
      Objects.requireNonNull(ending, "ending");
      Objects.requireNonNull(billLine, "billLine");
    }
  }

  /**
   * The times of an attempt, in nanoseconds since the request arrived.
   *
   * @param startedNanos when it began; at least 0
   * @param firstContentNanos when its first content came; -1 when there was none
   * @param endedNanos when it ended; at least {@code startedNanos}
   */
  public record CallTimes(long startedNanos, long firstContentNanos, long endedNanos) {}

  /**
   * How an attempt ended.
   *
   * @param status the upstream's HTTP status, 200 when it answered; 0 when there was none
   * @param failure why the endpoint delivered nothing; null when it delivered, or when the gateway
   *     itself or a plugin failed or refused, which says nothing about the endpoint
   * @param error the error the caller received when the attempt's answer broke off, or when the
   *     gateway itself or a plugin ended the attempt; null otherwise
   * @param stopReason why its answer ended; null when the answer was not completed
   */
  public record Ending(
      Outcome outcome,
      int status,
      @Nullable FailureKind failure,
      @Nullable ErrorCode error,
      @Nullable StopReason stopReason) {
    public Ending {
      Objects.requireNonNull(outcome, "outcome");
    }
  }

  /** A step in serving the request, with its time in nanoseconds since the request arrived. */
  public sealed interface Step {
    /** Returns when it happened, in nanoseconds since the request arrived. */
    long atNanos();

    /** Returns the inner call in which it happened; null for the caller's own call. */
    @Nullable String innerCall();

    /**
     * The endpoints that may be tried were decided.
     *
     * @param candidates how many endpoints may be tried, at most ten
     * @param refusal why no endpoint may be tried; null when at least one may
     */
    record Planned(
        @Nullable String innerCall, long atNanos, int candidates, @Nullable ErrorCode refusal)
        implements Step {}

    /**
     * Money was set aside.
     *
     * @param purpose {@code attempts}, or the id of the plugin that pays for something, such as
     *     {@code web}
     * @param amount the credits set aside
     */
    record Held(@Nullable String innerCall, long atNanos, String purpose, Usd amount)
        implements Step {
      /** The value of {@link #purpose} of a hold for the attempts of a decision. */
      public static final String ATTEMPTS = "attempts";
    }
  }

  private CallRecord(Builder builder) {
    id = builder.id;
    keyName = builder.keyName;
    kind = builder.kind;
    requestedModel = builder.requestedModel;
    endpoint = builder.endpoint;
    cachedGeneration = builder.cachedGeneration;
    outcome = builder.outcome;
    stopReason = builder.stopReason;
    error = builder.error;
    billLines = List.copyOf(builder.billLines);
    decisionTrace = builder.decisionTrace;
    attemptTrace = List.copyOf(builder.attemptTrace);
    attempts = List.copyOf(builder.attempts);
    steps = List.copyOf(builder.steps);
    isBatch = builder.isBatch;
    arrivedAt = builder.arrivedAt;
    firstContentNanos = builder.firstContentNanos;
    totalNanos = builder.totalNanos;
  }

  /** Returns the generation id, {@code gen-...}. */
  public String id() {
    return id;
  }

  /** Returns the name of the caller's key. */
  public String keyName() {
    return keyName;
  }

  /** Returns the kind of answer that was requested. */
  public Endpoint.Kind kind() {
    return kind;
  }

  /** Returns the model as the caller named it; the first when it named several. */
  public String requestedModel() {
    return requestedModel;
  }

  /** Returns the {@link Endpoint#id()} of the endpoint that answered; null when none did. */
  public @Nullable String endpoint() {
    return endpoint;
  }

  /**
   * Returns the generation whose answer the response cache repeated; null when the answer was not
   * repeated. A repeated answer has no bill lines.
   */
  public @Nullable String cachedGeneration() {
    return cachedGeneration;
  }

  public Outcome outcome() {
    return outcome;
  }

  /** Returns why the answer ended; null when it did not. */
  public @Nullable StopReason stopReason() {
    return stopReason;
  }

  /** Returns the error the caller received; null when all went well. */
  public @Nullable ErrorCode error() {
    return error;
  }

  /** Returns the bills of the attempts, in order, and those of what plugins paid for. */
  public List<BillLine> billLines() {
    return billLines;
  }

  /**
   * Returns the facts of the decision and then those of the attempts. Computed on each call, which
   * costs about as much as a decision. The first 16 dropped endpoints are listed one by one;
   * further ones are only counted, by rule.
   */
  public List<TraceEntry> trace() {
    var entries = new ArrayList<TraceEntry>();
    if (decisionTrace != null) {
      entries.addAll(TraceExcerpt.of(decisionTrace.get()));
    }
    entries.addAll(attemptTrace);
    return entries;
  }

  /**
   * Returns every attempt with its times, in the order they began. Unlike {@link #billLines}, this
   * leaves out what plugins paid for. Costs nothing to read.
   */
  public List<Attempt> attempts() {
    return attempts;
  }

  /** Returns the decisions and holds that were made, in order. Costs nothing to read. */
  public List<Step> steps() {
    return steps;
  }

  /** Returns whether it was a request of a batch, for which no client waited. */
  public boolean isBatch() {
    return isBatch;
  }

  /** Returns when the request arrived. */
  public Instant arrivedAt() {
    return arrivedAt;
  }

  /** Returns the nanoseconds from {@link #arrivedAt} to the caller's first content; -1 if none. */
  public long firstContentNanos() {
    return firstContentNanos;
  }

  /** Returns the nanoseconds from {@link #arrivedAt} to the end. */
  public long totalNanos() {
    return totalNanos;
  }

  /** Returns the sum of all {@link #billLines}. */
  public Usd cost() {
    Usd sum = Usd.ZERO;
    for (BillLine billLine : billLines) {
      sum = sum.plus(billLine.cost());
    }
    return sum;
  }

  @Override
  public String toString() {
    return id + ": " + requestedModel + ", " + outcome + ", " + cost();
  }

  /**
   * Returns a builder for the record of a request; everything else is optional.
   *
   * @param arrivedAt when the request arrived
   */
  public static Builder builder(String id, Instant arrivedAt, Outcome outcome) {
    return new Builder(id, arrivedAt, outcome);
  }

  /** Builds a {@link CallRecord}. */
  public static final class Builder {
    private final String id;
    private final Instant arrivedAt;
    private final Outcome outcome;
    private String keyName = "";
    private Endpoint.Kind kind = Endpoint.Kind.CHAT;
    private String requestedModel = "";
    private @Nullable String endpoint;
    private @Nullable String cachedGeneration;
    private @Nullable StopReason stopReason;
    private @Nullable ErrorCode error;
    private List<BillLine> billLines = List.of();
    private @Nullable Supplier<List<TraceEntry>> decisionTrace;
    private List<TraceEntry> attemptTrace = List.of();
    private List<Attempt> attempts = List.of();
    private List<Step> steps = List.of();
    private boolean isBatch;
    private long firstContentNanos = -1;
    private long totalNanos;

    private Builder(String id, Instant arrivedAt, Outcome outcome) {
      this.id = Objects.requireNonNull(id, "id");
      this.arrivedAt = Objects.requireNonNull(arrivedAt, "arrivedAt");
      this.outcome = Objects.requireNonNull(outcome, "outcome");
    }

    public Builder keyName(String value) {
      keyName = value;
      return this;
    }

    /** Sets the kind of answer that was requested; {@link Endpoint.Kind#CHAT} by default. */
    public Builder kind(Endpoint.Kind value) {
      kind = value;
      return this;
    }

    public Builder requestedModel(String value) {
      requestedModel = value;
      return this;
    }

    public Builder endpoint(@Nullable String value) {
      endpoint = value;
      return this;
    }

    public Builder cachedGeneration(@Nullable String value) {
      cachedGeneration = value;
      return this;
    }

    public Builder stopReason(@Nullable StopReason value) {
      stopReason = value;
      return this;
    }

    public Builder error(@Nullable ErrorCode value) {
      error = value;
      return this;
    }

    public Builder billLines(List<BillLine> value) {
      billLines = value;
      return this;
    }

    /**
     * Sets the trace of the decision.
     *
     * @param supplier computes the facts of the decision on each call; null when there was none
     */
    public Builder decisionTrace(@Nullable Supplier<List<TraceEntry>> supplier) {
      decisionTrace = supplier;
      return this;
    }

    /** Sets the facts of the attempts, and notes, that {@link CallRecord#trace} adds last. */
    public Builder attemptTrace(List<TraceEntry> value) {
      attemptTrace = value;
      return this;
    }

    /** Sets the attempts, in the order they began. */
    public Builder attempts(List<Attempt> value) {
      attempts = value;
      return this;
    }

    /** Sets the decisions and holds, in order. */
    public Builder steps(List<Step> value) {
      steps = value;
      return this;
    }

    /** Sets whether it was a request of a batch; false by default. */
    public Builder batch(boolean value) {
      isBatch = value;
      return this;
    }

    public Builder firstContentNanos(long value) {
      firstContentNanos = value;
      return this;
    }

    public Builder totalNanos(long value) {
      totalNanos = value;
      return this;
    }

    public CallRecord build() {
      return new CallRecord(this);
    }
  }
}
