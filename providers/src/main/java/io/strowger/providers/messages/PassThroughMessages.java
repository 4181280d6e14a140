package io.strowger.providers.messages;

import io.strowger.providers.translate.Losses;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the messages of a request in this dialect without what an upstream refuses: reasoning that
 * its vendor did not sign, and empty texts. A message without such parts keeps its bytes.
 * Translation fact sheet, sections 4 and 8, case 21.
 */
final class PassThroughMessages {
  /** Separates vendor and signature in signatures of other vendors. */
  private static final char VENDOR_SEPARATOR = ':';

  private final ContentBlockWriter blocks;
  private final Losses losses;

  PassThroughMessages(ContentBlockWriter blocks, Losses losses) {
    this.blocks = blocks;
    this.losses = losses;
  }

  /** Returns the list as JSON; the caller's own list when nothing in it was changed. */
  Json write(List<Message> messages, Json original) {
    List<Json> items = sentMessages(messages).stream().map(blocks::message).toList();
    if (!(original instanceof Json.Arr originals) || originals.size() != items.size()) {
      return Json.array(items);
    }
    for (int i = 0; i < originals.size(); i++) {
      if (originals.get(i) != items.get(i)) {
        return Json.array(items);
      }
    }
    return originals;
  }

  /** Returns the messages that are sent, without the refused parts. */
  List<Message> sentMessages(List<Message> messages) {
    var sent = new ArrayList<Message>(messages.size());
    for (Message message : messages) {
      List<Part> parts = message.parts().stream().filter(this::isSent).toList();
      if (parts.size() == message.parts().size()) {
        sent.add(message);
      } else if (!parts.isEmpty()) {
        sent.add(message.withParts(parts));
      }
    }
    return sent;
  }

  private boolean isSent(Part part) {
    return switch (part) {
      case Part.Text text -> !text.text().isEmpty();
      case Part.Thinking thought -> isOwn(thought);
      case Part.Unknown(String type, Json source) -> isSent(type, source);
      case Part.Refusal p -> false;
      case Part.Citation p -> false;
      case Part.Logprobs p -> false;
      case Part.ServerToolRun p -> false;
      case Part.Audio p -> drop("audio");
      case Part.Video p -> drop("video");
      case Part.Image p -> true;
      case Part.File p -> true;
      case Part.ToolCall p -> true;
      case Part.ToolResult p -> true;
    };
  }

  private boolean drop(String partName) {
    losses.dropped(partName, "has no form in this dialect");
    return false;
  }

  private boolean isSent(String type, Json source) {
    return !type.equals("redacted_thinking")
        || isOwn(source instanceof Json.Obj block ? block.get("data") : null);
  }

  /**
   * Returns whether the reasoning is this vendor's; encrypted reasoning is judged by its text,
   * other reasoning by its signature.
   */
  private boolean isOwn(Part.Thinking thought) {
    boolean isOtherFormat =
        thought.format() != null && !thought.format().equals(MessagesCodec.FORMAT);
    boolean encrypted = thought.kind() == Part.Thinking.Kind.ENCRYPTED;
    return isOwn(isOtherFormat ? null : encrypted ? thought.text() : thought.signature());
  }

  /** Returns whether a signature or encrypted data is this vendor's; if not, records the loss. */
  private boolean isOwn(@Nullable Json signatureOrData) {
    boolean isOwnSignature =
        signatureOrData instanceof Json.Str signature
            && !signature.isEmpty()
            && signature.text().indexOf(VENDOR_SEPARATOR) < 0;
    if (!isOwnSignature) {
      losses.dropped("reasoning", "was unsigned, or signed by another vendor");
    }
    return isOwnSignature;
  }

  /** Returns whether the last assistant message calls tools and does not begin with reasoning. */
  static boolean lacksThinkingBeforeTools(List<Message> messages) {
    for (Message message : messages.reversed()) {
      if (message.role() == Message.Role.ASSISTANT) {
        return message.parts().stream().anyMatch(part -> part instanceof Part.ToolCall)
            && !isThought(message.parts().getFirst());
      }
    }
    return false;
  }

  private static boolean isThought(Part part) {
    return part instanceof Part.Thinking
        || part instanceof Part.Unknown unknown && unknown.type().equals("redacted_thinking");
  }
}
