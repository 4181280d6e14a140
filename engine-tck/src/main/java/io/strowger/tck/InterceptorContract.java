package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EventStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The contract test of {@link Interceptor}: an interceptor withholds no answer, closes the streams
 * it opens, reacts to cancellation and ends each answer once. The author of an interceptor extends
 * this class and returns the interceptor, a request that it acts on and a request that it passes on
 * unchanged.
 *
 * <pre>{@code
 * class OurFilterContractTest extends InterceptorContract {
 *   @Override protected Interceptor interceptor() { return new OurFilter(); }
 *   @Override protected InferenceRequest actingRequest() { return Given.request("m", "secret"); }
 *   @Override protected InferenceRequest passingRequest() { return Given.streaming("m", "hello"); }
 * }
 * }</pre>
 */
public abstract class InterceptorContract extends PluginCodeContract {
  private static final long PATIENCE_SECONDS = 10;
  private static final int MAX_EVENTS = 10_000;

  /** Creates an interceptor, as its provider does. */
  protected abstract Interceptor interceptor();

  /**
   * Returns a request that the interceptor acts on: it changes the request or the answer, or
   * answers without the upstream.
   */
  protected abstract InferenceRequest actingRequest();

  /**
   * Returns a streaming request that the interceptor passes on unchanged; null when it acts on
   * every request: the tests of unchanged requests are then skipped.
   */
  protected abstract @Nullable InferenceRequest passingRequest();

  @Override
  Object plugin() {
    return interceptor();
  }

  @Override
  void runAll(Object plugin) {
    for (InferenceRequest request : requests()) {
      read((Interceptor) plugin, request, chain(answer()));
    }
  }

  @Override
  List<String> texts() {
    return requests().stream().map(Given::lastText).toList();
  }

  /**
   * Returns the request that the interceptor acts on and, unless null, the one that it passes on.
   */
  private List<InferenceRequest> requests() {
    InferenceRequest passing = passingRequest();
    return passing == null ? List.of(actingRequest()) : List.of(actingRequest(), passing);
  }

  /**
   * Returns the upstream's answer to the request that the interceptor acts on; the last event is
   * terminal.
   */
  protected List<Event> answer() {
    return pieces();
  }

  /**
   * Returns whether the interceptor passes on the events of an answer as they arrive; true unless
   * overridden. An interceptor that needs the complete answer first returns false, and documents
   * that it delays streams.
   */
  protected boolean streams() {
    return true;
  }

  /** Returns the endpoint of attempts, for an interceptor around attempts. */
  protected Endpoint endpoint() {
    return Given.endpoint("acme", "acme/one", "1");
  }

  /**
   * Returns a text that must not reach an upstream: the interceptor removes it, or refuses requests
   * that contain it, by a {@link GatewayException} or a stream that fails. Empty when there is no
   * such text, as it is unless overridden. The tests put the text everywhere a caller of any
   * dialect can, which is everywhere {@link InferenceRequest#editTexts} finds texts: also in
   * reasoning, in arguments, results and declarations of tools, in files and in metadata, and split
   * over two parts that a model reads as one.
   */
  protected Optional<String> forbiddenText() {
    return Optional.empty();
  }

  private static List<Event> pieces() {
    return List.of(
        new Event.Started(null),
        new Event.TextDelta("One, "),
        new Event.TextDelta("two, "),
        new Event.TextDelta("three."),
        new Event.UsageReport(Given.usage(10, 5), null),
        new Event.Finished(StopReason.END, "stop", null));
  }

  private static List<Event> failing() {
    return List.of(
        new Event.Started(null), Event.Failed.upstream(Given.failure(FailureKind.OVERLOADED)));
  }

  private static List<Event> whole() {
    return List.of(new Event.CompleteAnswer(Given.answer("One, two, three.")));
  }

  private FakeChain chain(Function<InferenceRequest, EventStream> upstream) {
    return chain(upstream, new Cancellation());
  }

  private FakeChain chain(
      Function<InferenceRequest, EventStream> upstream, Cancellation cancellation) {
    var chain = new FakeChain(upstream, cancellation);
    return interceptor().scope() == Interceptor.Scope.ATTEMPT ? chain.at(endpoint()) : chain;
  }

