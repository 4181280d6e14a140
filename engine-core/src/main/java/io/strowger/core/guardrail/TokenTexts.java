package io.strowger.core.guardrail;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * Filters the concatenated tokens of logprobs. These tokens repeat the text of an answer, and may
 * come before the text or without it. From the first event with a match on, all events with
 * logprobs are dropped. Confined to one thread.
 */
final class TokenTexts {
  private static final int MAX_WAITING = 2 * TextScanner.MAX_UNDECIDED_CHARS;

  private final GuardedText guardedText;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private boolean hasMatch;

  /**
   * An event that is held back.
   *
   * @param end the offset in the text at which its tokens end
   */
  private record Waiting(Event.Logprobs event, int end) {}

  TokenTexts(List<FilterRule> rules, Findings findings) {
    guardedText = new GuardedText(rules, findings, (start, end) -> true);
  }

  /** Returns the tokens of logprobs as one text. */
  static String joinTokens(Json.Arr content) {
    var text = new StringBuilder();
    for (Json entry : content) {
      String token = entry instanceof Json.Obj object ? object.text("token") : null;
      text.append(token == null ? "" : token);
    }
    return text.toString();
  }

  /** Adds the next event, and passes on the events that are decided and have no match. */
  void add(Event.Logprobs event, Consumer<Event.Logprobs> out) {
    guardedText.append(joinTokens(event.content()));
    if (waiting.size() < MAX_WAITING) {
      waiting.add(new Waiting(event, guardedText.length()));
    }
    release(out);
  }

  /** Ends the text and passes on the remaining events that have no match. */
  void end(Consumer<Event.Logprobs> out) {
    guardedText.end();
    release(out);
  }

  private void release(Consumer<Event.Logprobs> out) {
    for (Waiting head = waiting.peek();
        head != null && guardedText.decidedLength() >= head.end();
        head = waiting.peek()) {
      waiting.poll();
      guardedText.release(head.end(), new MatchRecorder());
      if (!hasMatch) {
        out.accept(head.event());
      }
    }
  }

  /** Records that there was a match. */
  private final class MatchRecorder implements GuardedText.Output {
    @Override
    public void text(String piece, int from) {}

    @Override
    public void label(String label) {
      hasMatch = true;
    }
  }
}
