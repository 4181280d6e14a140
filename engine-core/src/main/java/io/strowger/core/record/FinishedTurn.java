package io.strowger.core.record;

import io.strowger.core.attempt.AttemptLoop;
import io.strowger.core.meter.Bill;
import org.jspecify.annotations.Nullable;

/** One turn of a {@link FinishedRequest}: one decision, its attempts and its answer. */
public interface FinishedTurn {
  /** What it costs; null before the usage is known. */
  @Nullable Bill bill();

  /** Who answers; null when nobody does. */
  AttemptLoop.Outcome.@Nullable Delivers delivers();

  /** When its answer ended. */
  long endedNanos();

  /** The inner call it belongs to; null when it is of the caller's own request. */
  @Nullable String innerCall();

  AnswerTranscript transcript();
}
