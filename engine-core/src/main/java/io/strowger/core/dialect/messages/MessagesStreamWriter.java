package io.strowger.core.dialect.messages;

import io.strowger.core.dialect.AnswerHeader;
import io.strowger.core.dialect.ErrorBodies;
import io.strowger.core.dialect.ErrorEnvelope;
import io.strowger.core.dialect.EventWriter;
import io.strowger.core.dialect.RouterMetadata;
import io.strowger.core.inference.Reply;
import io.strowger.core.meter.Bill;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes an answer as events of the messages format. Messages fact sheet, section 4: {@code
 * message_start}, the blocks, {@code message_delta} with the reason and the usage, then {@code
 * message_stop}. A failure is one {@code error} event, which ends the stream.
 *
 * <p>Events that came in this dialect keep the upstream's bytes except for the members the gateway
 * owns and the index of a block. For one thread.
 */
final class MessagesStreamWriter implements EventWriter {
  /**
   * The maximum length in characters of a refusal, which is written at the end; a longer text is
   * cut off.
   */
  private static final int MAX_REFUSAL_CHARS = 64 << 10;

  private final Reply.Answered reply;
  private final boolean metadata;
  private final MessagesFrames frames = new MessagesFrames();
  private final ContentBlocks blocks;
  private final BlockOrder order;
  private final StringBuilder refusal = new StringBuilder();
  private Usage usage = Usage.NONE;
  private Json.Obj upstreamUsage = Json.Obj.EMPTY; // the upstream's usage so far, in this format
  private Json.Obj upstreamMessage = Json.Obj.EMPTY; // the upstream's first message object
  private boolean hasBegun;

  MessagesStreamWriter(Reply.Answered reply, boolean metadata) {
    this.reply = reply;
    this.metadata = metadata;
    this.blocks = new ContentBlocks(frames, reply.id(), reply.answer()::addsCitations);
    this.order = new BlockOrder(blocks);
  }

  @Override
  public void write(Event event, JsonOutput out) {
    switch (event) {
      case Event.Started e -> keepStart(MessagesFrames.ownFrame(e.frame()));
      case Event.UsageReport e -> {
        usage = e.usage();
        mergeUsage(MessagesFrames.ownFrame(e.frame()));
      }
      case Event.TextDelta e -> writeContent(e, out);
      case Event.ReasoningDelta e -> writeContent(e, out);
      case Event.ReasoningSignature e -> writeContent(e, out);
      case Event.EncryptedReasoning e -> writeContent(e, out);
      case Event.ToolCallDelta e -> writeContent(e, out);
      case Event.Annotation e -> writeContent(e, out);
      case Event.BlockStart e -> writeContent(e, out);
      case Event.BlockStop e -> writeContent(e, out);
      case Event.OtherContent e -> {
        if (MessagesFrames.ownFrame(e.frame()) != null) {
          writeContent(e, out);
        }
      }
      case Event.RefusalDelta e -> addRefusal(e.text().text());
      case Event.Logprobs e -> {} // this format has no place for these
      case Event.ServerToolRun e -> writeContent(e, out);
      case Event.UpstreamBodyEcho e -> {} // this format does not show it
      case Event.AudioDelta e -> {} // only speech has these
      case Event.Finished e -> writeFinish(e, out);
      case Event.CompleteAnswer e -> writeWhole(e.answer(), out);
      case Event.Failed e -> writeFailure(e.error(), e.cause(), out);
    }
  }

  private void addRefusal(String text) {
    refusal.append(text, 0, Math.min(text.length(), MAX_REFUSAL_CHARS - refusal.length()));
  }

  /**
   * Keeps the upstream's first message until content comes, since usage reported before the content
   * belongs to that message.
   */
  private void keepStart(Json.@Nullable Obj frame) {
    Json.Obj message = frame == null ? null : frame.object("message");
    if (message != null) {
      upstreamMessage = message;
      mergeUsage(frame);
    }
  }

