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

@DisplayName("An answer without its reasoning")
class HiddenReasoningTest {
  private static final Event STARTED = new Event.Started(null);
  private static final Event THOUGHT = new Event.ReasoningDelta(Json.of("hm"), null);
  private static final Event ONE = new Event.TextDelta("one");
  private static final Event TWO = new Event.TextDelta("two");
  private static final Event END = new Event.Finished(StopReason.END, "stop", null);

  /** Bursts of events; before each but the first the upstream pauses. */
  private static final class Bursts implements Reply.MeteredAnswer {
    private final Deque<Deque<Event>> left = new ArrayDeque<>();
    private int pauses;
    private boolean closed;

    Bursts(List<List<Event>> bursts) {
      bursts.forEach(burst -> left.add(new ArrayDeque<>(burst)));
    }

    @Override
    public @Nullable Event next() {
      if (!ready()) {
        left.remove();
        pauses++;
      }
      return closed ? null : left.getFirst().poll();
    }

    @Override
    public boolean ready() {
      return closed || left.size() == 1 || !left.getFirst().isEmpty();
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

  private static Reply.MeteredAnswer hidden(Bursts bursts) {
    Json.Obj members = Json.object().put("include_reasoning", Json.FALSE).build();
    return HiddenReasoning.of(bursts, InferenceRequest.builder(Dialect.CHAT, members).build());
  }

  private static EventStream readTo(Event last, Bursts bursts) {
    EventStream events = hidden(bursts);
    Event event = events.next();
    while (event != null && event != last) {
      event = events.next();
    }
    assertThat(event).isSameAs(last);
    return events;
  }

  @Test
  @DisplayName("is not ready while only reasoning has come, so that what was shown is flushed")
  void pausesBehindReasoning() {
    var bursts =
        new Bursts(
            List.of(
                List.of(STARTED, THOUGHT, THOUGHT),
                List.of(THOUGHT),
                List.of(ONE, THOUGHT, TWO, THOUGHT),
                List.of(END)));
    EventStream events = hidden(bursts);
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
  @DisplayName("is the same whether or not anybody asks if it is ready")
  void sameEvents() {
    var bursts = List.of(List.of(THOUGHT, ONE, THOUGHT), List.of(TWO), List.of(THOUGHT, END));
    EventStream asked = hidden(new Bursts(bursts));
    EventStream plain = hidden(new Bursts(bursts));
    for (int i = 0; i < 5; i++) {
      for (int j = 0; j < i; j++) {
        asked.ready();
      }
      assertThat(asked.next()).isEqualTo(plain.next());
    }
    assertThat(plain.next()).isNull();
  }

  @Test
  @DisplayName("gives nothing after it was closed, though something had come")
  void closed() {
    EventStream events = readTo(STARTED, new Bursts(List.of(List.of(STARTED, THOUGHT, ONE, END))));
    assertThat(events.ready()).isTrue();
    events.close();
    assertThat(events.next()).isNull();
    assertThat(events.ready()).isTrue();
  }
}
