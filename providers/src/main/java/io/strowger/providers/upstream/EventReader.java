package io.strowger.providers.upstream;

import io.strowger.spi.error.Failure;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Turns the frames of one stream into events, which are queued until they are taken. A failure that
 * the upstream reports is queued as {@link Event.Failed}. The end of the answer is queued like any
 * other event if a frame shows that nothing follows; otherwise {@link #finish()} returns it once
 * the stream has ended.
 *
 * <p>Threads: the stream's reader only.
 */
public interface EventReader {

  /**
   * Returns the event of a frame that differs from an earlier one only in its text; null when the
   * frame must be parsed.
   */
  default @Nullable Event tryMatch(byte[] buffer, int start, int end) {
    return null;
  }

  /** Returns whether a frame that is not JSON marks the end of the stream. */
  default boolean isEnd(byte[] buffer, int start, int end) {
    return false;
  }

  /**
   * Reads one frame.
   *
   * @param bytes the bytes the frame was parsed from; owned by this reader from now on
   * @param name the event's name; empty when it has none
   */
  void readFrame(Json document, byte[] bytes, String name);

  /** Returns the queue of events, from which the stream takes them; always the same object. */
  Deque<Event> queue();

  /** Queues a failure, reported by the upstream or due to an invalid frame. */
  default void queueFailure(Failure failure) {
    queue().add(Event.Failed.upstream(failure));
  }

  /** Queues a failure due to a frame that violates the dialect. */
  default void queueProtocolFailure(String message) {
    queueFailure(TransportErrorClassifier.protocolError(message));
  }

  /**
   * Returns whether the upstream has reported why the answer ended, so that the answer is complete.
   */
  boolean isFinished();

  /**
   * Returns the end of the answer. Events that belong before the end are returned first, one for
   * each call. Requires {@link #isFinished()}.
   */
  Event finish();
}
