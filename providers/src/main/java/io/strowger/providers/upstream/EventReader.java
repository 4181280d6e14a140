package io.strowger.providers.upstream;

import io.strowger.spi.error.Failure;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Turns the frames of one stream into events, which are queued until they are taken. A failure that
 * the upstream reports is queued as {@link Event.Failed}. The end is not queued but held as {@link
 * #finish()} until the upstream is done, except in dialects with a final frame: there it is queued
 * like other events.
 *
 * <p>Threads: the stream's reader only.
 */
public interface EventReader {

  /** Returns the event of a frame that differs from an earlier one in text only; null otherwise. */
  default @Nullable Event known(byte[] buffer, int start, int end) {
    return null;
  }

  /** Returns whether a frame that is not JSON marks the end of the stream. */
  default boolean isEnd(byte[] buffer, int start, int end) {
    return false;
  }

  /**
   * Reads one frame.
   *
   * @param bytes the bytes the frame was parsed from; passed into the reader's ownership
   * @param name the event's name; empty when it has none
   */
  void frame(Json document, byte[] bytes, String name);

  /** Returns the queue of events, from which the stream takes them; always the same object. */
  Deque<Event> waiting();

  /** Queues a failure, reported by the upstream or due to an invalid frame. */
  default void failed(Failure failure) {
    waiting().add(Event.Failed.upstream(failure));
  }

  /** Returns whether the upstream has said why the answer ended, which makes it complete. */
  boolean finished();

  /**
   * Returns the end that was held back; requires {@link #finished()}. Events that belong before it
   * are returned first, one for each call.
   */
  Event finish();
}
