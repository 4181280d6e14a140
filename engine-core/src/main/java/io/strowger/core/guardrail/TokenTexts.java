package io.strowger.core.guardrail;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * Filters the concatenated tokens of logprobs. They repeat the text of an answer, and may come
 * before it or without it. From the first event with a match on, all events are dropped. Confined
 * to one thread.
 */
final class TokenTexts {
  private static final int MAX_WAITING = 2 * TextScanner.MAX_HELD;

  private final GuardedText guarded;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private boolean found;

  /**
   * An event that is held back.
   *
   * @param to the offset in the text at which its tokens end
   */
  private record Waiting(Event.Logprobs event, int to) {}

  TokenTexts(List<FilterRule> rules, Findings findings) {
    guarded = new GuardedText(rules, findings, (start, end) -> true);
  }

  /** Returns the tokens of logprobs as one text. */
  static String said(Json.Arr content) {
    var said = new StringBuilder();
    for (Json one : content) {
      String token = one instanceof Json.Obj object ? object.text("token") : null;
      said.append(token == null ? "" : token);
    }
    return said.toString();
  }

  /** Adds the next event, and passes on the events that are decided and have no match. */
  void take(Event.Logprobs event, Consumer<Event.Logprobs> out) {
    guarded.append(said(event.content()));
    if (waiting.size() < MAX_WAITING) {
      waiting.add(new Waiting(event, guarded.length()));
    }
    release(out);
  }

  /** Ends the text and passes on the remaining events that have no match. */
  void end(Consumer<Event.Logprobs> out) {
    guarded.end();
    release(out);
  }

  private void release(Consumer<Event.Logprobs> out) {
    for (Waiting head = waiting.peek();
        head != null && guarded.decided() >= head.to();
        head = waiting.peek()) {
      waiting.poll();
      guarded.release(head.to(), new Labels());
      if (!found) {
        out.accept(head.event());
      }
    }
  }

  /** Records that there was a match. */
  private final class Labels implements GuardedText.Output {
    @Override
    public void text(String piece, int from) {}

    @Override
    public void label(String label) {
      found = true;
    }
  }
}
