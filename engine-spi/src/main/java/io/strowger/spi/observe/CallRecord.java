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
  private final String requested;
  private final @Nullable String endpoint;
  private final @Nullable String cacheSource;
  private final Outcome outcome;
  private final @Nullable StopReason stopReason;
  private final @Nullable ErrorCode error;
  private final List<BillLine> lines;
  private final @Nullable Supplier<List<TraceEntry>> decision;
  private final List<TraceEntry> facts;
  private final List<Attempt> attempts;
  private final List<Step> steps;
  private final boolean batch;
  private final Instant started;
  private final long firstContentNanos;
  private final long totalNanos;

  /** The outcome of a request. */
  public enum Outcome {
    COMPLETE,
    ERROR,
    CANCELLED
  }

  /**
   * The bill of one attempt.
   *
   * @param endpoint {@link io.strowger.spi.catalog.Endpoint#id()}
   * @param usage what was used, estimated when the upstream did not say
   * @param cost what it costs the caller; zero for an attempt that delivered nothing
   */
  public record BillLine(String endpoint, Usage usage, Usd cost) {}

  /**
   * One attempt. All times are nanoseconds since the request came.
   *
   * @param number within the request, from 0, in the order they began
   * @param innerCall the call of a plugin or a tool that it was made for; null: the caller's own
   * @param endpoint that it went to
   * @param times when it began, had content and ended
   * @param ending how it ended
   * @param line what it used and cost; nothing when it delivered nothing
   */
  public record Attempt(
      int number,
      @Nullable String innerCall,
      Endpoint endpoint,
      CallTimes times,
      Ending ending,
      BillLine line) {
    public Attempt {
      Objects.requireNonNull(endpoint, "endpoint");
      Objects.requireNonNull(times, "times");
      Objects.requireNonNull(ending, "ending");
      Objects.requireNonNull(line, "line");
    }
  }

  /**
   * The times of the steps of a request, in nanoseconds since it arrived.
   *
   * @param started at least 0
   * @param firstContent -1 when there was none
   * @param ended not before it started
   */
  public record CallTimes(long started, long firstContent, long ended) {}

  /**
   * How an attempt ended.
   *
   * @param status the upstream's HTTP status, 200 when it answered; 0 when there was none
   * @param failure why the endpoint delivered nothing; null when it delivered, and when the gateway
   *     itself or a plugin failed or refused, which says nothing of the endpoint
   * @param error what the caller was told when the answer that it delivered broke off, or when the
   *     gateway itself or a plugin ended the attempt; null otherwise
   * @param stopReason why its answer ended; null when it did not come to an end
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
    /** Returns when, in nanoseconds since the request came. */
    long atNanos();

    /** Returns the call of a plugin or a tool it happened in; null: the caller's own. */
    @Nullable String innerCall();

    /**
     * It was decided who may be asked.
     *
     * @param candidates how many, at most ten
     * @param refusal why nobody may; null when somebody may
     */
    record Planned(
        @Nullable String innerCall, long atNanos, int candidates, @Nullable ErrorCode refusal)
        implements Step {}

    /**
     * Money was set aside.
     *
     * @param what {@code attempts}, or the id of the plugin that pays for something, such as {@code
     *     web}
     * @param atMost the credits set aside
     */
    record Held(@Nullable String innerCall, long atNanos, String what, Usd atMost) implements Step {
      /** {@link #what} of a hold for the attempts of a decision. */
      public static final String ATTEMPTS = "attempts";
    }
  }

  private CallRecord(Builder from) {
    id = from.id;
    keyName = from.keyName;
    kind = from.kind;
    requested = from.requested;
    endpoint = from.endpoint;
    cacheSource = from.cacheSource;
    outcome = from.outcome;
    stopReason = from.stopReason;
    error = from.error;
    lines = List.copyOf(from.lines);
    decision = from.decision;
    facts = List.copyOf(from.facts);
    attempts = List.copyOf(from.attempts);
    steps = List.copyOf(from.steps);
    batch = from.batch;
    started = from.started;
    firstContentNanos = from.firstContentNanos;
    totalNanos = from.totalNanos;
  }

  /** Generation id, {@code gen-...}. */
  public String id() {
    return id;
  }

  /** The name of the caller's key. */
  public String keyName() {
    return keyName;
  }

  /** What was asked for. */
  public Endpoint.Kind kind() {
    return kind;
  }

  /** The model as the caller named it, the first when several. */
  public String requested() {
    return requested;
  }

  /** {@link io.strowger.spi.catalog.Endpoint#id()} of who answered; null when nobody did. */
  public @Nullable String endpoint() {
    return endpoint;
  }

  /**
   * The generation whose answer was given again, from the response cache; null when it was made
   * anew. Then there are no lines, and nothing was paid.
   */
  public @Nullable String cacheSource() {
    return cacheSource;
  }

  public Outcome outcome() {
    return outcome;
  }

  /** Why the answer ended; null when it did not. */
  public @Nullable StopReason stopReason() {
    return stopReason;
  }

  /** What the caller was told; null when all went well. */
  public @Nullable ErrorCode error() {
    return error;
  }

  /** One per attempt, in order. */
  public List<BillLine> lines() {
    return lines;
  }

  /**
   * The facts of the decision and then of the attempts. Made when asked for, which costs about as
   * much as a decision. Of many dropped endpoints the first {@value Excerpt#MOST} are told one by
   * one, and how many more each rule dropped.
   */
  public List<TraceEntry> trace() {
    var all = new ArrayList<TraceEntry>();
    if (decision != null) {
      all.addAll(Excerpt.of(decision.get()));
    }
    all.addAll(facts);
    return all;
  }

  /**
   * Every attempt, in the order they began; unlike {@link #lines} without what plugins paid for,
   * and with times. Costs nothing to read.
   */
  public List<Attempt> attempts() {
    return attempts;
  }

  /** What was decided and set aside on the way, in order. Costs nothing to read. */
  public List<Step> steps() {
    return steps;
  }

  /** Whether it was a request of a batch, which nobody waited for. */
  public boolean batch() {
    return batch;
  }

  /** When the request came. */
  public Instant started() {
    return started;
  }

  /** Nanoseconds from then to the first content the caller got; -1 when it got none. */
  public long firstContentNanos() {
    return firstContentNanos;
  }

  /** Nanoseconds from then to the end. */
  public long totalNanos() {
    return totalNanos;
  }

  /** The bill of all attempts. */
  public Usd cost() {
    Usd sum = Usd.ZERO;
    for (BillLine billLine : lines) {
      sum = sum.plus(billLine.cost());
    }
    return sum;
  }

  @Override
  public String toString() {
    return id + ": " + requested + ", " + outcome + ", " + cost();
  }

  /**
   * A record of a request that ended so; the rest is optional.
   *
   * @param started when it came
   */
  public static Builder builder(String id, Instant started, Outcome outcome) {
    return new Builder(id, started, outcome);
  }

  /** Collects a record. */
  public static final class Builder {
    private final String id;
    private final Instant started;
    private final Outcome outcome;
    private String keyName = "";
    private Endpoint.Kind kind = Endpoint.Kind.CHAT;
    private String requested = "";
    private @Nullable String endpoint;
    private @Nullable String cacheSource;
    private @Nullable StopReason stopReason;
    private @Nullable ErrorCode error;
    private List<BillLine> lines = List.of();
    private @Nullable Supplier<List<TraceEntry>> decision;
    private List<TraceEntry> facts = List.of();
    private List<Attempt> attempts = List.of();
    private List<Step> steps = List.of();
    private boolean batch;
    private long firstContentNanos = -1;
    private long totalNanos;

    private Builder(String id, Instant started, Outcome outcome) {
      this.id = Objects.requireNonNull(id, "id");
      this.started = Objects.requireNonNull(started, "started");
      this.outcome = Objects.requireNonNull(outcome, "outcome");
    }

    public Builder keyName(String value) {
      keyName = value;
      return this;
    }

    /** What was asked for; an answer of a conversation when not said. */
    public Builder kind(Endpoint.Kind value) {
      kind = value;
      return this;
    }

    public Builder requested(String value) {
      requested = value;
      return this;
    }

    public Builder endpoint(@Nullable String value) {
      endpoint = value;
      return this;
    }

    public Builder cacheSource(@Nullable String value) {
      cacheSource = value;
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

    public Builder lines(List<BillLine> value) {
      lines = value;
      return this;
    }

    /**
     * Sets the trace of the decision.
     *
     * @param facts of the decision, made each time they are asked for; null when there was none
     */
    public Builder decision(@Nullable Supplier<List<TraceEntry>> facts) {
      decision = facts;
      return this;
    }

    /** Facts of the attempts, and notes: what {@link CallRecord#trace} adds to the decision. */
    public Builder facts(List<TraceEntry> value) {
      facts = value;
      return this;
    }

    /** The attempts, in the order they began. */
    public Builder attempts(List<Attempt> value) {
      attempts = value;
      return this;
    }

    /** What was decided and set aside, in order. */
    public Builder steps(List<Step> value) {
      steps = value;
      return this;
    }

    /** Whether it was a request of a batch; not unless said. */
    public Builder batch(boolean value) {
      batch = value;
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
