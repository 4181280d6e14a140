package io.strowger.tck;

import io.strowger.spi.model.Event;
import io.strowger.spi.provider.EventStream;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

/**
 * Checks both sides of a stream. The reader must use one thread at a time and close the stream. The
 * source must deliver exactly one terminal event, nothing after it, and no exception. A fault of
 * the source fails at once with an {@link AssertionError}; faults of the reader are reported by
 * {@link #assertUsedCorrectly}, since a reader's own exception handling might hide them.
 */
public final class AssertingEventStream implements EventStream {
  private final String name;
  private final EventStream source;
  private final AtomicReference<@Nullable Thread> reader = new AtomicReference<>();
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();
  private volatile boolean ended;
  private volatile boolean closed;

  /**
   * @param name the name of the stream, for messages
   * @param source the stream to read from
   */
  public AssertingEventStream(String name, EventStream source) {
    this.name = name;
    this.source = source;
  }

  @Override
  public @Nullable Event next() {
    Thread current = Thread.currentThread();
    Thread concurrentReader = reader.compareAndExchange(null, current);
    if (concurrentReader != null) {
      faults.add("read by " + current + " while " + concurrentReader + " was reading");
    }
    try {
      return check(source.next());
    } catch (RuntimeException e) {
      throw new AssertionError(name + ": a stream ends with an event, not with " + e, e);
    } finally {
      reader.compareAndSet(current, null);
    }
  }

  private @Nullable Event check(@Nullable Event event) {
    if (event == null) {
      if (!ended && !closed) {
        throw new AssertionError(name + ": null before a terminal event");
      }
      return null;
    }
    if (ended) {
      throw new AssertionError(name + ": " + event + " after the terminal event");
    }
    ended = event.isTerminal();
    return event;
  }

  @Override
  public boolean ready() {
    return source.ready();
  }

  @Override
  public void close() {
    closed = true;
    source.close();
  }

  /**
   * Throws an {@link AssertionError} when the reader has not closed the stream, or two threads read
   * it at once.
   */
  public void assertUsedCorrectly() {
    Assertions.assertThat(faults).as(name).isEmpty();
    Assertions.assertThat(closed).as("%s was closed", name).isTrue();
  }

  @Override
  public String toString() {
    return name + (closed ? ", closed" : ", open");
  }
}