  private FakeChain chain(List<Event> answer) {
    return chain(request -> EventStream.of(answer));
  }

  private static List<Event> readAll(EventStream stream) {
    var events = new ArrayList<Event>();
    for (Event event = stream.next(); event != null; event = stream.next()) {
      events.add(event);
      assertThat(events).as("events of an answer that never ends").hasSizeLessThan(MAX_EVENTS);
    }
    return events;
  }

  /** Returns all events of the answer, which is read to its end and closed. */
  private List<Event> read(InferenceRequest request, FakeChain chain) {
    return read(interceptor(), request, chain);
  }

  /**
   * Passes a request to an interceptor. A refusal that it throws becomes the failed answer that the
   * engine makes of it; an internal error does not, since an interceptor has no such refusal.
   */
  private static EventStream intercept(
      Interceptor interceptor, InferenceRequest request, FakeChain chain) {
    try {
      return interceptor.intercept(request, chain);
    } catch (GatewayException refusal) {
      if (refusal.error().code() == ErrorCode.INTERNAL) {
        throw refusal;
      }
      return EventStream.of(List.of(new Event.Failed(refusal.error(), null)));
    }
  }

  private static List<Event> read(
      Interceptor interceptor, InferenceRequest request, FakeChain chain) {
    try (EventStream stream = intercept(interceptor, request, chain)) {
      List<Event> events = readAll(stream);
      assertThat(stream.next()).as("after the last event").isNull();
      return events;
    }
  }

  @Test
  @DisplayName("scope() always returns the same scope")
  void scope() {
    assertThat(interceptor().scope()).isNotNull().isEqualTo(interceptor().scope());
  }

  @Test
  @DisplayName("a request that needs no action passes unchanged, and so does its answer")
  void passes() {
    InferenceRequest request = passingRequest();
    if (request == null) {
      Assumptions.abort("it acts on every request");
      return;
    }
    for (List<Event> answer : List.of(pieces(), whole(), failing())) {
      FakeChain chain = chain(answer);
      assertThat(read(request, chain)).containsExactlyElementsOf(answer);
      assertThat(chain.requests()).as("requests passed on").hasSize(1);
      assertThat(chain.stages()).as("stages").isEmpty();
      chain.assertUsedCorrectly();
    }
    FakeChain chain = chain(pieces());
    read(request, chain);
    assertThat(chain.requests().getFirst()).as("the request passed on").isSameAs(request);
  }

  @Test
  @DisplayName("the first event is delivered before a second is read from the upstream")
  void hidesNothing() {
    InferenceRequest passing = passingRequest();
    if (passing != null) {
      assertPrompt(passing, pieces());
    }
    if (streams()) {
      assertPrompt(actingRequest(), answer());
    }
  }

  private void assertPrompt(InferenceRequest request, List<Event> answer) {
    var reads = new AtomicInteger();
    FakeChain chain =
        chain(
            r -> {
              reads.set(0); // after several requests, only the last answer is passed on
              return withHook(EventStream.of(answer), reads::incrementAndGet);
            });
    try (EventStream stream = intercept(interceptor(), request, chain)) {
      assertThat(stream.next()).as("the first event").isNotNull();
      assertThat(reads.get()).as("events taken from the upstream").isLessThanOrEqualTo(1);
    }
  }

  /** Returns a stream that runs an action before each event. */
  private static EventStream withHook(EventStream stream, Runnable hook) {
    return new EventStream() {
      @Override
      public @Nullable Event next() {
        hook.run();
        return stream.next();
      }

      @Override
      public boolean ready() {
        return stream.ready();
      }

      @Override
      public void close() {
        stream.close();
      }
    };
  }

  @Test
  @DisplayName("an answer has one terminal event, its last, however the upstream's answer ends")
  void endsOnce() {
    for (InferenceRequest request : requests()) {
      for (List<Event> answer : List.of(answer(), pieces(), whole(), failing())) {
        FakeChain chain = chain(answer);
        List<Event> events = read(request, chain);
        assertThat(events).filteredOn(Event::isTerminal).as("terminal events").hasSize(1);
        assertThat(events.getLast().isTerminal()).as("the last of %s", events).isTrue();
        chain.assertUsedCorrectly();
      }
    }
  }

