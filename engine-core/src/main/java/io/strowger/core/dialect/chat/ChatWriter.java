package io.strowger.core.dialect.chat;

import io.strowger.core.dialect.AnswerFormat.Options;
import io.strowger.core.dialect.AnswerHeader;
import io.strowger.core.dialect.ErrorBodies;
import io.strowger.core.dialect.EventWriter;
import io.strowger.core.dialect.ObjectWriter;
import io.strowger.core.dialect.RouterMetadata;
import io.strowger.core.inference.Reply;
import io.strowger.core.meter.Bill;
import io.strowger.core.meter.EndCause;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.FrameTemplate;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes an answer as chat chunks. Chat fact sheet, section 8: the deltas as they come, the chunk
 * with the finish reason, a chunk with the usage and no choices, then {@code [DONE]}. A failure is
 * one chunk with the error, which ends the stream.
 *
 * <p>Events that came as chat chunks keep the upstream's bytes except for the members the gateway
 * owns. For one thread.
 */
final class ChatWriter implements EventWriter {
  private static final byte[] DONE = "data: [DONE]\n\n".getBytes(StandardCharsets.US_ASCII);

  private final Reply.Answered reply;
  private final Options options;
  private final ChatFrames frames;
  private final ToolCallFragments calls = new ToolCallFragments();
  private final ReasoningItems thoughts = new ReasoningItems();
  private Event.@Nullable UsageReport usage; // held back until the finish reason is written
  private boolean roleWritten;
  private boolean hasRefusal;

  ChatWriter(Reply.Answered reply, Options options) {
    this.reply = reply;
    this.options = options;
    this.frames = new ChatFrames(AnswerHeader.of(reply));
  }

  @Override
  public void write(Event event, JsonOutput out) {
    switch (event) {
      case Event.Started e -> writeStart(chatFrame(e.frame()), out);
      case Event.TextDelta e -> {
        thoughts.close();
        writeRole(isChat(e.template()), out);
        frames.writeText(e.text(), e.template(), out);
      }
      case Event.ReasoningDelta e -> writeReasoning(e, out);
      case Event.ReasoningSignature e ->
          writeDelta(chatFrame(e.frame()), thoughts.signature(e), out);
      case Event.EncryptedReasoning e ->
          writeDelta(chatFrame(e.frame()), thoughts.encrypted(e), out);
      case Event.ServerToolRun e -> writeDelta(null, thoughts.run(e.run()), out);
      case Event.RefusalDelta e -> {
        thoughts.close();
        hasRefusal = true;
        writeDelta(chatFrame(e.frame()), Json.object().put("refusal", e.text()).build(), out);
      }
      case Event.ToolCallDelta e -> writeCall(e, out);
      case Event.Annotation e ->
          writeDelta(
              chatFrame(e.frame()),
              Json.object().put("annotations", Json.array(e.body())).build(),
              out);
      case Event.Logprobs e -> {
        writeRole(false, out);
        frames.write(ChatChoices.chunk(ChatChoices.logprobs(e.content())), out);
      }
      case Event.OtherContent e -> writeUpstreamFrame(chatFrame(e.frame()), out);
      case Event.BlockStart e -> thoughts.close();
      case Event.BlockStop e -> thoughts.close();
      case Event.UsageReport e -> usage = e;
      case Event.UpstreamBodyEcho e -> writeDebug(e, out);
      case Event.AudioDelta e -> {} // only speech has these
      case Event.Finished e -> writeFinish(e, out);
      case Event.CompleteAnswer e -> writeWhole(e.answer(), out);
      case Event.Failed e -> writeFailure(e, out);
    }
  }

  private static boolean isChat(@Nullable FrameTemplate template) {
    return template != null && template.dialect() == Dialect.CHAT;
  }

  /** Returns the frame if it is a chat chunk with choices, otherwise null. */
  private static Json.@Nullable Obj chatFrame(Json.@Nullable Obj frame) {
    return frame == null || frame.list("choices") == null ? null : frame;
  }

  private void writeStart(Json.@Nullable Obj frame, JsonOutput out) {
    if (frame == null) {
      writeRole(false, out);
    } else {
      writeUpstreamFrame(frame, out);
    }
  }

  private void writeUpstreamFrame(Json.@Nullable Obj frame, JsonOutput out) {
    if (frame != null) {
      roleWritten = true;
      frames.write(frame, out);
    }
  }

  /** Begins the stream with a chunk that names the role, unless the upstream's chunk names it. */
  private void writeRole(boolean inUpstreamChunk, JsonOutput out) {
    if (!roleWritten && !inUpstreamChunk) {
      frames.writeDelta(Json.object().put("role", "assistant").put("content", "").build(), out);
    }
    roleWritten = true;
  }

  private void writeDelta(Json.@Nullable Obj frame, Json.Obj delta, JsonOutput out) {
    writeRole(frame != null, out);
    if (frame == null) {
      frames.writeDelta(delta, out);
    } else {
      frames.write(frame, out);
    }
  }

  private void writeReasoning(Event.ReasoningDelta event, JsonOutput out) {
    if (isChat(event.template())) {
      writeRole(true, out);
      frames.writeReasoning(event.text(), event.template(), out);
    } else if (!event.text().isEmpty()) {
      writeDelta(null, thoughts.fragment(event), out);
    }
  }

