package io.strowger.spi.observe;

import io.strowger.spi.catalog.Endpoint;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Connects calls with a distributed trace. Its only task while a call runs is to name the spans, so
 * that the attempts can tell upstreams where they belong; what happened is in the record that
 * {@link CallSpan#ended} receives. A host gives one to the builder of its gateway; without one
 * nothing is traced, and no trace header is read or sent.
 */
@FunctionalInterface
public interface CallTracer {
  /**
   * Begins to trace a call. Called once per call that was let in, on the call's thread, before
   * anything is decided; must return quickly. What it throws is logged, and the call is not traced.
   *
   * @return null: the call is not traced
   */
  @Nullable CallSpan begin(Start call);

  /**
   * What is known of a call when it begins.
   *
   * @param id generation id, {@code gen-...}
   * @param at when the call came; all times of its record count from here
   * @param kind what it asks for
   * @param requested the model as the caller named it, the first when several; empty when the
   *     account has no default either. Any text of up to 256 characters, for callers may ask for
   *     models that do not exist
   * @param parent what the caller's headers say; null when it sent none, or none that is valid
   */
  record Start(
      String id, Instant at, Endpoint.Kind kind, String requested, @Nullable TraceContext parent) {
    public Start {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(requested, "requested");
    }
  }
}
