package io.strowger.core.guardrail;

import io.strowger.spi.error.GatewayError;
import io.strowger.spi.model.Answer;
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
 * An answer that a guard filters. If the guard blocks it, it fails at once: the upstream is
 * cancelled, and the tokens it has sent are charged.
 */
final class GuardedAnswerStream implements EventStream {
  private final EventStream inner;
  private final AnswerGuard guard;
  private final AnswerGuard.Events events;
  private final Function<Findings, GatewayError> refusal;
  private final Consumer<Findings> report;
  private final Deque<Event> ready = new ArrayDeque<>();
  private boolean over;
  private volatile boolean closed;

  /**
   * @param declared the names of the request's tools, which are passed on unchecked
   * @param refusal creates the error that the caller receives when a rule blocks the answer
   * @param report receives the findings, if any, before the terminal event is passed on
   */
  GuardedAnswerStream(
      EventStream inner,
      List<FilterRule> rules,
      Set<String> declared,
      Function<Findings, GatewayError> refusal,
      Consumer<Findings> report) {
    this.inner = inner;
    this.guard = new AnswerGuard(rules, declared);
    this.events = guard.events(ready::add);
    this.refusal = refusal;
    this.report = report;
  }

  @Override
  public @Nullable Event next() {
    while (!closed) {
      Event event = ready.poll();
      if (event != null || over) {
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
    while (ready.isEmpty() && !over && !closed && inner.ready()) {
      pull();
    }
    return !ready.isEmpty() || over || closed;
  }

  private void pull() {
    Event event = inner.next();
    if (event == null) {
      over = true;
    } else if (guard.isEnforcing()) {
      enforce(event);
    } else {
      guard.watch(event);
      give(event);
    }
  }

  private void enforce(Event event) {
    switch (event) {
      case Event.CompleteAnswer whole -> {
        Answer answer = guard.whole(whole.answer());
        stopOr(new Event.CompleteAnswer(answer));
      }
      case Event.Finished finished -> {
        events.end();
        stopOr(new Event.Finished(finished.reason(), guard.reason(finished.nativeReason()), null));
      }
      case Event.Failed failed -> {
        events.end();
        stopOr(guard.failure(failed));
      }
      default -> {
        events.take(event);
        stopOr(null);
      }
    }
  }

  /** Ends the answer if the guard blocks it, and passes on the event otherwise. */
  private void stopOr(@Nullable Event event) {
    if (guard.isStopped()) {
      inner.close();
      give(new Event.Failed(refusal.apply(guard.findings()), null));
    } else if (event != null) {
      give(event);
    }
  }

  private void give(Event event) {
    if (event.isTerminal()) {
      over = true;
      if (!guard.findings().isEmpty()) {
        report.accept(guard.findings());
      }
    }
    ready.add(event);
  }

  @Override
  public void close() {
    closed = true;
    inner.close();
  }
}
