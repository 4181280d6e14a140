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
 * A streamed answer in any dialect. A frame of the upstream's body becomes any number of events,
 * which are queued and returned one by one. The answer is complete once the upstream has reported
 * why the answer ended. The event with that reason is held back until a final frame comes or the
 * body ends, so that the usage always precedes it. A body that ends without a reason was cut off.
 *
 * <p>One thread reads the stream; any thread may close it or cancel the call, which ends a blocked
 * read. The upstream request is over when the terminal event is returned or the stream is closed.
 *
 * <p>Contract: translation fact sheet, section 3. Test: {@code ChatStreamTest}, {@code
 * ChatStreamFailureTest}.
 */
public final class UpstreamStream implements EventStream {
  private final Transport.Response response;
  private final JsonCodec codec;
  private final Cancellation cancellation;
  private final Runnable onRelease;
  private final SseReader frames;
  private final EventReader events;
  private final Deque<Event> queue;
  private final AnswerMemory.Share memory;
  private final FrameMemory frameMemory;
  private boolean ended; // the terminal event was returned
  private volatile boolean closed;

  /**
   * @param events reads the frames; not shared with another stream
   * @param answerMemory the memory of all answers; this answer has a share of it until the upstream
   *     request is over
   * @param onRelease run at least once when the upstream request is over
   */
  public UpstreamStream(
      Transport.Response response,
      JsonCodec codec,
      EventReader events,
      Cancellation cancellation,
      AnswerMemory answerMemory,
      Runnable onRelease) {
    this.response = response;
    this.codec = codec;
    this.cancellation = cancellation;
    this.onRelease = onRelease;
    this.memory = answerMemory.begin();
    this.frameMemory = new FrameMemory(memory);
    this.frames = new SseReader(response.body(), SseReader.DEFAULT_MAX_EVENT_BYTES, memory::take);
    this.events = events;
    this.queue = events.queue();
  }

  @Override
  public @Nullable Event next() {
    if (ended || closed) {
      return null;
    }
    Event event = awaitEvent();
    frameMemory.noteEvent(event);
    if (closed) {
      return null;
    }
    if (event.isTerminal()) {
      endRequest(event);
    }
    return event;
  }

  /** Returns the next event: a queued one, one of the next frame, or the last one. */
  private Event awaitEvent() {
    try {
      while (true) {
        Cancellation.Cause cause = cancellation.cause();
        if (cause != null) {
          return lastEventWhenCancelled(cause);
        }
        Event event = pollQueue();
        if (event == null) {
          event =
              exceedsContentlessLimit()
                  ? contentlessFailure()
                  : frames.next() ? readFrame() : lastEventOfBody();
        }
        if (event != null) {
          return event;
        }
      }
    } catch (IOException failure) {
      return lastEventWhenBroken(failure);
    }
  }

  /**
   * Returns the next queued event; null when there is none. Once the answer is complete, a protocol
   * failure is replaced by the end of the answer.
   */
  private @Nullable Event pollQueue() {
    Event event = queue.poll();
    boolean isProtocolFailure =
        event instanceof Event.Failed failed && failed.kind() == FailureKind.PROTOCOL;
    return isProtocolFailure && events.isFinished() ? events.finish() : event;
  }

  /**
   * Returns whether too many bytes came without content. To be called only when no events are
   * queued.
   */
  private boolean exceedsContentlessLimit() {
    return frameMemory.exceedsContentlessLimit() && !events.isFinished();
  }

  private static Event contentlessFailure() {
    return failed(
        TransportErrorClassifier.protocolError(
            "the upstream sent many frames without any content"));
  }

  /**
   * Reads the current frame. Returns its event, or null when its events were added to the queue.
   */
  private @Nullable Event readFrame() throws IOException {
    byte[] buffer = frames.buffer();
    int start = frames.start();
    int end = frames.end();
    Event matched = events.tryMatch(buffer, start, end);
    if (matched != null || start == end) {
      return matched;
    }
    if (events.isEnd(buffer, start, end)) {
      return lastEventOfBody();
    }
    byte[] document = Arrays.copyOfRange(buffer, start, end);
    try {
      frameMemory.addFrame(document);
      events.readFrame(codec.parse(document), document, frames.name());
      return null;
    } catch (JsonCodec.MalformedJsonException malformed) {
      if (events.isFinished()) {
        return events.finish(); // only the usage is malformed, not the answer
      }
      return failed(
          TransportErrorClassifier.protocolError(
              "the upstream sent a frame that is not JSON: " + malformed.getMessage()));
    }
  }

