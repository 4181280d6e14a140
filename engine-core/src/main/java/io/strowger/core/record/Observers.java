package io.strowger.core.record;

import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.observe.CallSpan;
import io.strowger.spi.observe.CallTracer;
import io.strowger.spi.observe.TraceSink;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The observers of a gateway's calls. A failing observer is logged and changes nothing.
 *
 * @param sinks receive every finished call
 * @param tracer connects calls with a distributed trace; null for none
 */
public record Observers(List<TraceSink> sinks, @Nullable CallTracer tracer) {
  private static final Logger log = LoggerFactory.getLogger(Observers.class);

  /** No observers. */
  public static final Observers NONE = new Observers(List.of(), null);

  public Observers {
    sinks = List.copyOf(sinks);
  }

  /** Returns whether there is any observer. */
  public boolean hasAny() {
    return tracer != null || !sinks.isEmpty();
  }

  /** Returns the tracer for a call that this thread passes to the gateway; null for none. */
  public @Nullable CallTracer forCallingThread() {
    CallTracer callTracer = tracer;
    try {
      return callTracer == null ? null : callTracer.forCallingThread();
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError bug) {
      log.error("the tracer failed to remember the calling thread", bug);
      return callTracer;
    }
  }

  /**
   * Begins to observe a call.
   *
   * @param arrivedNanos when the call arrived, on {@link io.strowger.spi.ambient.Ambient#nanoTime}
   * @param callTracer the tracer from {@link #forCallingThread}; null when the call is not traced
   * @param start supplies the tracer's input; called only when the call is traced
   */
  public CallObservation begin(
      String id,
      long arrivedNanos,
      @Nullable CallTracer callTracer,
      Supplier<CallTracer.Start> start) {
    return new CallObservation(
        id, callTracer == null ? null : beginSpan(id, callTracer, start), arrivedNanos);
  }

  private static @Nullable CallSpan beginSpan(
      String id, CallTracer callTracer, Supplier<CallTracer.Start> start) {
    try {
      return callTracer.begin(start.get());
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError bug) {
      log.error("the tracer failed on call {}", id, bug);
      return null;
    }
  }

  /** Passes the record of a finished call to all observers. */
  public void callEnded(CallRecord record, @Nullable CallSpan span) {
    for (TraceSink sink : sinks) {
      try {
        sink.accept(record);
      } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
        log.error(
            "the trace sink {} failed on the record of {}",
            sink.getClass().getName(),
            record.id(),
            e);
      }
    }
    if (span != null) {
      try {
        span.end(record);
      } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
        log.error("the tracer failed on call {}", record.id(), e);
      }
    }
  }
}
