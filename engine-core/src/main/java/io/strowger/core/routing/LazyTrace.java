package io.strowger.core.routing;

import io.strowger.spi.routing.TraceEntry;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The trace of a plan, computed when it is first read. Safe on any thread. */
final class LazyTrace {
  private final Supplier<List<TraceEntry>> supplier;
  private @Nullable List<TraceEntry> entries; // benign race: every thread computes an equal value

  /**
   * @param supplier computes the entries; pure; called when the trace is first read
   */
  LazyTrace(Supplier<List<TraceEntry>> supplier) {
    this.supplier = supplier;
  }

  List<TraceEntry> get() {
    List<TraceEntry> result = entries;
    if (result == null) {
      result = List.copyOf(supplier.get());
      entries = result;
    }
    return result;
  }
}
