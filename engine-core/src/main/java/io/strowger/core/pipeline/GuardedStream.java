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
 * Enforces the contract of streams for a plugin's stream: it always ends with exactly one ending
 * event, and an exception is reported as a failure of the plugin, not of the caller.
 */
final class GuardedStream implements EventStream {
  private static final Logger log = LoggerFactory.getLogger(GuardedStream.class);

  private final String plugin;
  private final EventStream inner;
  private final CallExchange exchange;
  private boolean ended;
  private volatile boolean closed;

  GuardedStream(String plugin, EventStream inner, CallExchange exchange) {
    this.plugin = plugin;
    this.inner = inner;
    this.exchange = exchange;
  }

  /** Returns a stream with this failure as its only event. */
  static EventStream failed(GatewayError error, @Nullable Failure cause) {
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
      Event event = inner.next();
      return event != null || closed ? event : broken("its stream ended without saying so", null);
    } catch (GatewayException refused) {
      return new Event.Failed(refused.error(), null);
    } catch (RuntimeException | Error bug) {
      return broken("failed", bug);
    }
  }

  private Event broken(String what, @Nullable Throwable bug) {
    log.error("the plugin {}: {}", plugin, what, bug);
    exchange.note(new TraceEntry.Note(plugin, what));
    return new Event.Failed(GatewayError.of(ErrorCode.INTERNAL), null);
  }

  @Override
  public boolean ready() {
    try {
      return ended || inner.ready();
    } catch (RuntimeException | Error bug) {
      log.error("the stream of the plugin {} failed in ready()", plugin, bug);
      return false;
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      inner.close();
    } catch (RuntimeException | Error bug) {
      log.error("the plugin {} failed to close its stream", plugin, bug);
    }
  }
}
