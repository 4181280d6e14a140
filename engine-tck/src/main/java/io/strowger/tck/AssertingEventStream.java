package io.strowger.tck;

import io.strowger.spi.model.Event;
import io.strowger.spi.provider.EventStream;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

/**
 * Watches both sides of a stream: that its reader is one thread at a time and closes it, and that
 * its source gives exactly one ending event, nothing behind it, and no exception. What the source
 * does wrong fails at once; what the reader does wrong is told by {@link #assertUsedWell}, for a
 * reader's exception handling might hide it.
 */
public final class AssertingEventStream implements EventStream {
  private final String name;
  private final EventStream source;
  private final AtomicReference<@Nullable Thread> reader = new AtomicReference<>();
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();
  private volatile boolean ended;
  private volatile boolean closed;

  /**
   * @param name of the stream, for messages
   */
  public AssertingEventStream(String name, EventStream source) {
    this.name = name;
    this.source = source;
  }

  @Override
  public @Nullable Event next() {
    Thread me = Thread.currentThread();
    Thread other = reader.compareAndExchange(null, me);
    if (other != null) {
      faults.add("read by " + me + " while " + other + " was reading");
    }
    try {
      return checked(source.next());
    } catch (RuntimeException e) {
      throw new AssertionError(name + ": a stream ends with an event, not with " + e, e);
    } finally {
      reader.compareAndSet(me, null);
    }
  }

  private @Nullable Event checked(@Nullable Event event) {
    if (event == null) {
      if (!ended && !closed) {
        throw new AssertionError(name + ": null before an ending event");
      }
      return null;
    }
    if (ended) {
      throw new AssertionError(name + ": " + event + " behind the ending event");
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

  /** Fails when the reader has not closed the stream, or two threads read it at once. */
  public void assertUsedWell() {
    Assertions.assertThat(faults).as(name).isEmpty();
    Assertions.assertThat(closed).as("%s was closed", name).isTrue();
  }

  @Override
  public String toString() {
    return name + (closed ? ", closed" : ", open");
  }
}
