package io.strowger.core.pipeline;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.TraceEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Enforces the contract of streams for a plugin's stream: the stream always ends with exactly one
 * terminal event, and an exception is reported as a failure of the plugin, not of the caller.
 */
final class GuardedStream implements EventStream {
  private static final Logger log = LoggerFactory.getLogger(GuardedStream.class);

  private final String plugin;
  private final EventStream stream;
  private final CallExchange exchange;
  private boolean ended;
  private volatile boolean closed;

  GuardedStream(String plugin, EventStream stream, CallExchange exchange) {
    this.plugin = plugin;
    this.stream = stream;
    this.exchange = exchange;
  }

  /** Returns a stream with this failure as its only event. */
  static EventStream ofFailure(GatewayError error, @Nullable Failure cause) {
    return EventStream.of(List.of(new Event.Failed(error, cause)));
  }

  @Override
  public @Nullable Event next() {
    if (ended) {
      return null;
    }
    Event event = pull();
    ended = event == null || event.isTerminal();
    return event;
  }

  private @Nullable Event pull() {
    try {
      Event event = stream.next();
      return event != null || closed
          ? event
          : failure("its stream ended without a terminal event", null);
    } catch (GatewayException e) {
      return new Event.Failed(e.error(), null);
    } catch (RuntimeException | Error bug) {
      return failure("failed", bug);
    }
  }

  private Event failure(String message, @Nullable Throwable bug) {
    log.error("the plugin {}: {}", plugin, message, bug);
    exchange.work().note(new TraceEntry.Note(plugin, message));
    return new Event.Failed(GatewayError.of(ErrorCode.INTERNAL), null);
  }

  @Override
  public boolean ready() {
    try {
      return ended || stream.ready();
    } catch (RuntimeException | Error bug) {
      log.error("the stream of the plugin {} failed in ready()", plugin, bug);
      return false;
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      stream.close();
    } catch (RuntimeException | Error bug) {
      log.error("the plugin {} failed to close its stream", plugin, bug);
    }
  }
}
