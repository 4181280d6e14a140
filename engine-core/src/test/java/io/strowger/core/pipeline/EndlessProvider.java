package io.strowger.core.pipeline;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Never ends by itself; remembers whether its last stream was closed. */
final class EndlessProvider implements ChatProvider {
  private final IntFunction<Event> events;
  private volatile boolean closed;

  /**
   * @param events of each stream, by their place
   */
  EndlessProvider(IntFunction<Event> events) {
    this.events = events;
  }

  boolean closed() {
    return closed;
  }

  @Override
  public EventStream open(Call call) {
    closed = false;
    return new EventStream() {
      private int given;
      private volatile boolean over;

      @Override
      public @Nullable Event next() {
        if (given > 3_000_000) {
          throw new AssertionError("was never cut");
        }
        return over ? null : events.apply(given++);
      }

      @Override
      public boolean ready() {
        return true;
      }

      @Override
      public void close() {
        over = true;
        closed = true;
      }
    };
  }

  @Override
  public Json body(Call call) {
    return Json.NULL;
  }

  @Override
  public void close() {}
}
