package io.strowger.plugins.responsehealing;

import io.strowger.spi.model.Answer;
import io.strowger.spi.model.AnswerCollector;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.provider.EventStream;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Collects a complete answer, since the request does not stream, and passes it on repaired or
 * unchanged.
 */
final class HealingStream implements EventStream {
  private final EventStream upstream;
  private final AnswerHealer syntaxHealer;
  private final @Nullable SchemaRepair schemaRepair;
  private final Dialect dialect;
  private final Chain chain;
  private final Deque<Event> events = new ArrayDeque<>();
  private volatile boolean isRead; // the whole answer was read
  private volatile boolean isClosed;

  /**
   * @param syntaxHealer corrects the syntax of the answer's JSON
   * @param schemaRepair checks the answer against the requested schema, and has the model correct
   *     it; null if that is not requested
   */
  HealingStream(
      EventStream upstream,
      AnswerHealer syntaxHealer,
      @Nullable SchemaRepair schemaRepair,
      Dialect dialect,
      Chain chain) {
    this.upstream = upstream;
    this.syntaxHealer = syntaxHealer;
    this.dialect = dialect;
    this.schemaRepair = schemaRepair;
    this.chain = chain;
  }

  @Override
  public @Nullable Event next() {
    if (!isRead && !isClosed) {
      read();
      isRead = true;
    }
    return isClosed ? null : events.poll();
  }

  private void read() {
    var collector = new AnswerCollector();
    Event event;
    while ((event = upstream.next()) != null) {
      events.add(event);
      collector.add(event);
      if (event.isTerminal()) {
        break;
      }
    }
    if (collector.isEnded() && collector.failure() == null) {
      heal(collector.answer(dialect));
    }
  }

  private void heal(Answer answer) {
    AnswerHealer.Healed healed = syntaxHealer.heal(answer);
    Answer best = healed == null ? answer : healed.answer();
    if (healed != null) {
      chain.recordStage(healed.stage());
    }
    SchemaRepair currentRepair = schemaRepair;
    if (currentRepair != null && !isClosed) {
      upstream.close(); // the whole answer was read
      best = currentRepair.repair(best);
    }
    if (best != answer) {
      events.removeIf(event -> !(event instanceof Event.Started || isUsageOrEcho(event)));
      events.add(new Event.CompleteAnswer(best));
    }
  }

  private static boolean isUsageOrEcho(Event event) {
    return event instanceof Event.UsageReport || event instanceof Event.UpstreamBodyEcho;
  }

  /** Returns false until the whole answer has been read, even if a part of it has arrived. */
  @Override
  public boolean ready() {
    return isRead || isClosed;
  }

  @Override
  public void close() {
    isClosed = true;
    upstream.close();
    if (schemaRepair != null) {
      schemaRepair.close();
    }
  }
}
