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
 * A streamed answer of any dialect. It is complete when the upstream said why it ended; that end is
 * held back until the dialect gives it, a frame that says the stream is over, or the end of the
 * body, so that usage always comes before it. A body that ends earlier was cut.
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
   * @param events of this stream only
   * @param answers has memory for this one too, until the exchange is over
   * @param released run once the exchange is over, at least once
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

  /** The next event that waits; null when none does. */
  private @Nullable Event polled() {
    Event event = waiting.poll();
    boolean nonsense =
        event instanceof Event.Failed failed && failed.kind() == FailureKind.PROTOCOL;
    return nonsense && events.finished() ? events.finish() : event; // the answer was complete
  }

  /** Asked when no events wait, so what was read has said nothing if none of them had content. */
  private boolean isChatter() {
    return taken.isOver() && !events.finished();
  }

  private static Event chatter() {
    return failed(
        TransportErrorClassifier.protocol("the upstream went on and on and said nothing"));
  }

  /** Reads the current frame; null when its events, if any, wait in {@link #events}. */
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
        return events.finish(); // what is broken is the count, not the answer
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

  /** What was complete stays complete when no usage came in time, unless nobody wants it. */
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
   * Done before the last event is given, since whoever has it closes, and closing may cancel what
   * is not over yet.
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
   * Counts what the frames of a stream take, with their bytes and with the values in them. All that
   * comes before the first content is kept until then, since another endpoint may be tried. From
   * then on events are passed on, and whoever collects them has a budget of its own; but a frame is
   * parsed whole, and a dialect keeps one or two, so the largest one counts until the end.
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
     * A frame was read and will be parsed.
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

    /** An event is given. */
    void gave(Event event) {
      content |= event.isContent();
    }

    /** True when too much came and nothing was said. */
    boolean isOver() {
      return !content && taken > MAX_BEFORE_CONTENT;
    }
  }
}
