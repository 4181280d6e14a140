package io.strowger.providers.upstream;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.sse.SseReader;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.provider.Transport;
import java.io.IOException;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A streamed answer in any dialect. The answer is complete once the upstream has reported why it
 * ended; that event is held back until a final frame comes or the body ends, so that the usage
 * always precedes it. A body that ends before that was cut off.
 *
 * <p>Contract: translation fact sheet, section 3. Test: {@code ChatStreamTest}, {@code
 * ChatStreamFailureTest}.
 */
public final class UpstreamStream implements EventStream {
  private final Transport.Response response;
  private final JsonCodec codec;
  private final Cancellation cancellation;
  private final Runnable released;
  private final SseReader frames;
  private final EventReader events;
  private final Deque<Event> waiting;
  private final AnswerMemory.Share memory;
  private final FrameMemory taken;
  private boolean ended;
  private volatile boolean closed;

  /**
   * @param events the reader of this stream only
   * @param answers the memory of all answers; this one's share is held until the exchange is over
   * @param released run at least once when the exchange is over
   */
  public UpstreamStream(
      Transport.Response response,
      JsonCodec codec,
      EventReader events,
      Cancellation cancellation,
      AnswerMemory answers,
      Runnable released) {
    this.response = response;
    this.codec = codec;
    this.cancellation = cancellation;
    this.released = released;
    this.memory = answers.begin();
    this.taken = new FrameMemory(memory);
    this.frames = new SseReader(response.body(), SseReader.DEFAULT_MAX_EVENT_BYTES, memory::take);
    this.events = events;
    this.waiting = events.waiting();
  }

  @Override
  public @Nullable Event next() {
    if (ended || closed) {
      return null;
    }
    Event event = pull();
    taken.gave(event);
    if (closed) {
      return null;
    }
    if (event.isTerminal()) {
      end(event);
    }
    return event;
  }

  private Event pull() {
    try {
      while (true) {
        Cancellation.Cause cause = cancellation.cause();
        if (cause != null) {
          return stopped(cause);
        }
        Event event = polled();
        if (event == null) {
          event = isChatter() ? chatter() : frames.next() ? read() : atEnd();
        }
        if (event != null) {
          return event;
        }
      }
    } catch (IOException broken) {
      return broken(broken);
    }
  }

  /** Returns the next queued event; null when there is none. */
  private @Nullable Event polled() {
    Event event = waiting.poll();
    boolean nonsense =
        event instanceof Event.Failed failed && failed.kind() == FailureKind.PROTOCOL;
    return nonsense && events.finished() ? events.finish() : event; // the answer was complete
  }

  /**
   * Returns whether too many bytes came without content. To be called only when no events are
   * queued.
   */
  private boolean isChatter() {
    return taken.isOver() && !events.finished();
  }

  private static Event chatter() {
    return failed(
        TransportErrorClassifier.protocol("the upstream went on and on and said nothing"));
  }

  /** Reads the current frame; returns null when its events are queued in {@link #events}. */
  private @Nullable Event read() throws IOException {
    byte[] buffer = frames.buffer();
    int start = frames.start();
    int end = frames.end();
    Event known = events.known(buffer, start, end);
    if (known != null || start == end) {
      return known;
    }
    if (events.isEnd(buffer, start, end)) {
      return atEnd();
    }
    byte[] document = Arrays.copyOfRange(buffer, start, end);
    try {
      taken.read(document);
      events.frame(codec.parse(document), document, frames.name());
      return null;
    } catch (JsonCodec.MalformedJsonException malformed) {
      if (events.finished()) {
        return events.finish(); // only the usage is malformed, not the answer
      }
      return failed(
          TransportErrorClassifier.protocol("a frame that is no JSON: " + malformed.getMessage()));
    }
  }

  private Event atEnd() {
    if (events.finished()) {
      return events.finish();
    }
    return failed(TransportErrorClassifier.cutOff());
  }

  /**
   * Returns the last event of a cancelled stream: an answer that is complete stays so even without
   * its usage, unless the caller cancelled it.
   */
  private Event stopped(Cancellation.Cause cause) {
    boolean wanted = cause.isTimeout() || cause == Cancellation.Cause.SHUTDOWN;
    return events.finished() && wanted
        ? events.finish()
        : failed(TransportErrorClassifier.cancelled(cause));
  }

  private Event broken(IOException broken) {
    Cancellation.Cause cause = cancellation.cause();
    if (cause != null) {
      return stopped(cause);
    }
    if (events.finished()) {
      return events.finish();
    }
    return broken instanceof AnswerMemory.NoMemoryLeft
        ? ResourceExhausted.MEMORY
        : failed(TransportErrorClassifier.of(broken, cancellation));
  }

  private static Event failed(Failure failure) {
    return Event.Failed.upstream(failure);
  }

  /**
   * Ends the exchange before the last event is returned: its receiver then closes the stream, which
   * may cancel what is still running.
   */
  private void end(Event event) {
    ended = true;
    if (event instanceof Event.Finished) {
      response.finish();
    } else {
      response.close();
    }
    release();
  }

  private void release() {
    memory.close();
    released.run();
  }

  @Override
  public boolean ready() {
    return ended || closed || !waiting.isEmpty() || isChatter() || frames.ready();
  }

  @Override
  public void close() {
    closed = true;
    response.close();
    release();
  }

  /**
   * Accounts for the memory of a stream's frames: their bytes and their values. All frames before
   * the first content are kept until then, since another endpoint may be tried. Later events are
   * passed on, and whoever collects them has a budget for that. But each frame is parsed as a
   * whole, and a dialect keeps one or two of them, so the largest frame is counted until the end.
   */
  private static final class FrameMemory {
    private static final long MAX_BEFORE_CONTENT = 16L << 20;
    private static final int COST_OF_A_FRAME = 256;

    private final AnswerMemory.Share memory;
    private long taken;
    private long largest; // since content came
    private boolean content;

    FrameMemory(AnswerMemory.Share memory) {
      this.memory = memory;
    }

    /**
     * Accounts for a frame that was read and will be parsed.
     *
     * @throws IOException when there is no memory for it
     */
    void read(byte[] document) throws IOException {
      if (!content) {
        long cost =
            COST_OF_A_FRAME + document.length + BoundedBodyReader.values(document, document.length);
        taken += cost;
        memory.take(cost);
      } else if (document.length > BoundedBodyReader.SMALL) {
        long cost = document.length + BoundedBodyReader.values(document, document.length);
        memory.take(Math.max(0, cost - largest));
        largest = Math.max(largest, cost);
      }
    }

    /** Notes an event that is returned. */
    void gave(Event event) {
      content |= event.isContent();
    }

    /** Returns whether too much came without any content. */
    boolean isOver() {
      return !content && taken > MAX_BEFORE_CONTENT;
    }
  }
}
