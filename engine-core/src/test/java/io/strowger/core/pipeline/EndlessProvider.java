package io.strowger.core.pipeline;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A provider whose streams never end by themselves; it records whether the last one was closed. */
final class EndlessProvider implements ChatProvider {
  private final IntFunction<Event> events;
  private volatile boolean closed;

  /**
   * @param events a function from an index to the event of a stream
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
      private int index;
      private volatile boolean ended;

      @Override
      public @Nullable Event next() {
        if (index > 3_000_000) {
          throw new AssertionError("the stream was never cut");
        }
        return ended ? null : events.apply(index++);
      }

      @Override
      public boolean ready() {
        return true;
      }

      @Override
      public void close() {
        ended = true;
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
