package io.strowger.spi.provider;

import io.strowger.spi.model.Event;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An answer as it arrives. Nothing is read from the upstream before the reader asks for it.
 *
 * <p>Ends with exactly one of {@link Event.Finished}, {@link Event.Failed}, {@link
 * Event.CompleteAnswer}; a failure after the stream was opened is a {@code Failed} event, never an
 * exception.
 */
public interface EventStream extends AutoCloseable {
  /**
   * Waits for the next event and returns it. Called by one thread at a time.
   *
   * @return the event; null after the terminal event and after {@link #close()}
   */
  @Nullable Event next();

  /**
   * Returns whether {@link #next()} would return without waiting. A host flushes its output when
   * this is false.
   */
  boolean ready();

  /**
   * Closes the stream: ends an unfinished exchange at once and wakes {@link #next()}. May be called
   * on any thread, any number of times.
   */
  @Override
  void close();

  /** Returns a stream of these events. */
  static EventStream of(List<Event> events) {
    Iterator<Event> iterator = List.copyOf(events).iterator();
    return new EventStream() {
      private volatile boolean closed;

      @Override
      public @Nullable Event next() {
        return !closed && iterator.hasNext() ? iterator.next() : null;
      }

      @Override
      public boolean ready() {
        return true;
      }

      @Override
      public void close() {
        closed = true;
      }
    };
  }
}