  /** Merges the upstream's usage: counts are cumulative, so the latest replaces each member. */
  private void mergeUsage(Json.@Nullable Obj frame) {
    if (frame != null) {
      Json.Obj message = frame.object("message");
      Json.Obj reported = (message == null ? frame : message).object("usage");
      if (reported != null) {
        upstreamUsage = Json.object().putAll(upstreamUsage).putAll(reported).build();
      }
    }
  }

  private void writeContent(Event event, JsonOutput out) {
    begin(out);
    order.add(event, out);
  }

  private void begin(JsonOutput out) {
    if (!hasBegun) {
      hasBegun = true;
      var header = AnswerHeader.of(reply);
      Json.Obj.Builder message = MessagesAnswerWriter.message(header, upstreamMessage);
      message
          .put("content", Json.array())
          .put("stop_reason", Json.NULL)
          .put("stop_sequence", Json.NULL)
          .put("stop_details", Json.NULL)
          .put("container", MessagesStopFields.orJsonNull(upstreamMessage.get("container")))
          .put(
              "usage",
              MessagesUsageWriter.initialUsage(usage, header.serviceTier(), upstreamUsage));
      frames.writeEvent(
          "message_start",
          Json.object().put("type", "message_start").put("message", message.build()).build(),
          out);
    }
  }

  private void writeFinish(Event.Finished event, JsonOutput out) {
    if (event.reason() == StopReason.ERROR) {
      writeFailure(GatewayError.of(ErrorCode.PROVIDER_ERROR), null, out);
      return;
    }
    begin(out);
    order.end(out);
    Json.Obj frame = MessagesFrames.ownFrame(event.frame());
    mergeUsage(frame);
    writeEnd(event.reason(), frame == null ? Json.Obj.EMPTY : frame, out);
  }

  /**
   * @param frame the upstream's {@code message_delta}; empty when there is none
   */
  private void writeEnd(StopReason reason, Json.Obj frame, JsonOutput out) {
    Json.Obj.Builder delta = Json.object();
    MessagesStopFields.put(
        reason,
        refusal.toString(),
        Objects.requireNonNullElse(frame.object("delta"), Json.Obj.EMPTY),
        delta);
    Bill bill = reply.answer().bill();
    Usage billedUsage = bill == null ? usage : bill.usage();
    frames.writeEvent(
        "message_delta",
        Json.object()
            .put("type", "message_delta")
            .putAll(frame)
            .put("delta", delta.build())
            .put(
                "usage",
                MessagesUsageWriter.finalUsage(
                    billedUsage, bill, AnswerHeader.of(reply).serviceTier(), upstreamUsage))
            .build(),
        out);
    Json.Obj.Builder stop = Json.object().put("type", "message_stop");
    if (metadata) {
      stop.put("router_metadata", RouterMetadata.of(reply.delivery()));
    }
    frames.writeEvent("message_stop", stop.build(), out);
  }

  /** Writes a whole answer of a provider that does not stream. */
  private void writeWhole(Answer answer, JsonOutput out) {
    if (answer.stopReason() == StopReason.ERROR) {
      writeFailure(GatewayError.of(ErrorCode.PROVIDER_ERROR), null, out);
      return;
    }
    Json.Obj source = answer.dialect() == Dialect.MESSAGES ? answer.source() : null;
    if (source != null) {
      keepStart(Json.object().put("message", source).build());
    }
    if (answer.usage() != null) {
      usage = answer.usage();
    }
    begin(out);
    var content = new MessageContent(answer);
    content.blocks().forEach(block -> blocks.writeWhole(block, out));
    addRefusal(content.refusal());
    writeEnd(answer.stopReason(), MessagesAnswerWriter.endingFrame(source), out);
  }

  private void writeFailure(GatewayError error, @Nullable Failure cause, JsonOutput out) {
    frames.writeEvent(
        "error",
        ErrorBodies.of(
            ErrorEnvelope.MESSAGES,
            ErrorBodies.withProviderCode(error, cause),
            reply.id(),
            metadata ? RouterMetadata.of(reply.delivery()) : null),
        out);
  }
}
