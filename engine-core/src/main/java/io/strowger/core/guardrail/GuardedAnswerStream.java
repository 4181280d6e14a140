package io.strowger.core.guardrail;

import io.strowger.spi.error.GatewayError;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.EventStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An answer that a guard filters. If the guard blocks the answer, this stream fails at once: the
 * upstream is cancelled, and the tokens that it has sent are charged.
 */
final class GuardedAnswerStream implements EventStream {
  private final EventStream inner;
  private final AnswerGuard guard;
  private final Function<Findings, GatewayError> refusal;
  private final Consumer<Findings> report;
  private final Deque<Event> queue = new ArrayDeque<>();
  private boolean hasEnded;
  private volatile boolean isClosed;

  /**
   * @param declaredTools the names of the request's tools, which are passed on unchecked
   * @param refusal creates the error that the caller receives when a rule blocks the answer
   * @param report receives the findings, if any, before the terminal event is passed on
   */
  GuardedAnswerStream(
      EventStream inner,
      List<FilterRule> rules,
      Set<String> declaredTools,
      Function<Findings, GatewayError> refusal,
      Consumer<Findings> report) {
    this.inner = inner;
    this.guard = new AnswerGuard(rules, declaredTools, this::enqueue);
    this.refusal = refusal;
    this.report = report;
  }

  @Override
  public @Nullable Event next() {
    while (!isClosed) {
      Event event = queue.poll();
      if (event != null || hasEnded) {
        return event;
      }
      pull();
    }
    return null;
  }

  /**
   * Returns false while everything that has arrived is held back, since {@link #next} would wait.
   */
  @Override
  public boolean ready() {
    while (queue.isEmpty() && !hasEnded && !isClosed && inner.ready()) {
      pull();
    }
    return !queue.isEmpty() || hasEnded || isClosed;
  }

  private void pull() {
    Event event = inner.next();
    if (event == null) {
      hasEnded = true;
      return;
    }
    guard.add(event);
    if (guard.isBlocked()) {
      inner.close();
      enqueue(new Event.Failed(refusal.apply(guard.findings()), null));
    }
  }

  private void enqueue(Event event) {
    if (event.isTerminal()) {
      hasEnded = true;
      if (!guard.findings().isEmpty()) {
        report.accept(guard.findings());
      }
    }
    queue.add(event);
  }

  @Override
  public void close() {
    isClosed = true;
    inner.close();
  }
}
