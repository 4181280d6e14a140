package io.strowger.conformance.dialects;

import io.strowger.spi.model.Event;
import io.strowger.spi.provider.EventStream;
import java.util.ArrayList;
import java.util.List;

/** Reads events, and turns them into texts that can be compared. */
public final class EventTexts {
  private EventTexts() {}

  /** Reads and closes a stream, and returns all of its events. */
  public static List<Event> readAll(EventStream stream) {
    var events = new ArrayList<Event>();
    try (stream) {
      for (Event event = stream.next(); event != null; event = stream.next()) {
        events.add(event);
      }
    }
    return events;
  }

  /** Returns a text for each event: its content, in most cases without its original frame. */
  public static List<String> describe(List<Event> events) {
    return events.stream().map(EventTexts::describe).toList();
  }

  private static String describe(Event event) {
    return switch (event) {
      case Event.Started e -> "started " + e.frame();
      case Event.TextDelta e -> "text " + e.text();
      case Event.ReasoningDelta e -> (e.summary() ? "summary " : "thought ") + e.text();
      case Event.BlockStart e -> "start of " + e.kind() + " " + e.frame();
      case Event.BlockStop e -> "stop " + e.frame();
      case Event.ReasoningSignature e -> "signature " + e.signature() + " " + e.format();
      case Event.EncryptedReasoning e -> "encrypted " + e.data() + " " + e.format() + " " + e.id();
      case Event.RefusalDelta e -> "refusal " + e.text();
      case Event.Logprobs e -> "logprobs " + e.content();
      case Event.ServerToolRun e -> "run " + e.run();
      case Event.ToolCallDelta e ->
          "call " + e.index() + " " + e.id() + " " + e.name() + " " + e.arguments();
      case Event.Annotation e -> "annotation " + e.body();
      case Event.OtherContent e -> "opaque " + e.frame();
      case Event.UsageReport e -> "usage " + e.usage();
      case Event.UpstreamBodyEcho e -> "debug " + e.upstreamBody();
      case Event.AudioDelta e -> e.toString();
      case Event.Finished e -> "finished " + e.reason() + " " + e.nativeReason();
      case Event.CompleteAnswer e -> "whole " + e.answer().parts();
      case Event.Failed e -> "failed " + e.kind() + " " + e.error().message();
    };
  }
}