  /** Returns the last event of a stream whose body has ended. */
  private Event lastEventOfBody() {
    if (events.isFinished()) {
      return events.finish();
    }
    return failed(TransportErrorClassifier.truncated());
  }

  /**
   * Returns the last event of a cancelled stream. A complete answer ends normally, even without its
   * usage, unless the caller cancelled it.
   */
  private Event lastEventWhenCancelled(Cancellation.Cause cause) {
    boolean keepsAnswer = cause.isTimeout() || cause == Cancellation.Cause.SHUTDOWN;
    return events.isFinished() && keepsAnswer
        ? events.finish()
        : failed(TransportErrorClassifier.cancelled(cause));
  }

  /** Returns the last event of a stream whose body cannot be read any further. */
  private Event lastEventWhenBroken(IOException failure) {
    Cancellation.Cause cause = cancellation.cause();
    if (cause != null) {
      return lastEventWhenCancelled(cause);
    }
    if (events.isFinished()) {
      return events.finish();
    }
    return failure instanceof AnswerMemory.NoMemoryLeftException
        ? ResourceExhausted.MEMORY
        : failed(TransportErrorClassifier.of(failure, cancellation));
  }

  private static Event failed(Failure failure) {
    return Event.Failed.upstream(failure);
  }

  /**
   * Ends the upstream request before the last event is returned: the receiver of that event then
   * closes the stream, which would cancel a request that is still running.
   */
  private void endRequest(Event event) {
    ended = true;
    if (event instanceof Event.Finished) {
      response.finish();
    } else {
      response.close();
    }
    release();
  }

  /** Gives the memory back, and runs the action for the end of the upstream request. */
  private void release() {
    memory.close();
    onRelease.run();
  }

  @Override
  public boolean ready() {
    return ended || closed || !queue.isEmpty() || exceedsContentlessLimit() || frames.ready();
  }

  @Override
  public void close() {
    closed = true;
    response.close();
    release();
  }

  /**
   * Accounts for the memory of a stream's frames: their bytes and their parsed values. It is given
   * back when the upstream request is over.
   *
   * <ul>
   *   <li>Before the first content every frame counts, because all of them are kept while another
   *       endpoint may be tried.
   *   <li>After it only the largest frame above {@link BoundedBodyReader#SMALL_DOCUMENT_BYTES}
   *       counts, because a frame is parsed as a whole and a dialect keeps one or two of them.
   *       Smaller frames do not count: their events are passed on, and code that collects events
   *       has a budget of its own.
   * </ul>
   */
  private static final class FrameMemory {
    private static final long MAX_BEFORE_CONTENT = 16L << 20;
    private static final int FRAME_COST = 256;

    private final AnswerMemory.Share memory;
    private long takenBytes;
    private long largestCost; // of a frame since the first content
    private boolean hasContent;

    FrameMemory(AnswerMemory.Share memory) {
      this.memory = memory;
    }

    /**
     * Accounts for a frame that was read and will be parsed.
     *
     * @throws IOException when there is no memory for the frame
     */
    void addFrame(byte[] document) throws IOException {
      if (!hasContent) {
        long cost =
            FRAME_COST
                + document.length
                + BoundedBodyReader.estimateValueMemory(document, document.length);
        takenBytes += cost;
        memory.take(cost);
      } else if (document.length > BoundedBodyReader.SMALL_DOCUMENT_BYTES) {
        long cost =
            document.length + BoundedBodyReader.estimateValueMemory(document, document.length);
        memory.take(Math.max(0, cost - largestCost));
        largestCost = Math.max(largestCost, cost);
      }
    }

    /** Notes an event that is returned. */
    void noteEvent(Event event) {
      hasContent |= event.isContent();
    }

    /** Returns whether too much came without any content. */
    boolean exceedsContentlessLimit() {
      return !hasContent && takenBytes > MAX_BEFORE_CONTENT;
    }
  }
}
