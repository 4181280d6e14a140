package io.strowger.spi.observe;

import io.strowger.spi.catalog.Endpoint;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Connects calls with a distributed trace. Its only task while a call runs is to choose the ids of
 * the spans, which the attempts send to upstreams; what happened is in the record that {@link
 * CallSpan#end} receives. A host gives a tracer to the builder of its gateway. Without a tracer
 * nothing is traced, no trace header is read, and the engine adds none to what it sends; a header
 * that the configuration of a provider sets is still sent.
 */
@FunctionalInterface
public interface CallTracer {
  /**
   * Begins to trace a call. Called once per call that was let in, on the call's thread, before
   * anything is decided; must return quickly. What it throws is logged, and the call is not traced.
   *
   * @return the span of the call; null when the call is not traced
   */
  @Nullable CallSpan begin(Start call);

  /**
   * Returns the tracer that begins one call. Called once per call, on the thread that hands the
   * call to the gateway, before the call is let in; {@link #begin} may run on another thread later,
   * as it does for a stream with an early head. A tracer that takes its parent from a context of
   * the calling thread overrides this and returns one that remembers the context. Must return
   * quickly. What it throws is logged, and this tracer begins the call.
   */
  default CallTracer forCallingThread() {
    return this;
  }

  /**
   * The facts that are known when a call begins.
   *
   * @param id generation id, {@code gen-...}
   * @param arrivedAt when the call arrived; all times of its record are relative to it
   * @param kind the kind of answer it asks for
   * @param requestedModel the model as the caller named it, the first when several; empty when the
   *     account has no default either. Any text of up to 256 characters, for callers may ask for
   *     models that do not exist
   * @param parent the context in the caller's headers; null when they contain no valid one
   * @param isBatch whether it is a request of a batch, for which no client waits; it has no parent
   */
  record Start(
      String id,
      Instant arrivedAt,
      Endpoint.Kind kind,
      String requestedModel,
      @Nullable TraceContext parent,
      boolean isBatch) {
    public Start {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(arrivedAt, "arrivedAt");
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(requestedModel, "requestedModel");
    }
  }
}
