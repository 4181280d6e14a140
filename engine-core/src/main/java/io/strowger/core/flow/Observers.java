package io.strowger.core.flow;

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
 * Who observes the calls of a gateway. One of them that fails is logged and changes nothing.
 *
 * @param sinks receive every finished call
 * @param tracer connects calls with a distributed trace; null: nobody does
 */
public record Observers(List<TraceSink> sinks, @Nullable CallTracer tracer) {
  private static final Logger log = LoggerFactory.getLogger(Observers.class);

  /** Nobody observes. */
  public static final Observers NONE = new Observers(List.of(), null);

  public Observers {
    sinks = List.copyOf(sinks);
  }

  /** Whether anybody observes. */
  boolean any() {
    return tracer != null || !sinks.isEmpty();
  }

  /**
   * Begins to observe a call.
   *
   * @param cameNanos when it came, on {@link io.strowger.spi.ambient.Ambient#nanoTime}
   * @param start made only where somebody traces
   */
  CallLog begin(String id, long cameNanos, Supplier<CallTracer.Start> start) {
    return new CallLog(id, tracer == null ? null : trace(tracer, start), cameNanos);
  }

  private static @Nullable CallSpan trace(CallTracer by, Supplier<CallTracer.Start> start) {
    CallTracer.Start call = start.get();
    try {
      return by.begin(call);
    } catch (RuntimeException | LinkageError bug) {
      log.error("the tracer failed on {}", call.id(), bug);
      return null;
    }
  }

  /** Hands the record of a finished call to everybody. */
  void ended(CallRecord record, @Nullable CallSpan trace) {
    for (TraceSink sink : sinks) {
      try {
        sink.accept(record);
      } catch (RuntimeException | Error e) {
        log.error("a sink failed on {}", record.id(), e);
      }
    }
    if (trace != null) {
      try {
        trace.ended(record);
      } catch (RuntimeException | Error e) {
        log.error("the tracer failed on {}", record.id(), e);
      }
    }
  }
}
