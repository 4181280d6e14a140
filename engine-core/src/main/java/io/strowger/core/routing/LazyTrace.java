package io.strowger.core.routing;

import io.strowger.spi.routing.TraceEntry;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The trace of a plan, computed when it is first read. Safe on any thread. */
final class LazyTrace {
  private final Supplier<List<TraceEntry>> explain;
  private @Nullable List<TraceEntry> entries; // benign race: every thread computes an equal value

  /**
   * @param explain computes the entries; pure; called when the trace is first read
   */
  LazyTrace(Supplier<List<TraceEntry>> explain) {
    this.explain = Objects.requireNonNull(explain, "explain");
  }

  List<TraceEntry> get() {
    List<TraceEntry> built = entries;
    if (built == null) {
      built = List.copyOf(explain.get());
      entries = built;
    }
    return built;
  }
}
