package io.strowger.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.inference.Reply;
import io.strowger.core.meter.Bill;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.provider.EventStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An answer whose reasoning is hidden")
class HiddenReasoningTest {
  private static final Event STARTED = new Event.Started(null);
  private static final Event THOUGHT = new Event.ReasoningDelta(Json.of("hm"), null);
  private static final Event ONE = new Event.TextDelta("one");
  private static final Event TWO = new Event.TextDelta("two");
  private static final Event END = new Event.Finished(StopReason.END, "stop", null);

  /** An answer in bursts of events; the upstream pauses before each burst but the first. */
  private static final class BurstAnswer implements Reply.MeteredAnswer {
    private final Deque<Deque<Event>> remaining = new ArrayDeque<>();
    private int pauses;
    private boolean closed;

    BurstAnswer(List<List<Event>> bursts) {
      bursts.forEach(burst -> remaining.add(new ArrayDeque<>(burst)));
    }

    @Override
    public @Nullable Event next() {
      if (!ready()) {
        remaining.remove();
        pauses++;
      }
      return closed ? null : remaining.getFirst().poll();
    }

    @Override
    public boolean ready() {
      return closed || remaining.size() == 1 || !remaining.getFirst().isEmpty();
    }

    @Override
    public void close() {
      closed = true;
    }

    @Override
    public @Nullable Bill bill() {
      return null;
    }
  }

  private static Reply.MeteredAnswer withoutReasoning(BurstAnswer bursts) {
    Json.Obj members = Json.object().put("include_reasoning", Json.FALSE).build();
    return HiddenReasoning.of(bursts, InferenceRequest.builder(Dialect.CHAT, members).build());
  }

  private static EventStream readUpTo(Event last, BurstAnswer bursts) {
    EventStream events = withoutReasoning(bursts);
    Event event = events.next();
    while (event != null && event != last) {
      event = events.next();
    }
    assertThat(event).isSameAs(last);
    return events;
  }

  @Test
  @DisplayName("is not ready while only reasoning has come, so that the shown content is flushed")
  void pausesBehindReasoning() {
    var bursts =
        new BurstAnswer(
            List.of(
                List.of(STARTED, THOUGHT, THOUGHT),
                List.of(THOUGHT),
                List.of(ONE, THOUGHT, TWO, THOUGHT),
                List.of(END)));
    EventStream events = withoutReasoning(bursts);
    assertThat(events.ready()).isTrue();
    assertThat(events.ready()).isTrue();
    assertThat(events.next()).isSameAs(STARTED);
    assertThat(events.ready()).isFalse();
    assertThat(bursts.pauses).isZero();
    assertThat(events.next()).isSameAs(ONE);
    assertThat(bursts.pauses).isEqualTo(2);
    assertThat(events.ready()).isTrue();
    assertThat(events.next()).isSameAs(TWO);
    assertThat(events.ready()).isFalse();
    assertThat(bursts.pauses).isEqualTo(2);
    assertThat(events.next()).isSameAs(END);
    assertThat(events.ready()).isTrue();
    assertThat(events.next()).isNull();
  }

  @Test
  @DisplayName("is the same whether or not ready() is called")
  void sameEvents() {
    var bursts = List.of(List.of(THOUGHT, ONE, THOUGHT), List.of(TWO), List.of(THOUGHT, END));
    EventStream polled = withoutReasoning(new BurstAnswer(bursts));
    EventStream plain = withoutReasoning(new BurstAnswer(bursts));
    for (int i = 0; i < 5; i++) {
      for (int j = 0; j < i; j++) {
        polled.ready();
      }
      assertThat(polled.next()).isEqualTo(plain.next());
    }
    assertThat(plain.next()).isNull();
  }

  @Test
  @DisplayName("returns no event after it was closed, although more had come")
  void closed() {
    EventStream events =
        readUpTo(STARTED, new BurstAnswer(List.of(List.of(STARTED, THOUGHT, ONE, END))));
    assertThat(events.ready()).isTrue();
    events.close();
    assertThat(events.next()).isNull();
    assertThat(events.ready()).isTrue();
  }
}
