package io.strowger.core.dialect.messages;

import io.strowger.core.dialect.AnswerHeader;
import io.strowger.core.dialect.CollectedAnswer;
import io.strowger.core.dialect.RouterMetadata;
import io.strowger.core.inference.Reply;
import io.strowger.core.meter.Bill;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Usage;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes an answer as one message. Nullable members are always written (messages fact sheet,
 * section 3). An answer that came in this dialect keeps the upstream's document except for the
 * members that the gateway sets.
 */
final class MessagesAnswerWriter {
  /** Approximate size in bytes of the members the gateway adds. */
  private static final int OWN_MEMBERS_BYTES = 512;

  /** The members that the gateway sets itself, so those of an upstream are dropped. */
  private static final Set<String> GATEWAY_MEMBERS =
      Set.of("id", "type", "role", "model", "provider", "usage", "router_metadata");

  /** The members for how the message ended, which a stream sends in a separate event. */
  private static final List<String> ENDING_MEMBERS =
      List.of("stop_reason", "stop_sequence", "stop_details", "container");

  private MessagesAnswerWriter() {}

  /**
   * @param metadata whether {@code router_metadata} is included
   */
  static JsonOutput write(Reply.Answered reply, CollectedAnswer collectedAnswer, boolean metadata) {
    Answer answer = collectedAnswer.answer();
    Json.Obj source = collectedAnswer.source(Dialect.MESSAGES);
    Json.Obj upstream = source == null ? Json.Obj.EMPTY : source;
    var header = AnswerHeader.of(reply);
    var content = new MessageContent(answer);
    Json.Obj.Builder message =
        message(header, upstream).put("content", Json.array(content.blocks()));
    MessagesStopFields.put(
        answer.stopReason(), content.refusal(), endingMembers(upstream), message);
    Bill bill = reply.answer().bill();
    Usage usage = bill != null ? bill.usage() : answer.usage();
    message.put(
        "usage",
        MessagesUsageWriter.finalUsage(
            usage == null ? Usage.NONE : usage,
            bill,
            header.serviceTier(),
            usage(source, collectedAnswer)));
    if (metadata) {
      message.put("router_metadata", RouterMetadata.of(reply.delivery()));
    }
    var out = new JsonOutput(source == null ? 1024 : source.sourceLength() + OWN_MEMBERS_BYTES);
    message.build().writeTo(out);
    return out;
  }

  /**
   * Returns a message that begins with the gateway's members, followed by the other members of the
   * upstream's message.
   */
  static Json.Obj.Builder message(AnswerHeader header, Json.Obj upstream) {
    Json.Obj.Builder message =
        Json.object()
            .put("id", header.id())
            .put("type", "message")
            .put("role", "assistant")
            .put("model", header.model());
    if (!header.provider().isEmpty()) {
      message.put("provider", header.provider());
    }
    for (int i = 0; i < upstream.size(); i++) {
      if (!GATEWAY_MEMBERS.contains(upstream.name(i))) {
        message.put(upstream.name(i), upstream.value(i));
      }
    }
    return message;
  }

  private static Json.Obj endingMembers(Json.Obj upstream) {
    Json.Obj.Builder members = Json.object();
    for (String name : ENDING_MEMBERS) {
      Json value = upstream.get(name);
      if (value != null) {
        members.put(name, value);
      }
    }
    return members.build();
  }

  /**
   * Returns how a message ended, in the form of the {@code message_delta} event of a stream; empty
   * when there is no source.
   */
  static Json.Obj endingFrame(Json.@Nullable Obj source) {
    return source == null
        ? Json.Obj.EMPTY
        : Json.object().put("delta", endingMembers(source)).build();
  }

  /** Returns the upstream's usage object; empty when it gave none in this format. */
  private static Json.Obj usage(Json.@Nullable Obj source, CollectedAnswer collectedAnswer) {
    Json.Obj frame =
        source == null ? MessagesFrames.ownFrame(collectedAnswer.upstreamUsage()) : source;
    Json.Obj upstream = frame == null ? null : frame.object("usage");
    return Objects.requireNonNullElse(upstream, Json.Obj.EMPTY);
  }
}
