package io.strowger.tck;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.AnswerCollector;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.plugin.InnerCall;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.spi.store.Hold;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A chain for tests of interceptors and tools: a function answers requests, and the chain records
 * everything that the plugin passes to it. Confined to the thread that reads the answers, unless a
 * method says otherwise.
 */
public final class FakeChain implements Interceptor.Chain {
  /** The time of a request for which a test sets no other. */
  public static final Instant NOW = Instant.parse("2026-11-21T17:04:05.123456789Z");

  private final Function<InferenceRequest, EventStream> upstream;
  private final Cancellation cancellation;
  private final List<InferenceRequest> requests = new ArrayList<>();
  private final List<InnerCall> innerCalls = new ArrayList<>();
  private final List<AssertingEventStream> streams = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final List<TraceEntry.Stage> stages = new ArrayList<>();
  private final List<FakeHold> holds = new ArrayList<>();
  private final Map<String, FakeHold> reservations = new HashMap<>();
  private final List<Json.Obj> citations = new ArrayList<>();
  private final List<FakeOutgoingCall> outgoingCalls = new CopyOnWriteArrayList<>();
  private int searches;
  private @Nullable Endpoint endpoint;
  private Instant now = NOW;
  private Duration remaining = Duration.ofMinutes(1);
  private Set<String> innerTools = Set.of();
  private boolean batch;
  private Function<InnerCall, @Nullable GatewayError> refusals = call -> null;
  private Function<InnerCall, Usd> prices = call -> Usd.ZERO;
  private @Nullable GatewayError holdRefusal;
  private Catalog catalog = Catalog.builder("none").build();
  private JsonCodec codec =
      document -> {
        throw new AssertionError("the plugin reads JSON: give the chain a codec with withCodec()");
      };

  /**
   * An exchange of a plugin with a site or a service. Its time is over when a test calls {@link
   * #elapse}.
   */
  public final class FakeOutgoingCall implements OutgoingCall {
    private final Cancellation.Child child;
    private final Duration timeLimit;
    private volatile boolean closed;

    private FakeOutgoingCall(Cancellation.Child child, Duration timeLimit) {
      this.child = child;
      this.timeLimit = timeLimit;
    }

    /** Returns the time limit that the plugin set. */
    public Duration timeLimit() {
      return timeLimit;
    }

    /** Ends the time of the exchange, which cancels the exchange. Safe on any thread. */
    public void elapse() {
      child.cancellation().cancel(Cancellation.Cause.TOTAL);
    }

    @Override
    public Cancellation cancellation() {
      return child.cancellation();
    }

    @Override
    public Duration remaining() {
      Duration left = FakeChain.this.remaining;
      return child.cancellation().isCancelled()
          ? Duration.ZERO
          : left.compareTo(timeLimit) < 0 ? left : timeLimit;
    }

    @Override
    public void close() {
      closed = true;
      child.link().close();
    }
  }

  /**
   * A hold that a plugin made. Stricter than the holds of a gateway: throws an {@link
   * IllegalStateException} when it is settled for more than it holds, or ended twice.
   */
  public static final class FakeHold implements Hold {
    private final Usd amount;
    private final String purpose;
    private @Nullable Usd settled;
    private boolean released;

    private FakeHold(Usd amount, String purpose) {
      this.amount = amount;
      this.purpose = purpose;
    }

    @Override
    public Usd amount() {
      return amount;
    }

    /** Returns the purpose that the plugin gave, or the name of the inner call. */
    public String purpose() {
      return purpose;
    }

