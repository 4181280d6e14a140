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
 * on before the answer is judged, and an answer of more than {@value #MAX_CHARS} characters is
 * blocked. Otherwise every event is passed on at once.
 */
final class ClassifiedStream implements EventStream {
  static final int MAX_CHARS = 1 << 20;
  private static final int MAX_EVENTS = 1 << 18;

  private final EventStream inner;
  private final boolean holdsBack;
  private final Function<String, @Nullable GatewayError> classifier;
  private final GatewayError tooLongError;
  private final StringBuilder collectedText = new StringBuilder();
  private final Deque<Event> queue = new ArrayDeque<>();
  private boolean isTooLong; // the text is longer than the limit
  private boolean hasEnded;
  private volatile boolean isClosed;

  /**
   * @param holdsBack whether nothing is passed on before the answer was judged
   * @param classifier classifies the whole text; returns the error if that blocks the answer,
   *     otherwise null
   * @param tooLongError the error for an answer that is too long to be judged
   */
  ClassifiedStream(
      EventStream inner,
      boolean holdsBack,
      Function<String, @Nullable GatewayError> classifier,
      GatewayError tooLongError) {
    this.inner = inner;
    this.holdsBack = holdsBack;
    this.classifier = classifier;
    this.tooLongError = tooLongError;
  }

  @Override
  public @Nullable Event next() {
    while (!isClosed) {
      if (!queue.isEmpty() && (hasEnded || !holdsBack)) {
        return queue.poll();
      }
      if (hasEnded) {
        return null;
      }
      pull();
    }
    return null;
  }

  @Override
  public boolean ready() {
    while (!isClosed && !hasEnded && (holdsBack || queue.isEmpty()) && inner.ready()) {
      pull();
    }
    return isClosed || hasEnded || !holdsBack && !queue.isEmpty();
  }

  private void pull() {
    Event event = inner.next();
    if (event == null) {
      hasEnded = true;
      return;
    }
    collectText(event);
    queue.add(event);
    if (event.isTerminal()) {
      hasEnded = true;
      if (!collectedText.isEmpty()) {
        GatewayError error = classifier.apply(collectedText.toString());
        stop(error == null && isTooLong ? tooLongError : error);
      }
    } else if (holdsBack && (isTooLong || queue.size() >= MAX_EVENTS)) {
      stop(tooLongError);
    }
  }

  private void stop(@Nullable GatewayError error) {
    if (error != null && holdsBack) {
      hasEnded = true;
      inner.close();
      queue.clear();
      queue.add(new Event.Failed(error, null));
    }
  }

  private void collectText(Event event) {
    switch (event) {
      case Event.TextDelta e -> add(e.text().text());
      case Event.ReasoningDelta e -> add(e.text().text());
      case Event.RefusalDelta e -> add(e.text().text());
      case Event.ToolCallDelta e -> add(e.arguments().text());
      case Event.CompleteAnswer e -> collectAnswerText(e.answer());
      default -> {}
    }
  }

  private void collectAnswerText(Answer answer) {
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
    int room = MAX_CHARS - collectedText.length();
    isTooLong |= text.length() > room;
    collectedText.append(text, 0, Math.min(text.length(), room));
  }

  @Override
  public void close() {
    isClosed = true;
    inner.close();
  }
}
