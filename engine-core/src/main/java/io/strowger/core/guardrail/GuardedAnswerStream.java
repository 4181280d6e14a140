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
 * An answer that is scanned as it arrives. Text, reasoning, refusals and tool arguments are each
 * scanned as one text, however they are split into events. Names and ids of calls, citations, tool
 * results and errors are each scanned separately. Only text that may still become a match is held
 * back. If a rule redacts or blocks, the answer is rewritten from the typed values of the engine:
 * the upstream's own frames and documents are not passed on, since they may repeat what was
 * redacted, and neither is audio. If all rules only flag, the answer is scanned in the same way,
 * and the events that arrive are passed on instead of the rewritten ones. If a rule blocks the
 * answer, this stream fails at once: the upstream is cancelled, and the tokens that it has sent are
 * charged.
 *
 * <p>Another text interrupts a text; so does other content once {@value OutputQueue#MAX_WAITING}
 * items wait. If the text continues later, a match that spans the interruption blocks the answer.
 */
final class GuardedAnswerStream implements EventStream {
  private final EventStream inner;
  private final List<FilterRule> rules;
  private final boolean isEnforcing; // whether a rule redacts or blocks
  private final Function<Findings, GatewayError> refusal;
  private final Consumer<Findings> report;
  private final Findings findings = new Findings();
  private final AnswerTexts texts;
  private final WholeTexts wholeTexts;
  private final StreamRedactor stream;
  private final WholeAnswerRedactor wholeAnswer;
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
    this.rules = rules;
    this.isEnforcing = rules.stream().anyMatch(FilterRule::enforces);
    this.refusal = refusal;
    this.report = report;
    this.texts = new AnswerTexts(rules, findings);
    this.wholeTexts = new WholeTexts(rules, declaredTools, findings);
    this.stream = new StreamRedactor(rules, findings, texts, wholeTexts, this::passOnRedacted);
    this.wholeAnswer = new WholeAnswerRedactor(texts, wholeTexts);
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
    scan(event);
    if (texts.isBlocked()) {
      inner.close();
      enqueue(new Event.Failed(refusal.apply(findings), null));
    }
  }

  private void scan(Event event) {
    switch (event) {
      case Event.CompleteAnswer complete ->
          passOnRedacted(new Event.CompleteAnswer(wholeAnswer.redact(complete.answer())));
      case Event.Finished finished -> {
        stream.end();
        String nativeReason = wholeTexts.redactWord(finished.nativeReason());
        passOnRedacted(new Event.Finished(finished.reason(), nativeReason, null));
      }
      case Event.Failed failed -> {
        stream.end();
        // even matches that would block are only replaced, since the failure ends the answer anyway
        passOnRedacted(WholeTexts.replacing(rules, findings).redactFailure(failed));
      }
      default -> stream.add(event);
    }
    if (!isEnforcing) {
      enqueue(event);
    }
  }

  private void passOnRedacted(Event event) {
    if (isEnforcing && !texts.isBlocked()) {
      enqueue(event);
    }
  }

  private void enqueue(Event event) {
    if (event.isTerminal()) {
      hasEnded = true;
      if (!findings.isEmpty()) {
        report.accept(findings);
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
