package io.strowger.core.guardrail;

import io.strowger.core.guardrail.AnswerTexts.Kind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Redacts the events of an answer that is streamed. Events are created from their typed values,
 * without the upstream's frames; audio and content that is not modelled are dropped. Confined to
 * one thread.
 */
final class StreamRedactor {
  private final List<FilterRule> rules;
  private final AnswerTexts texts;
  private final WholeTexts wholeTexts;
  private final TokenTexts tokens;
  private final OutputQueue<Event> queue;
  private boolean hasRedactedToken; // some of the tokens must not be passed on

  StreamRedactor(
      List<FilterRule> rules,
      Findings findings,
      AnswerTexts texts,
      WholeTexts wholeTexts,
      Consumer<Event> out) {
    this.rules = rules;
    this.texts = texts;
    this.wholeTexts = wholeTexts;
    this.tokens = new TokenTexts(rules, findings);
    this.queue = new OutputQueue<>(texts, out);
  }

  /**
   * Adds the next event, which must not be terminal, and passes on the content that is decided.
   * Passes on nothing more once the answer is blocked.
   */
  void add(Event event) {
    switch (event) {
      case Event.TextDelta e -> addText(Kind.TEXT, e.text(), Event.TextDelta::new);
      case Event.RefusalDelta e ->
          addText(
              Kind.REFUSAL, e.text(), fragment -> new Event.RefusalDelta(Json.of(fragment), null));
      case Event.ReasoningDelta e -> {
        String format = wholeTexts.redactWord(e.format());
        String id = wholeTexts.redactId(e.id());
        addText(
            e.summary() ? Kind.SUMMARY : Kind.REASONING,
            e.text(),
            fragment -> new Event.ReasoningDelta(Json.of(fragment), e.summary(), format, id, null));
      }
      case Event.ToolCallDelta e -> addCall(e);
      case Event.Started e -> queue.addOther(ignored -> new Event.Started(null));
      case Event.BlockStart e -> queue.addOther(ignored -> new Event.BlockStart(e.kind(), null));
      case Event.BlockStop e -> queue.addOther(ignored -> new Event.BlockStop(null));
      case Event.ReasoningSignature e -> {
        String format = wholeTexts.redactWord(e.format());
        queue.addOther(
            ignored ->
                texts.isReasoningChanged()
                    ? null
                    : new Event.ReasoningSignature(e.signature(), format, null));
      }
      case Event.EncryptedReasoning e -> {
        var reasoning =
            new Event.EncryptedReasoning(
                e.data(), wholeTexts.redactWord(e.format()), wholeTexts.redactId(e.id()), null);
        queue.addOther(ignored -> reasoning);
      }
      case Event.Logprobs e -> {
        hasRedactedToken |= !wholeTexts.redactJson(e.content()).equals(e.content());
        tokens.add(e, this::queueLogprobs);
      }
      case Event.Annotation e -> {
        Json.Obj body = wholeTexts.redactJson(e.body());
        queue.addOther(ignored -> new Event.Annotation(body, null));
      }
      case Event.ServerToolRun e -> {
        Part.ServerToolRun run = wholeTexts.redactRun(e.run());
        queue.addOther(ignored -> new Event.ServerToolRun(run));
      }
      case Event.OtherContent e -> {} // dropped, since it cannot be scanned
      case Event.AudioDelta e -> {} // dropped, since it may speak what was redacted
      case Event.UsageReport e -> queue.addOther(ignored -> new Event.UsageReport(e.usage(), null));
      // repeats the request, whose matches are no findings of the answer
      case Event.UpstreamBodyEcho e -> {
        Json body = WholeTexts.replacing(rules, new Findings()).redactJson(e.upstreamBody());
        queue.addOther(ignored -> new Event.UpstreamBodyEcho(body));
      }
      case Event.Finished e -> throw new IllegalArgumentException("an end");
      case Event.Failed e -> throw new IllegalArgumentException("an end");
      case Event.CompleteAnswer e -> throw new IllegalArgumentException("an end");
    }
    queue.flush();
  }

  /** Ends the answer: decides the open texts and passes on their content. */
  void end() {
    tokens.end(this::queueLogprobs);
    queue.end();
  }

  private void addText(Kind kind, Json.Str text, Function<String, @Nullable Event> factory) {
    queue.addFragment(kind, 0, text.text(), factory);
  }

  private void addCall(Event.ToolCallDelta call) {
    if (call.id() != null || call.name() != null) {
      String id = wholeTexts.redactId(call.id());
      String name = wholeTexts.redactToolName(call.name());
      queue.switchTo(texts.get(Kind.ARGUMENTS, call.index()));
      queue.addOther(ignored -> new Event.ToolCallDelta(call.index(), id, name, Json.of(""), null));
    }
    if (!call.arguments().isEmpty()) {
      queue.addFragment(
          Kind.ARGUMENTS,
          call.index(),
          call.arguments().text(),
          fragment -> new Event.ToolCallDelta(call.index(), null, null, Json.of(fragment), null));
    }
  }

  /** Queues logprobs; they are dropped if one of the tokens or the text was redacted. */
  private void queueLogprobs(Event.Logprobs logprobs) {
    boolean isUnchanged = !hasRedactedToken;
    queue.addOther(ignored -> isUnchanged && !texts.isChanged(Kind.TEXT) ? logprobs : null);
  }
}
