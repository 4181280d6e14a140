package io.strowger.core.encode;

import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.provider.EventStream;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A stream of events read to its end and put together. For one thread. */
final class Collected {
  private final StringBuilder text = new StringBuilder();
  private final StringBuilder reasoning = new StringBuilder();
  private final TreeMap<Integer, Call> calls = new TreeMap<>();
  private final List<Json> annotations = new ArrayList<>();
  private Event.@Nullable UsageReport usage;
  private Event.@Nullable Failed failed;
  private @Nullable Answer answer;

  /** A tool call that comes in pieces. */
  private static final class Call {
    private String id = "";
    private String name = "";
    private final StringBuilder arguments = new StringBuilder();

    void add(Event.ToolCallDelta piece) {
      id = piece.id() == null ? id : piece.id();
      name = piece.name() == null ? name : piece.name();
      arguments.append(piece.arguments().text());
    }

    Part part() {
      return new Part.ToolCall(id, name, Json.of(arguments.toString()), Json.Obj.EMPTY, null);
    }
  }

  private Collected() {}

  static Collected from(EventStream events) {
    var collected = new Collected();
    for (Event event = events.next(); event != null; event = events.next()) {
      collected.add(event);
    }
    if (collected.answer == null) {
      collected.end(StopReason.ERROR, null);
      if (collected.failed == null) {
        collected.failed =
            Event.Failed.upstream(
                Failure.of(FailureKind.PROTOCOL, "the stream ended without saying so"));
      }
    }
    return collected;
  }

  private void add(Event event) {
    switch (event) {
      case Event.TextDelta e -> text.append(e.text().text());
      case Event.ReasoningDelta e -> reasoning.append(e.text().text());
      case Event.ToolCallDelta e -> calls.computeIfAbsent(e.index(), index -> new Call()).add(e);
      case Event.Annotation e -> annotations.add(e.body());
      case Event.UsageReport e -> usage = e;
      case Event.Finished e -> end(e.reason(), e.nativeReason());
      case Event.Whole e -> answer = e.answer();
      case Event.Failed e -> failed = e;
      case Event.RefusalDelta e -> {}
      case Event.Signature e -> {}
      case Event.Encrypted e -> {}
      case Event.Logprobs e -> {}
      case Event.ServerToolRun e -> {}
      case Event.BlockStart e -> {}
      case Event.BlockStop e -> {}
      case Event.Started e -> {}
      case Event.Debug e -> {}
      case Event.Opaque e -> {} // a piece nobody knows how to put together
    }
  }

  private void end(StopReason reason, @Nullable String nativeReason) {
    var parts = new ArrayList<Part>();
    if (!text.isEmpty()) {
      parts.add(new Part.Text(text.toString()));
    }
    calls.values().forEach(call -> parts.add(call.part()));
    answer =
        new Answer(
            parts, reason, nativeReason, usage == null ? null : usage.usage(), Dialect.CHAT, null);
  }

  /** What was said; when it failed, what was said until then. */
  Answer answer() {
    if (answer == null) {
      throw new IllegalStateException("nothing was collected");
    }
    return answer;
  }

  /** Members of the message that an {@link Answer} has no place for. */
  Json.Obj besides() {
    Json.Obj.Builder members = Json.object();
    if (!reasoning.isEmpty()) {
      members.put("reasoning", reasoning.toString());
    }
    if (!annotations.isEmpty()) {
      members.put("annotations", Json.array(annotations));
    }
    return members.build();
  }

  /** The upstream's usage object; null when it gave none in the chat format. */
  Json.@Nullable Obj upstreamUsage() {
    Json.Obj source = answer == null || answer.dialect() != Dialect.CHAT ? null : answer.source();
    if (source == null && usage != null) {
      source = usage.frame();
    }
    Json.Obj given = source == null ? null : source.object("usage");
    return given == null || !given.has("prompt_tokens") ? null : given;
  }

  boolean saidAnything() {
    return !text.isEmpty() || !reasoning.isEmpty() || !calls.isEmpty() || !annotations.isEmpty();
  }

  @Nullable GatewayError error() {
    return failed == null ? null : failed.error();
  }

  @Nullable Failure cause() {
    return failed == null ? null : failed.cause();
  }
}
