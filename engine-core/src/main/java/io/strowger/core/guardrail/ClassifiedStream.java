package io.strowger.core.guardrail;

import io.strowger.spi.error.GatewayError;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.EventStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An answer that classifiers judge once it is complete. If one of them can block, nothing is passed
 * on before it is judged, and an answer of more than {@value #MAX_CHARACTERS} characters is
 * blocked. Otherwise every event is passed on at once.
 */
final class ClassifiedStream implements EventStream {
  static final int MAX_CHARACTERS = 1 << 20;
  private static final int MAX_EVENTS = 1 << 18;

  private final EventStream inner;
  private final boolean holding;
  private final Function<String, @Nullable GatewayError> judge;
  private final GatewayError tooLong;
  private final StringBuilder said = new StringBuilder();
  private final Deque<Event> held = new ArrayDeque<>();
  private boolean overflowing; // the text is longer than the limit
  private boolean over;
  private volatile boolean closed;

  /**
   * @param holding whether nothing is passed on before the answer was judged
   * @param judge classifies the whole text; returns the error if that blocks the answer, otherwise
   *     null
   * @param tooLong the error for an answer that is too long to be judged
   */
  ClassifiedStream(
      EventStream inner,
      boolean holding,
      Function<String, @Nullable GatewayError> judge,
      GatewayError tooLong) {
    this.inner = inner;
    this.holding = holding;
    this.judge = judge;
    this.tooLong = tooLong;
  }

  @Override
  public @Nullable Event next() {
    while (!closed) {
      if (!held.isEmpty() && (over || !holding)) {
        return held.poll();
      }
      if (over) {
        return null;
      }
      pull();
    }
    return null;
  }

  @Override
  public boolean ready() {
    while (!closed && !over && (holding || held.isEmpty()) && inner.ready()) {
      pull();
    }
    return closed || over || !holding && !held.isEmpty();
  }

  private void pull() {
    Event event = inner.next();
    if (event == null) {
      over = true;
      return;
    }
    collectText(event);
    held.add(event);
    if (event.isTerminal()) {
      over = true;
      if (!said.isEmpty()) {
        GatewayError error = judge.apply(said.toString());
        stop(error == null && overflowing ? tooLong : error);
      }
    } else if (holding && (overflowing || held.size() >= MAX_EVENTS)) {
      stop(tooLong);
    }
  }

  private void stop(@Nullable GatewayError error) {
    if (error != null && holding) {
      over = true;
      inner.close();
      held.clear();
      held.add(new Event.Failed(error, null));
    }
  }

  private void collectText(Event event) {
    switch (event) {
      case Event.TextDelta e -> add(e.text().text());
      case Event.ReasoningDelta e -> add(e.text().text());
      case Event.RefusalDelta e -> add(e.text().text());
      case Event.ToolCallDelta e -> add(e.arguments().text());
      case Event.CompleteAnswer e -> whole(e.answer());
      default -> {}
    }
  }

  private void whole(Answer answer) {
    for (Part part : answer.parts()) {
      switch (part) {
        case Part.Text p -> add(p.text().text());
        case Part.Thinking p -> add(p.text().text());
        case Part.Refusal p -> add(p.text().text());
        case Part.ToolCall p -> add(p.arguments().text());
        default -> {}
      }
    }
  }

  private void add(String text) {
    int room = MAX_CHARACTERS - said.length();
    overflowing |= text.length() > room;
    said.append(text, 0, Math.min(text.length(), room));
  }

  @Override
  public void close() {
    closed = true;
    inner.close();
  }
}
