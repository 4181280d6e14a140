package io.strowger.tck;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.AnswerCollector;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.spi.store.Hold;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rest of the way as a test has it: answers by a function, and remembers what it was asked and
 * told. For the thread that reads the answers.
 */
public final class FakeChain implements Interceptor.Chain {
  /** When every request comes that nobody says otherwise of. */
  public static final Instant NOW = Instant.parse("2026-11-21T17:04:05.123456789Z");

  private final Function<InferenceRequest, EventStream> upstream;
  private final Cancellation cancellation;
  private final List<InferenceRequest> requests = new ArrayList<>();
  private final List<AssertingEventStream> streams = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final List<TraceEntry.Stage> stages = new ArrayList<>();
  private final List<FakeHold> holds = new ArrayList<>();
  private @Nullable Endpoint endpoint;
  private Instant now = NOW;
  private Duration remaining = Duration.ofMinutes(1);

  /** Money set aside by a plugin. */
  public static final class FakeHold implements Hold {
    private final Usd amount;
    private final String what;
    private @Nullable Usd settled;
    private boolean released;

    private FakeHold(Usd amount, String what) {
      this.amount = amount;
      this.what = what;
    }

    @Override
    public Usd amount() {
      return amount;
    }

    /** What it is for. */
    public String what() {
      return what;
    }

    @Override
    public void settle(Usd actual) {
      requireOpen();
      settled = actual;
    }

    @Override
    public void release() {
      requireOpen();
      released = true;
    }

    private void requireOpen() {
      if (!isOpen()) {
        throw new IllegalStateException(this + " is settled or released twice");
      }
    }

    /** Neither settled nor released. */
    public boolean isOpen() {
      return settled == null && !released;
    }

    private Usd counts() {
      return released ? Usd.ZERO : Objects.requireNonNullElse(settled, amount);
    }

    @Override
    public String toString() {
      return amount + " for " + what;
    }
  }

  /**
   * @param upstream gives the answer to what is passed on; may throw
   */
  public FakeChain(Function<InferenceRequest, EventStream> upstream) {
    this(upstream, new Cancellation());
  }

  /**
   * @param upstream gives the answer to what is passed on; may throw
   * @param cancellation of the request, which the upstream may know too
   */
  public FakeChain(Function<InferenceRequest, EventStream> upstream, Cancellation cancellation) {
    this.upstream = upstream;
    this.cancellation = cancellation;
  }

  /** Answers everything with these events. */
  public static FakeChain of(List<Event> events) {
    return new FakeChain(request -> EventStream.of(events));
  }

  /** Answers everything with these events. */
  public static FakeChain of(Event... events) {
    return of(List.of(events));
  }

  /** Is around an attempt at this endpoint. */
  public FakeChain at(Endpoint where) {
    endpoint = where;
    return this;
  }

  /** Has the request come at this moment. */
  public FakeChain at(Instant moment) {
    now = moment;
    return this;
  }

  /** Leaves so much time. */
  public FakeChain remaining(Duration time) {
    remaining = time;
    return this;
  }

  @Override
  public EventStream proceed(InferenceRequest request) {
    if (endpoint != null && !requests.isEmpty()) {
      throw new IllegalStateException("an attempt is made once");
    }
    requests.add(request);
    var stream = new AssertingEventStream("stream " + requests.size(), upstream.apply(request));
    streams.add(stream);
    return stream;
  }

  @Override
  public List<Result> proceedAll(List<InferenceRequest> several) {
    if (endpoint != null) {
      throw new IllegalStateException("an attempt is made once");
    }
    return several.stream().map(this::result).toList();
  }

  private Result result(InferenceRequest request) {
    var collector = new AnswerCollector();
    try (EventStream stream = proceed(request)) {
      for (Event event = stream.next(); event != null; event = stream.next()) {
        collector.add(event);
      }
    }
    Event.Failed failed = collector.failed();
    return new Result(failed == null ? collector.answer(request.dialect()) : null, failed);
  }

  @Override
  public Optional<Endpoint> endpoint() {
    return Optional.ofNullable(endpoint);
  }

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public Duration remaining() {
    return remaining;
  }

  @Override
  public Cancellation cancellation() {
    return cancellation;
  }

  @Override
  public Usd spent() {
    Usd spent = Usd.ZERO;
    for (FakeHold hold : holds) {
      spent = spent.plus(hold.counts());
    }
    return spent;
  }

  @Override
  public Hold hold(Usd atMost, String what) {
    var hold = new FakeHold(atMost, what);
    holds.add(hold);
    return hold;
  }

  @Override
  public void note(String text) {
    notes.add(text);
  }

  @Override
  public void stage(TraceEntry.Stage stage) {
    stages.add(stage);
  }

  /** What was passed on, in order. */
  public List<InferenceRequest> requests() {
    return List.copyOf(requests);
  }

  /** The answers given, in the order of the requests. */
  public List<AssertingEventStream> streams() {
    return List.copyOf(streams);
  }

  public List<String> notes() {
    return List.copyOf(notes);
  }

  public List<TraceEntry.Stage> stages() {
    return List.copyOf(stages);
  }

  public List<FakeHold> holds() {
    return List.copyOf(holds);
  }

  /**
   * Fails when an answer was not closed, was read by two threads at once, or money is still held.
   */
  public void assertUsedWell() {
    streams.forEach(AssertingEventStream::assertUsedWell);
    for (FakeHold hold : holds) {
      if (hold.isOpen()) {
        throw new AssertionError(hold + " is neither settled nor released");
      }
    }
  }
}