  @Test
  @DisplayName("closing its stream, early or twice, closes everything that it opened")
  void closedEarly() {
    for (InferenceRequest request : requests()) {
      for (int taken = 0; taken < 2; taken++) {
        FakeChain chain = chain(answer());
        EventStream stream = intercept(interceptor(), request, chain);
        for (int i = 0; i < taken; i++) {
          stream.next();
        }
        stream.close();
        stream.close();
        assertThat(stream.next()).as("after it was closed").isNull();
        chain.assertUsedCorrectly();
      }
    }
  }

  @Test
  @DisplayName("everything that it opened is closed even if reading fails")
  void closedAfterFailure() {
    for (InferenceRequest request : requests()) {
      FakeChain chain = chain(r -> withHook(EventStream.of(pieces()), InterceptorContract::fail));
      try (EventStream stream = intercept(interceptor(), request, chain)) {
        readAll(stream);
      } catch (RuntimeException | AssertionError expected) {
        // an exception is allowed; the engine turns it into an error for the caller
      }
      chain.assertUsedCorrectly();
    }
  }

  private static void fail() {
    throw new IllegalStateException("the upstream broke its contract");
  }

  @Test
  @DisplayName("when the chain fails, nothing stays open and there is at most one terminal event")
  void chainFails() {
    for (InferenceRequest request : requests()) {
      FakeChain chain =
          chain(
              r -> {
                throw new IllegalStateException("the remaining chain fails");
              });
      try (EventStream stream = intercept(interceptor(), request, chain)) {
        assertThat(readAll(stream)).filteredOn(Event::isTerminal).hasSize(1);
      } catch (IllegalStateException expected) {
        assertThat(expected).hasMessage("the remaining chain fails");
      }
      chain.assertUsedCorrectly();
    }
  }

  @Test
  @DisplayName(
      "a cancellation wakes a blocked reader, and so does closing the stream on another thread")
  void cancelled() throws InterruptedException {
    for (InferenceRequest request : requests()) {
      assertWakes(
          request, (chain, stream) -> chain.cancellation().cancel(Cancellation.Cause.TOTAL));
      assertWakes(
          request,
          (chain, stream) -> {
            if (stream == null) {
              // the interceptor has not returned a stream yet
              chain.cancellation().cancel(Cancellation.Cause.CLOSED);
            } else {
              stream.close();
            }
          });
    }
  }

  /** Ends an answer from another thread. */
  private interface Ending {
    void end(FakeChain chain, @Nullable EventStream stream);
  }

