package io.strowger.simulated;

import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns a script into the events that an adapter would read. */
final class SimulatedAnswer {
  private final Script script;
  private final List<Event> events = new ArrayList<>();

  private SimulatedAnswer(Script script) {
    this.script = script;
  }

  /**
   * Returns the events of a stream up to the scripted fault; there is no terminal event when the
   * stream stalls.
   */
  static List<Event> stream(Script script) {
    var answer = new SimulatedAnswer(script);
    answer.stream();
    return answer.events;
  }

  private void stream() {
    events.add(new Event.Started(null));
    if (applyFault(0)) {
      return;
    }
    if (script.reasoning() != null) {
      events.add(new Event.ReasoningDelta(Json.of(script.reasoning()), null));
    }
    int pieceCount = 0;
    for (String piece : SimulatedChatFrames.pieces(script.text(), script.chunks())) {
      if (pieceCount > 0 && applyFault(pieceCount)) {
        return;
      }
      events.add(
          script.isRefusal()
              ? new Event.RefusalDelta(Json.of(piece), null)
              : new Event.TextDelta(piece));
      pieceCount++;
    }
    if (applyFault(Math.max(1, pieceCount))) {
      return;
    }
    addToolCalls();
    if (script.fault() instanceof ScriptedFault.Unfinished) {
      fail(FailureKind.PROTOCOL);
      return;
    }
    if (script.usage() != Script.UsageStyle.NEVER) {
      events.add(new Event.UsageReport(usage(), null));
    }
    events.add(new Event.Finished(stopReason(), script.finishReason(), null));
  }

  /** Returns the events of an answer that is not streamed, or of its scripted fault. */
  static List<Event> completeAnswer(Script script) {
    var answer = new SimulatedAnswer(script);
    if (script.fault() instanceof ScriptedFault.Unfinished) {
      answer.fail(FailureKind.PROTOCOL);
    } else if (!answer.applyFault(answer.faultPosition())) {
      answer.completeAnswer();
    }
    return answer.events;
  }

  private void completeAnswer() {
    var parts = new ArrayList<Part>();
    if (script.reasoning() != null) {
      parts.add(new Part.Thinking(Json.of(script.reasoning()), null, Json.Obj.EMPTY, null));
    }
    if (!script.text().isEmpty()) {
      Json.Str text = Json.of(script.text());
      parts.add(
          script.isRefusal()
              ? new Part.Refusal(text, null)
              : new Part.Text(text, Json.Obj.EMPTY, null));
    }
    for (Script.ToolCall call : script.toolCalls()) {
      Json.Str arguments = Json.of(call.arguments());
      parts.add(new Part.ToolCall(call.id(), call.name(), arguments, Json.Obj.EMPTY, null));
    }
    @Nullable Usage usage = script.usage() == Script.UsageStyle.NEVER ? null : usage();
    if (usage != null) {
      events.add(new Event.UsageReport(usage, null));
    }
    events.add(
        new Event.CompleteAnswer(
            new Answer(parts, stopReason(), script.finishReason(), usage, Dialect.CHAT, null)));
  }

  /** Returns the position of the fault; 0 when the fault is another content type. */
  private int faultPosition() {
    ScriptedFault fault = script.fault();
    return fault instanceof ScriptedFault.ContentType ? 0 : fault.position();
  }

  /** Ends the answer if its fault occurs at this position; returns whether it does. */
  private boolean applyFault(int position) {
    if (position < 0 || position == Integer.MAX_VALUE || position != faultPosition()) {
      return false;
    }
    switch (script.fault()) {
      case ScriptedFault.Stall stall -> {}
      case ScriptedFault.Drip drip -> {}
      case ScriptedFault.Cut cut -> fail(FailureKind.UNAVAILABLE);
      case ScriptedFault.Reset reset -> fail(FailureKind.UNAVAILABLE);
      case ScriptedFault.CutInside cut -> fail(FailureKind.UNAVAILABLE);
      case ScriptedFault.Garbage garbage -> fail(FailureKind.PROTOCOL);
      case ScriptedFault.ErrorFrame error -> fail(FailureKind.UNAVAILABLE);
      case ScriptedFault.ContentType type -> fail(FailureKind.PROTOCOL);
      case ScriptedFault.None none -> {}
      case ScriptedFault.RawResponse refuse -> {}
      case ScriptedFault.Unfinished unfinished -> {}
    }
    return true;
  }

  private void fail(FailureKind kind) {
    events.add(Event.Failed.upstream(Failure.of(kind, "simulated")));
  }

  private void addToolCalls() {
    for (int i = 0; i < script.toolCalls().size(); i++) {
      Script.ToolCall call = script.toolCalls().get(i);
      Json.Str arguments = Json.of(call.arguments());
      events.add(new Event.ToolCallDelta(i, call.id(), call.name(), arguments, null));
    }
  }

  private StopReason stopReason() {
    return switch (script.finishReason()) {
      case "length" -> StopReason.LENGTH;
      case "tool_calls" -> StopReason.TOOL_CALLS;
      case "content_filter" -> StopReason.CONTENT_FILTER;
      default -> script.isRefusal() ? StopReason.REFUSAL : StopReason.END;
    };
  }

  private Usage usage() {
    return Usage.builder()
        .freshInput(Math.max(0, script.promptTokens() - script.cachedTokens()))
        .cacheRead(script.cachedTokens())
        .outputText(Math.max(0, script.completionTokens() - script.reasoningTokens()))
        .reasoning(script.reasoningTokens())
        .build();
  }
}
