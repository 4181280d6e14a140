package io.strowger.core.dialect;

import io.strowger.spi.ambient.FairShare;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.AnswerCollector;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.EventStream;
import org.jspecify.annotations.Nullable;

/**
 * An answer read to its end.
 *
 * @param answer the answer; when it failed, the part before the failure
 * @param upstreamUsage the upstream's frame with the usage; null when there is none or the answer
 *     was not streamed
 * @param failure the failure; null when the answer is complete
 */
public record CollectedAnswer(
    Answer answer, Json.@Nullable Obj upstreamUsage, Event.@Nullable Failed failure) {
  /**
   * Reads all events of an answer, and waits for them. An answer without a terminal event counts as
   * a failure.
   */
  public static CollectedAnswer from(EventStream events) {
    var collector = new AnswerCollector();
    var fairShare = new FairShare(FairShare.EVENTS);
    Json.Obj usage = null;
    for (Event event = events.next(); event != null; event = events.next()) {
      fairShare.advance(1);
      collector.add(event);
      if (event instanceof Event.UsageReport report) {
        usage = report.frame();
      }
    }
    Event.Failed failure = collector.failure();
    if (!collector.isEnded()) {
      failure =
          Event.Failed.upstream(
              Failure.of(FailureKind.PROTOCOL, "the stream ended without a terminal event"));
    }
    return new CollectedAnswer(collector.answer(Dialect.CHAT), usage, failure);
  }

  /** Returns the upstream's document; null unless the upstream sent one whole, in this dialect. */
  public Json.@Nullable Obj source(Dialect dialect) {
    return answer.dialect() == dialect ? answer.source() : null;
  }

  public boolean hasContent() {
    return !answer.parts().isEmpty();
  }
}