  /** Asserts that the ending wakes a reader whose upstream stalls after two events. */
  private void assertWakes(InferenceRequest request, Ending ending) throws InterruptedException {
    var reads = new CountDownLatch(3); // the third read blocks
    var cancellation = new Cancellation();
    FakeChain chain =
        chain(
            r -> {
              var steps = List.of(Step.started(), Step.text("One, "), Step.stall());
              var silent = new ScriptedStream(TestAmbient.realTime(), cancellation, steps);
              return withHook(silent, reads::countDown);
            },
            cancellation);
    var opened = new AtomicReference<@Nullable EventStream>();
    var events = new ArrayList<Event>();
    Thread reader =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try (EventStream stream = intercept(interceptor(), request, chain)) {
                    opened.set(stream);
                    events.addAll(readAll(stream));
                  }
                });
    while (reader.isAlive() && !reads.await(1, TimeUnit.MILLISECONDS)) {
      // wait until the interceptor blocks on the upstream or has answered without it
    }
    ending.end(chain, opened.get());
    reader.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
    assertThat(reader.isAlive()).as("still waiting after it was ended").isFalse();
    assertThat(events).filteredOn(Event::isTerminal).hasSizeLessThanOrEqualTo(1);
    if (reads.getCount() == 0) {
      assertThat(events)
          .filteredOn(event -> event.isTerminal() && !(event instanceof Event.Failed))
          .as("complete answers after it was ended while the upstream was silent")
          .isEmpty();
    }
    chain.assertUsedCorrectly();
  }

  @Test
  @DisplayName("the same request and answer give the same events, stages and notes")
  void repeatable() {
    for (InferenceRequest request : requests()) {
      FakeChain first = chain(answer());
      List<Event> events = read(request, first);
      FakeChain second = chain(answer());
      assertThat(read(request, second)).isEqualTo(events);
      assertThat(second.stages()).isEqualTo(first.stages());
      assertThat(second.notes()).isEqualTo(first.notes());
      assertThat(second.requests()).hasSameSizeAs(first.requests());
      second.assertUsedCorrectly();
    }
  }

  @Test
  @DisplayName("a thread that was interrupted before is still interrupted afterwards")
  void thread() {
    for (InferenceRequest request : requests()) {
      Thread.currentThread().interrupt();
      boolean interrupted;
      try {
        read(request, chain(answer()));
      } finally {
        interrupted = Thread.interrupted();
      }
      assertThat(interrupted).as("interrupted").isTrue();
    }
  }

  @Test
  @DisplayName("requests of every dialect are passed on in it and answered with one terminal event")
  void dialects() {
    ForbiddenTexts.requests(forbiddenText().orElse("Hello."))
        .forEach(
            (place, request) -> {
              FakeChain chain = chain(pieces());
              List<Event> events = read(request, chain);
              assertThat(events)
                  .filteredOn(Event::isTerminal)
                  .as("terminal events for a request of %s", place)
                  .hasSize(1);
              assertThat(chain.requests())
                  .extracting(InferenceRequest::dialect)
                  .as("the dialect in which a request is passed on; it came as %s", place)
                  .allMatch(dialect -> dialect == request.dialect());
              chain.assertUsedCorrectly();
            });
  }

  @Test
  @DisplayName("the forbidden text does not reach the upstream from any place of any dialect")
  void letsNothingThrough() {
    forbiddenText()
        .ifPresent(
            text ->
                ForbiddenTexts.requests(text)
                    .forEach(
                        (place, request) -> {
                          FakeChain chain = chain(pieces());
                          read(request, chain);
                          for (InferenceRequest passed : chain.requests()) {
                            if (ForbiddenTexts.isIn(passed, text)) {
                              throw new AssertionError(
                                  "the forbidden text was sent; it stood in " + place);
                            }
                          }
                        }));
  }

  @Test
  @DisplayName("two requests at once through one instance do not mix")
  void sharedByRequests() throws InterruptedException {
    Interceptor shared = interceptor();
    InferenceRequest secondRequest = requests().getLast();
    List<Object> acted = outcome(interceptor(), actingRequest(), () -> {});
    List<Object> passed = outcome(interceptor(), secondRequest, () -> {});
    // each upstream waits for the other, so that both requests are in progress at once
    var both = new CountDownLatch(2);
    Runnable meet =
        () -> {
          both.countDown();
          try {
            boolean unused = both.await(1, TimeUnit.SECONDS); // may time out
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    var other = new AtomicReference<@Nullable List<Object>>();
    Thread thread =
        Thread.ofPlatform().daemon().start(() -> other.set(outcome(shared, secondRequest, meet)));
    List<Object> one = outcome(shared, actingRequest(), meet);
    thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
    assertThat(one).as("the outcome of a request while another runs").isEqualTo(acted);
    assertThat(other.get()).as("the outcome of a request while another runs").isEqualTo(passed);
  }

  /**
   * Returns all effects of a request: its answer, the requests that reached the upstream, notes and
   * stages.
   */
  private List<Object> outcome(
      Interceptor interceptor, InferenceRequest request, Runnable beforeAnswer) {
    FakeChain chain =
        new FakeChain(
            r -> {
              beforeAnswer.run();
              return EventStream.of(answer());
            });
    if (interceptor.scope() == Interceptor.Scope.ATTEMPT) {
      chain.at(endpoint());
    }
    try (EventStream stream = intercept(interceptor, request, chain)) {
      List<Event> events = readAll(stream);
      List<Object> seen = new ArrayList<>(events);
      seen.addAll(chain.notes());
      seen.addAll(chain.stages());
      chain.requests().forEach(passed -> seen.add(Given.lastText(passed)));
      return seen;
    }
  }
}
