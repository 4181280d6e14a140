package io.strowger.spi.plugin;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.spi.store.Hold;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Code around a call: may change the request, the answer, both, or answer by itself.
 *
 * <p>One object serves all requests of its configuration, on many threads at once: what belongs to
 * a request is in local variables, never in fields. Runs on the request's virtual thread, once per
 * request or per attempt as {@link #scope} says, and may block. Every stream it opens it passes on
 * or closes. An exception fails the request with 500 and names the plugin in the trace.
 *
 * <p>Contract: "Plugins" (moderation, web, file-parser, response-healing, context-compression).
 */
@FunctionalInterface
public non-sealed interface Interceptor extends Plugin {
  /** What an interceptor surrounds. */
  enum Scope {
    /** Around the whole request: sees it before an endpoint is chosen. */
    REQUEST,
    /** Around each attempt: knows the endpoint. */
    ATTEMPT
  }

  /** What this one surrounds. Always the same. */
  default Scope scope() {
    return Scope.REQUEST;
  }

  EventStream intercept(InferenceRequest request, Chain chain);

  /** The remaining chain. Confined to the thread it was passed to. */
  interface Chain {
    /**
     * Goes on with this request; around the request any number of times, around an attempt once.
     * Blocks until the first content is there or nobody will deliver any; that nobody does is a
     * {@code Failed} event. The stream is the caller's to close.
     *
     * @throws IllegalStateException around an attempt, the second time
     */
    EventStream proceed(InferenceRequest request);

    /**
     * Goes on with several at once and waits for all of them. Money for each is set aside before
     * any is sent; one that cannot be paid fails alone.
     *
     * @return a result for each request, in their order
     * @throws IllegalStateException around an attempt
     */
    List<Result> proceedAll(List<InferenceRequest> requests);

    /**
     * What one of several came to.
     *
     * @param answer what was said; null when nothing was
     * @param failure how it failed; null when it did not
     */
    record Result(@Nullable Answer answer, Event.@Nullable Failed failure) {}

    /** Where the attempt goes; empty around the request. */
    Optional<Endpoint> endpoint();

    /** When the request came. A plugin has no other clock. */
    Instant now();

    /** Time left for the whole request; zero once it is over. */
    Duration remaining();

    Cancellation cancellation();

    /** Money settled and held for this request so far. */
    Usd spent();

    /** Sets money aside for a paid act of the interceptor itself. */
    Hold hold(Usd atMost, String what);

    /** Leaves a note in the trace. */
    void note(String text);

    /**
     * Says that the plugin changed something, for the {@code pipeline} of {@code router_metadata}.
     */
    void stage(TraceEntry.Stage stage);
  }
}
