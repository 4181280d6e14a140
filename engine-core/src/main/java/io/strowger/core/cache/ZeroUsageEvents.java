package io.strowger.core.cache;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Usage;
import org.jspecify.annotations.Nullable;

/**
 * Converts events for a replay: wherever they report usage, it becomes zero, in the same members.
 * Everything else keeps its bytes.
 */
final class ZeroUsageEvents {
  private static final String USAGE = "usage";

  private ZeroUsageEvents() {}

  static Event of(Event event) {
    return switch (event) {
      case Event.Started e -> new Event.Started(withoutUsage(e.frame()));
      case Event.UsageReport e -> new Event.UsageReport(Usage.NONE, withoutUsage(e.frame()));
      case Event.Finished e ->
          new Event.Finished(e.reason(), e.nativeReason(), withoutUsage(e.frame()));
      case Event.CompleteAnswer e -> new Event.CompleteAnswer(withoutUsage(e.answer()));
      case Event.TextDelta e -> e;
      case Event.ReasoningDelta e -> e;
      case Event.BlockStart e -> new Event.BlockStart(e.kind(), withoutUsage(e.frame()));
      case Event.BlockStop e -> new Event.BlockStop(withoutUsage(e.frame()));
      case Event.ReasoningSignature e -> e;
      case Event.EncryptedReasoning e -> e;
      case Event.RefusalDelta e -> e;
      case Event.Logprobs e -> e;
      case Event.ServerToolRun e -> e;
      case Event.ToolCallDelta e -> e;
      case Event.Annotation e -> e;
      case Event.OtherContent e -> new Event.OtherContent(withoutUsageInFrame(e.frame()));
      case Event.UpstreamBodyEcho e -> e;
      case Event.AudioDelta e -> e;
      case Event.Failed e -> e;
    };
  }

  private static Answer withoutUsage(Answer answer) {
    return new Answer(
        answer.parts(),
        answer.stopReason(),
        answer.nativeReason(),
        Usage.NONE,
        answer.dialect(),
        withoutUsage(answer.source()));
  }

  private static Json.@Nullable Obj withoutUsage(Json.@Nullable Obj frame) {
    return frame == null ? null : withoutUsageInFrame(frame);
  }

  /** Zeroes usage where the dialects put it: in the frame, or in its message or response. */
  private static Json.Obj withoutUsageInFrame(Json.Obj frame) {
    Json.Obj result = frame;
    if (frame.get(USAGE) instanceof Json.Obj usage) {
      result = result.with(USAGE, zeros(usage));
    }
    for (String name : new String[] {"message", "response"}) {
      if (frame.get(name) instanceof Json.Obj inner && inner.get(USAGE) instanceof Json.Obj usage) {
        result = result.with(name, inner.with(USAGE, zeros(usage)));
      }
    }
    return result;
  }

  private static Json.Obj zeros(Json.Obj usage) {
    Json.Obj.Builder zeros = Json.object();
    for (int i = 0; i < usage.size(); i++) {
      zeros.put(usage.name(i), zero(usage.value(i)));
    }
    return zeros.build();
  }

  private static Json zero(Json value) {
    return switch (value) {
      case Json.Num num -> Json.of(0);
      case Json.Obj obj -> zeros(obj);
      case Json.Arr arr -> Json.array(arr.stream().map(ZeroUsageEvents::zero).toList());
      case Json.Str str -> str;
      case Json.Bool bool -> bool;
      case Json.Null none -> none;
    };
  }
}
