package io.strowger.providers.chat;

import io.strowger.providers.sse.SseReader;
import io.strowger.spi.error.Failure;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.provider.Transport;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A streamed answer. It is complete when a {@code finish_reason} came; that end is held back until
 * the usage, {@code [DONE]} or the end of the body, so that usage always comes before it. A body
 * that ends earlier was cut.
 */
final class ChatStream implements EventStream {
  private static final byte[] DONE = {'[', 'D', 'O', 'N', 'E', ']'};

  private final Transport.Response response;
  private final JsonCodec codec;
  private final Cancellation cancellation;
  private final Runnable released;
  private final SseReader frames;
  private final ChatEvents events;
  private boolean ended;
  private volatile boolean closed;

  /**
   * @param released run once the exchange is over, at least once
   */
  ChatStream(
      Transport.Response response,
      JsonCodec codec,
      Credential credential,
      Cancellation cancellation,
      Runnable released) {
    this.response = response;
    this.codec = codec;
    this.cancellation = cancellation;
    this.released = released;
    this.frames = new SseReader(response.body());
    this.events = new ChatEvents(credential);
  }

  @Override
  public @Nullable Event next() {
    if (ended || closed) {
      return null;
    }
    Event event = pull();
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
        Event event = events.poll();
        if (event == null) {
          event = frames.next() ? read() : atEnd();
        }
        if (event != null) {
          return event;
        }
      }
    } catch (IOException broken) {
      return broken(broken);
    }
  }

  /** Reads the current frame; null when its events, if any, wait in {@link #events}. */
  private @Nullable Event read() {
    byte[] buffer = frames.buffer();
    int start = frames.start();
    int end = frames.end();
    Event known = events.known(buffer, start, end);
    if (known != null || start == end) {
      return known;
    }
    if (Arrays.equals(buffer, start, end, DONE, 0, DONE.length)) {
      return atEnd();
    }
    byte[] document = Arrays.copyOfRange(buffer, start, end);
    try {
      Json frame = codec.parse(document);
      events.frame(frame, document, frames.name().equals("error"));
      return null;
    } catch (JsonCodec.MalformedJson malformed) {
      return failed(Faults.protocol("a frame that is no JSON: " + malformed.getMessage()));
    }
  }

  private Event atEnd() {
    if (events.finished()) {
      return events.finish();
    }
    return failed(Faults.protocol("the stream ended before the answer did"));
  }

  /** What was complete stays complete when no usage came in time. */
  private Event stopped(Cancellation.Cause cause) {
    return events.finished() && cause.isTimeout()
        ? events.finish()
        : failed(Faults.cancelled(cause));
  }

  private Event broken(IOException broken) {
    Cancellation.Cause cause = cancellation.cause();
    if (cause != null) {
      return stopped(cause);
    }
    return events.finished() ? events.finish() : failed(Faults.of(broken, cancellation));
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
    released.run();
  }

  @Override
  public boolean ready() {
    return ended || closed || !events.isEmpty() || frames.ready();
  }

  @Override
  public void close() {
    closed = true;
    response.close();
    released.run();
  }
}
