package io.strowger.core.flow;

import io.strowger.spi.error.FailureKind;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Entry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the lines of one request's turns: one for each attempt, those that failed or were given up
 * too.
 *
 * @param generation id of the request
 * @param numbers gives each line of the request its own
 * @param clock when it is
 */
record Lines(String generation, IntSupplier numbers, Supplier<Instant> clock) {
  /** Of a turn nobody delivers. */
  List<Entry> of(List<TraceEntry> attempts) {
    return of(attempts, null);
  }

  /**
   * Of a turn somebody delivered.
   *
   * @param attempts with the one that delivered
   * @param end how it ended; null when nobody delivered
   */
  List<Entry> of(List<TraceEntry> attempts, MeteredAnswer.@Nullable End end) {
    Instant at = clock.get();
    var lines = new ArrayList<Entry>(1);
    for (TraceEntry entry : attempts) {
      if (entry instanceof TraceEntry.Attempted attempted) {
        lines.add(line(attempted, end, at));
      }
    }
    return lines;
  }

  private Entry line(TraceEntry.Attempted attempted, MeteredAnswer.@Nullable End end, Instant at) {
    MeteredAnswer.End delivered = attempted.failure() == null ? end : null;
    return new Entry(
        generation,
        numbers.getAsInt(),
        at,
        attempted.endpoint(),
        Objects.requireNonNullElse(attempted.byokKey(), ""),
        delivered == null ? outcome(attempted.failure()) : delivered.outcome(),
        delivered == null ? Usage.NONE : delivered.bill().usage(),
        delivered == null ? Charge.ZERO : delivered.bill().charge());
  }

  private static CallRecord.Outcome outcome(@Nullable FailureKind failure) {
    return failure == null || failure == FailureKind.CANCELLED
        ? CallRecord.Outcome.CANCELLED
        : CallRecord.Outcome.ERROR;
  }
}
