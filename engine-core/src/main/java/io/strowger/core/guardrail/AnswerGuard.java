package io.strowger.core.guardrail;

import io.strowger.spi.model.Event;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Scans one answer as it arrives. Text, reasoning, refusals and tool arguments are each scanned as
 * one text, however they are split into events. Names and ids of calls, citations, tool results and
 * errors are each scanned separately. Only text that may still become a match is held back. If a
 * rule redacts or blocks, the answer is rewritten from the typed values of the engine: the
 * upstream's own frames and documents are not passed on, since they may repeat what was redacted,
 * and neither is audio. If all rules only flag, the answer is scanned in the same way, and the
 * events that arrive are passed on instead of the rewritten ones.
 *
 * <p>Another text interrupts a text; so does other content once {@value OutputQueue#MAX_WAITING}
 * items wait. If the text continues later, a match that spans the interruption blocks the answer.
 * Confined to one thread.
 */
final class AnswerGuard {
  private final List<FilterRule> rules;
  private final boolean isEnforcing; // whether a rule redacts or blocks
  private final Consumer<Event> out;
  private final Findings findings = new Findings();
  private final AnswerTexts texts;
  private final WholeTexts wholeTexts;
  private final StreamRedactor stream;
  private final WholeAnswerRedactor wholeAnswer;

  /**
   * @param declaredTools the names of the request's tools, which are passed on unchecked
   * @param out receives the events that are passed on
   */
  AnswerGuard(List<FilterRule> rules, Set<String> declaredTools, Consumer<Event> out) {
    this.rules = rules;
    this.isEnforcing = rules.stream().anyMatch(FilterRule::enforces);
    this.out = out;
    this.texts = new AnswerTexts(rules, findings);
    this.wholeTexts = new WholeTexts(rules, declaredTools, findings);
    this.stream = new StreamRedactor(rules, findings, texts, wholeTexts, this::passOnRedacted);
    this.wholeAnswer = new WholeAnswerRedactor(texts, wholeTexts);
  }

  /** Adds the next event of the answer, and passes on what is decided. */
  void add(Event event) {
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
      out.accept(event);
    }
  }

  private void passOnRedacted(Event event) {
    if (isEnforcing && !isBlocked()) {
      out.accept(event);
    }
  }

  /** Returns whether the answer is blocked, so that nothing more is passed on. */
  boolean isBlocked() {
    return texts.isBlocked();
  }

  Findings findings() {
    return findings;
  }
}
