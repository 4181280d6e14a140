package io.strowger.providers.upstream;

import io.strowger.spi.error.Failure;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Turns the frames of one stream into events, which wait in it until they are asked for. A failure
 * the upstream reports is an {@link Event.Failed} among them; the end is not, it is held back as
 * {@link #finish()} until the upstream is done, unless the dialect has a frame behind which nothing
 * comes: then it is an event like others.
 *
 * <p>Threads: the stream's reader only.
 */
public interface EventReader {

  /** The event of a frame that is like one before but for its text; null when it must be parsed. */
  default @Nullable Event known(byte[] buffer, int start, int end) {
    return null;
  }

  /** True for a frame that only says that the stream is over, and is no JSON. */
  default boolean isEnd(byte[] buffer, int start, int end) {
    return false;
  }

  /**
   * Takes one frame.
   *
   * @param bytes what it was parsed from; ownership passes
   * @param name the event's name; empty when it has none
   */
  void frame(Json document, byte[] bytes, String name);

  /** The events of what was read so far, which the stream takes from it; always the same queue. */
  Deque<Event> waiting();

  /** Adds that the upstream reports a failure, or says nonsense. */
  default void failed(Failure failure) {
    waiting().add(Event.Failed.upstream(failure));
  }

  /** True once the upstream has said why the answer ended: then it is complete. */
  boolean finished();

  /**
   * The end that was held back, once {@link #finished()}. What belongs before it and could not be
   * said earlier comes first, one event for each time this is asked.
   */
  Event finish();
}