    @Override
    public void settle(Usd actual) {
      requireOpen();
      if (actual.isMoreThan(amount)) {
        throw new IllegalStateException(this + " is settled for more than it holds: " + actual);
      }
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

    /** Returns whether the hold is neither settled nor released. */
    public boolean isOpen() {
      return settled == null && !released;
    }

    private Usd spentAmount() {
      return released ? Usd.ZERO : Objects.requireNonNullElse(settled, amount);
    }

    @Override
    public String toString() {
      return amount + " for " + purpose;
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
   * @param cancellation the cancellation of the request, which the upstream function may also
   *     observe
   */
  public FakeChain(Function<InferenceRequest, EventStream> upstream, Cancellation cancellation) {
    this.upstream = upstream;
    this.cancellation = cancellation;
  }

  /** Returns a chain that answers every request with these events. */
  public static FakeChain of(List<Event> events) {
    return new FakeChain(request -> EventStream.of(events));
  }

  /** Returns a chain that answers every request with these events. */
  public static FakeChain of(Event... events) {
    return of(List.of(events));
  }

  /** Makes this a chain around an attempt at this endpoint. */
  public FakeChain at(Endpoint attemptEndpoint) {
    endpoint = attemptEndpoint;
    return this;
  }

  /** Sets the time at which the request arrived. */
  public FakeChain at(Instant time) {
    now = time;
    return this;
  }

  /** Sets the catalog over which the request is routed; empty unless set. */
  public FakeChain withCatalog(Catalog newCatalog) {
    catalog = newCatalog;
    return this;
  }

  /** Sets the codec; without one, reading JSON fails. */
  public FakeChain withCodec(JsonCodec reader) {
    codec = reader;
    return this;
  }

  /** Makes the request a request of a batch. */
  public FakeChain inBatch() {
    batch = true;
    return this;
  }

  /** Sets the gateway's tools that inner calls may be offered; none unless set. */
  public FakeChain withInnerTools(String... types) {
    innerTools = Set.of(types);
    return this;
  }

  /**
   * Refuses to reserve money for some inner calls.
   *
   * @param refusal returns the error for a call that is refused; null for the others
   */
  public FakeChain refusing(Function<InnerCall, @Nullable GatewayError> refusal) {
    refusals = refusal;
    return this;
  }

  /** Sets the time that is left for the request; a minute unless set. */
  public FakeChain remaining(Duration time) {
    remaining = time;
    return this;
  }

  @Override
  public EventStream proceed(InferenceRequest request) {
    if (endpoint != null && !requests.isEmpty()) {
      throw new IllegalStateException(
          "an interceptor around an attempt may call proceed() only once");
    }
    requests.add(request);
    var stream = new AssertingEventStream("stream " + requests.size(), upstream.apply(request));
    streams.add(stream);
    return stream;
  }

  /** Makes the calls one after the other. They cost nothing, and no time passes. */
  @Override
  public List<InnerCall.Result> callAll(List<InnerCall> calls, Duration timeLimit) {
    if (endpoint != null) {
      throw new IllegalStateException("a plugin around an attempt cannot make inner calls");
    }
    return calls.stream().map(this::makeCall).toList();
  }

  /** Makes a hold of zero dollars, named after the call, which {@link #holds()} returns. */
  @Override
  public Hold reserve(InnerCall call) {
    replaceReservation(call);
    var hold = new FakeHold(Usd.ZERO, call.name());
    holds.add(hold);
    reservations.put(call.name(), hold);
    return hold;
  }

  /** Makes a hold of zero dollars, named after the call, and releases it at once. */
  @Override
  public void reserveNextTurn(InnerCall expectedCall) {
    replaceReservation(expectedCall);
    hold(Usd.ZERO, expectedCall.name()).release();
  }

  private void replaceReservation(InnerCall call) {
    FakeHold previous = reservations.remove(call.name());
    if (previous != null && previous.isOpen()) {
      previous.release();
    }
    refuse(call);
  }

  /** Returns the price that {@link #withPrices} sets for a call; zero unless set. */
  @Override
  public Usd minimumReservation(InnerCall call) {
    return prices.apply(call);
  }

  /** Sets a function that returns the price of an inner call. */
  public FakeChain withPrices(Function<InnerCall, Usd> function) {
    prices = function;
    return this;
  }

  /**
   * Refuses every {@link #hold} of money for something that the plugin itself pays for.
   *
   * @param error the error with which every hold is refused
   */
  public FakeChain refusingHolds(GatewayError error) {
    holdRefusal = error;
    return this;
  }

  private void refuse(InnerCall call) {
    GatewayError error = refusals.apply(call);
    if (error != null) {
      throw error.toException();
    }
  }

  @Override
  public boolean isOfBatch() {
    return batch;
  }

  @Override
  public Set<String> innerTools() {
    return innerTools;
  }

  private InnerCall.Result makeCall(InnerCall call) {
    innerCalls.add(call);
    if (call.reservation() instanceof Hold reserved) {
      reserved.release();
    }
    var collector = new AnswerCollector();
    try (EventStream stream = proceed(call.request())) {
      for (Event event = stream.next(); event != null; event = stream.next()) {
        collector.add(event);
      }
    }
    Event.Failed failed = collector.failure();
    if (failed == null) {
      String model = call.request().models().getFirst().slug();
      Answer answer = collector.answer(call.request().dialect());
      return new InnerCall.Result(answer, null, model, Usd.ZERO, 0);
    }
    int status = failed.cause() == null ? 0 : failed.cause().status();
    return new InnerCall.Result(null, failed, null, Usd.ZERO, status);
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

  /**
   * Begins an outgoing call whose time passes only when a test calls {@link
   * FakeOutgoingCall#elapse()}.
   */
  @Override
  public OutgoingCall openOutgoingCall(Duration timeLimit) {
    var call = new FakeOutgoingCall(cancellation.child(), timeLimit);
    outgoingCalls.add(call);
    return call;
  }

  @Override
  public Catalog catalog() {
    return catalog;
  }

  @Override
  public JsonCodec codec() {
    return codec;
  }

  /** Returns one token for every four bytes of text, arguments and results. */
  @Override
  public long promptTokens(InferenceRequest request) {
    long bytes = 0;
    if (request.instructions() != null) {
      bytes += bytes(request.instructions().parts());
    }
    for (Message message : request.messages()) {
      bytes += bytes(message.parts());
    }
    return (bytes + 3) / 4;
  }

  private static long bytes(List<Part> parts) {
    long bytes = 0;
    for (Part part : parts) {
      bytes +=
          part instanceof Part.Text text
              ? text.text().utf8Bound()
              : part instanceof Part.ToolResult result
                  ? bytes(result.content())
                  : part instanceof Part.ToolCall call ? call.arguments().utf8Bound() : 0;
    }
    return bytes;
  }

  /**
   * Returns whether each model of the request has an endpoint in the catalog that accepts all
   * modalities of the request. Considers nothing else.
   */
  @Override
  public boolean canServe(InferenceRequest request) {
    int needed = 0;
    for (Message message : request.messages()) {
      needed |= modalities(message.parts());
    }
    int required = needed;
    return request.models().stream()
        .map(named -> catalog.model(named.slug()))
        .allMatch(
            model ->
                model != null
                    && model.endpoints().stream()
                        .anyMatch(
                            candidate -> (candidate.inputModalities() & required) == required));
  }

  private static int modalities(List<Part> parts) {
    int mask = 0;
    for (Part part : parts) {
      mask |=
          switch (part) {
            case Part.File file -> Modality.FILE.bit();
            case Part.Image image -> Modality.IMAGE.bit();
            case Part.ToolResult result -> modalities(result.content());
            default -> 0;
          };
    }
    return mask;
  }

  @Override
  public Usd settledAndHeld() {
    Usd spent = Usd.ZERO;
    for (FakeHold hold : holds) {
      spent = spent.plus(hold.spentAmount());
    }
    return spent;
  }

  @Override
  public Hold hold(Usd maxCost, String purpose) {
    if (holdRefusal != null) {
      throw holdRefusal.toException();
    }
    var hold = new FakeHold(maxCost, purpose);
    holds.add(hold);
    return hold;
  }

  @Override
  public void cite(Json.Obj citation) {
    citations.add(citation);
  }

  @Override
  public void countSearch() {
    searches++;
  }

  @Override
  public void note(String text) {
    notes.add(text);
  }

  @Override
  public void recordStage(TraceEntry.Stage stage) {
    stages.add(stage);
  }

  /** Returns the requests that were passed on, in order; those of inner calls, too. */
  public List<InferenceRequest> requests() {
    return List.copyOf(requests);
  }

  /**
   * Returns the inner calls that were made, in order. Their requests are in {@link #requests()},
   * too.
   */
  public List<InnerCall> innerCalls() {
    return List.copyOf(innerCalls);
  }

  /** Returns the streams of the answers, in the order of the requests. */
  public List<AssertingEventStream> streams() {
    return List.copyOf(streams);
  }

  public List<String> notes() {
    return List.copyOf(notes);
  }

  public List<TraceEntry.Stage> stages() {
    return List.copyOf(stages);
  }

  /** Returns the citations, in order. */
  public List<Json.Obj> citations() {
    return List.copyOf(citations);
  }

  /** Returns how many searches were counted. */
  public int searches() {
    return searches;
  }

  /** Returns the exchanges with sites and services, in order. Safe on any thread. */
  public List<FakeOutgoingCall> outgoingCalls() {
    return List.copyOf(outgoingCalls);
  }

  public List<FakeHold> holds() {
    return List.copyOf(holds);
  }

  /**
   * Throws an {@link AssertionError} when an answer or an exchange was not closed, when two threads
   * read an answer at once, or when a hold is still open. {@linkplain #reserve Reservations} may be
   * open: they end with the request.
   */
  public void assertUsedCorrectly() {
    streams.forEach(AssertingEventStream::assertUsedCorrectly);
    for (FakeOutgoingCall call : outgoingCalls) {
      if (!call.closed) {
        throw new AssertionError("an outgoing call was not closed");
      }
    }
    for (FakeHold hold : holds) {
      if (hold.isOpen() && !reservations.containsValue(hold)) {
        throw new AssertionError(hold + " is neither settled nor released");
      }
    }
  }
}