  private void writeCall(Event.ToolCallDelta event, JsonOutput out) {
    thoughts.close();
    Json.Obj frame = chatFrame(event.frame());
    if (frame != null) {
      writeDelta(frame, Json.Obj.EMPTY, out);
      return;
    }
    Json.Obj fragment = calls.fragment(event);
    if (fragment != null) {
      writeDelta(null, fragment, out);
    }
  }

  private void writeDebug(Event.UpstreamBodyEcho event, JsonOutput out) {
    if (options.debug()) {
      Json.Obj body = Json.object().put("echo_upstream_body", event.upstreamBody()).build();
      frames.writeOwn(
          Json.object().put("choices", Json.array()).put("debug", body.detached()).build(), out);
    }
  }

  private void writeFinish(Event.Finished event, JsonOutput out) {
    calls.missingArgumentFragments().forEach(fragment -> frames.writeDelta(fragment, out));
    Json.Obj frame = chatFrame(event.frame());
    Json.Arr choices = frame == null ? null : frame.list("choices");
    StopReason reason = ChatChoices.callerStopReason(event.reason(), hasRefusal);
    if (frame == null || choices == null || choices.isEmpty()) {
      writeRole(false, out);
      frames.write(ChatChoices.chunk(ChatChoices.end(0, reason, event.nativeReason())), out);
    } else {
      frames.write(
          frame.with(
              "choices", ChatChoices.withFinishReason(choices, reason, event.nativeReason())),
          out);
    }
    writeEnd(out);
  }

  /** Writes a whole answer of a provider that does not stream, in few chunks. */
  private void writeWhole(Answer answer, JsonOutput out) {
    chunks(answer).forEach(chunk -> frames.write(chunk, out));
    if (answer.usage() != null) {
      Json.Obj source = answer.dialect() == Dialect.CHAT ? answer.source() : null;
      usage = new Event.UsageReport(answer.usage(), source);
    }
    writeEnd(out);
  }

  private void writeEnd(JsonOutput out) {
    writeUsage(out);
    out.bytes(DONE);
  }

  private void writeUsage(JsonOutput out) {
    Bill bill = reply.answer().bill();
    Usage billedUsage = bill != null ? bill.usage() : usage != null ? usage.usage() : null;
    if (billedUsage == null && !options.metadata()) {
      return;
    }
    ObjectWriter chunk = frames.begin(out).put("choices", Json.array());
    if (billedUsage != null) {
      ChatUsageWriter.write(billedUsage, bill, upstreamUsage(), chunk.object("usage"));
    }
    if (options.metadata()) {
      chunk.put("router_metadata", RouterMetadata.of(reply.delivery()));
    }
    frames.end(out);
  }

  /**
   * Returns the upstream's usage without its white space: a line break in it would end the SSE data
   * line.
   */
  private Json.@Nullable Obj upstreamUsage() {
    Json.Obj upstream = usage == null ? null : ChatUsageWriter.upstreamUsage(usage.frame());
    return upstream == null ? null : upstream.detached();
  }

  private void writeFailure(Event.Failed event, JsonOutput out) {
    Json.Obj choice =
        Json.object()
            .put("index", 0)
            .put("delta", Json.object().put("content", "").build())
            .put("finish_reason", ChatChoices.finishReason(StopReason.ERROR))
            .build();
    ChatFrames errorFrames =
        EndCause.of(event) == EndCause.GATEWAY
            ? new ChatFrames(AnswerHeader.of(reply).withoutProvider())
            : frames;
    errorFrames.writeOwn(
        Json.object()
            .put("error", ErrorBodies.inBand(event.error(), event.cause()))
            .put("choices", Json.array(choice))
            .build(),
        out);
  }

  /** Returns two chunks for each choice: one with the whole message and one that ends it. */
  private static List<Json.Obj> chunks(Answer answer) {
    var chunks = new ArrayList<Json.Obj>();
    Json.Arr choices = ChatAnswerWriter.choices(answer);
    for (int i = 0; i < choices.size(); i++) {
      if (choices.get(i) instanceof Json.Obj choice && choice.object("message") != null) {
        addChunks(i, choice, chunks);
      }
    }
    return chunks;
  }

  private static void addChunks(int index, Json.Obj choice, List<Json.Obj> chunks) {
    Json.Obj message = choice.object("message");
    if (message == null) {
      return;
    }
    chunks.add(ChatChoices.chunk(ChatChoices.delta(index, delta(message))));
    Json.Obj.Builder end = Json.object().put("index", index).put("delta", Json.Obj.EMPTY);
    for (int i = 0; i < choice.size(); i++) {
      if (!choice.name(i).equals("index") && !choice.name(i).equals("message")) {
        end.put(choice.name(i), choice.value(i));
      }
    }
    chunks.add(ChatChoices.chunk(end.build()));
  }

  /** Returns a message as a delta, with its tool calls numbered. */
  private static Json.Obj delta(Json.Obj message) {
    Json.Arr calls = message.list("tool_calls");
    if (calls == null) {
      return message;
    }
    var numbered = new ArrayList<Json>(calls.size());
    for (int i = 0; i < calls.size(); i++) {
      numbered.add(
          calls.get(i) instanceof Json.Obj call && !call.has("index")
              ? Json.object().put("index", i).putAll(call).build()
              : calls.get(i));
    }
    return message.with("tool_calls", Json.array(numbered));
  }
}
