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
 * An answer behind a guard. What the guard stops ends in a failure, at once: the upstream is
 * cancelled, and what came from it is charged.
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
   * @param declared names of the request's tools, which are no words of the model
   * @param refusal what the caller reads when a rule stopped the answer
   * @param report gets what was found, if anything, before the end is given on
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

  /** Passes over what is held back: while no more than that has come, {@link #next} would wait. */
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

  /** Ends the answer if the guard stopped it, and gives on the event otherwise. */
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
