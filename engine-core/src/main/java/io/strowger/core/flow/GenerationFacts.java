package io.strowger.core.flow;

import io.strowger.core.attempt.AttemptLoop;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.Candidate;
import io.strowger.spi.routing.RoutePlan;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a request that has ended.
 *
 * @param received as it came
 * @param turns in the order they were planned
 * @param record what sinks are told
 * @param replayed who once gave the answer that was given again; null when it was made anew
 * @param shown heard what the caller got, where plugins or tools stood around the request; null:
 *     what the upstream said
 */
record GenerationFacts(
    Received received,
    List<Turn> turns,
    CallRecord record,
    @Nullable Endpoint replayed,
    @Nullable Witness shown) {
  /**
   * One attempt of one turn.
   *
   * @param endpoint null when the plan does not know it, which does not happen
   */
  record Try(Turn turn, TraceEntry.Attempted attempted, @Nullable Endpoint endpoint) {}

  boolean reachedAnybody() {
    return turns.stream()
        .flatMap(turn -> turn.attempts().stream())
        .anyMatch(TraceEntry.Attempted.class::isInstance);
  }

  /** Every attempt, in order. */
  List<Try> tries() {
    var tries = new ArrayList<Try>();
    for (Turn turn : turns) {
      for (TraceEntry entry : turn.attempts()) {
        if (entry instanceof TraceEntry.Attempted attempted) {
          tries.add(new Try(turn, attempted, endpoint(turn, attempted.endpoint())));
        }
      }
    }
    return tries;
  }

  private static @Nullable Endpoint endpoint(Turn turn, String id) {
    if (turn.plan() instanceof RoutePlan.Attempts planned) {
      for (Candidate candidate : planned.inOrder()) {
        if (candidate.endpoint().id().equals(id)) {
          return candidate.endpoint();
        }
      }
    }
    return null;
  }

  /** The last turn somebody answered; null when nobody did. */
  @Nullable Turn delivering() {
    Turn last = null;
    for (Turn turn : turns) {
      last = turn.delivers() == null ? last : turn;
    }
    return last;
  }

  /** Who heard what the caller got; null when nobody answered. */
  @Nullable Witness heard() {
    Turn last = delivering();
    return last == null ? null : shown == null ? last.witness() : shown;
  }

  /** Who answered last; null when nobody did. */
  @Nullable Candidate by() {
    Turn last = delivering();
    AttemptLoop.Outcome.Delivers delivers = last == null ? null : last.delivers();
    return delivers == null ? null : delivers.candidate();
  }

  /** What the first turn was asked: nothing in it was taken out before it was sent. */
  InferenceRequest request() {
    return turns.isEmpty() ? received.request() : turns.getFirst().request();
  }
}
