package io.strowger.core.dialect.responses;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.string;

import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Part.Thinking.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rule for a {@code reasoning} item, which becomes several thinking parts with the item's id:
 * first the summary, then the reasoning text, then the encrypted content. Responses fact sheet,
 * "Input items"; translation fact sheet, section 4.
 *
 * <p>The first part keeps the members that have no typed form. An item without reasoning is kept
 * unchanged.
 */
final class ReasoningItemRule {
  /** The format of an item that names none. */
  private static final String DEFAULT_FORMAT = "openai-responses-v1";

  /** The value of {@code format} that names no vendor. */
  private static final String UNKNOWN_FORMAT = "unknown";

  static final Rule<Message> RULE =
      members()
          .required("id", string())
          .required("summary", items(object()))
          .optional("content", items(object()).orNull())
          .optional("encrypted_content", string().orNull())
          .optional("signature", string().orNull())
          .optional("format", string().orNull())
          .optional("status", string().orNull())
          .as(item -> new ReasoningItemRule(item).message());

  private final Json.Obj item;
  private final List<Part> thinkingParts = new ArrayList<>();
  private Json.Obj extras;

  private ReasoningItemRule(Json.Obj item) {
    this.item = item;
    this.extras = item.without("type").without("id").without("summary");
  }

  private Message message() {
    addTexts("summary", Kind.SUMMARY);
    addTexts("content", Kind.TEXT);
    if (item.get("encrypted_content") instanceof Json.Str data && !data.isEmpty()) {
      extras = extras.without("encrypted_content");
      thinkingParts.add(thinking(Kind.ENCRYPTED, data));
    }
    if (item.get("signature") instanceof Json.Str signature && !signature.isEmpty()) {
      extras = extras.without("signature");
      addSignature(signature);
    }
    if (thinkingParts.isEmpty()) {
      return InputItems.unchanged(item);
    }
    if (item.text("format") != null && format() != null) {
      extras = extras.without("format");
    }
    Part.Thinking first = (Part.Thinking) thinkingParts.getFirst();
    thinkingParts.set(0, copyWith(first, first.signature(), extras));
    return new Message(
        Message.Role.ASSISTANT, thinkingParts, Message.ContentForm.ABSENT, Json.Obj.EMPTY, item);
  }

  private void addTexts(String member, Kind kind) {
    Json.Arr parts = item.list(member);
    if (parts == null) {
      return;
    }
    int before = thinkingParts.size();
    for (Json part : parts) {
      if (part instanceof Json.Obj object && object.get("text") instanceof Json.Str text) {
        thinkingParts.add(thinking(kind, text));
      }
    }
    if (thinkingParts.size() > before) {
      extras = extras.without(member);
    }
  }

  /** Adds the signature to the last reasoning text, or to a new empty one if there is none. */
  private void addSignature(Json.Str signature) {
    int textIndex = lastTextIndex();
    if (textIndex < 0) {
      thinkingParts.add(thinking(Kind.TEXT, Json.of("")));
      textIndex = thinkingParts.size() - 1;
    }
    Part.Thinking thinking = (Part.Thinking) thinkingParts.get(textIndex);
    thinkingParts.set(textIndex, copyWith(thinking, signature, thinking.extras()));
  }

  private int lastTextIndex() {
    for (int i = thinkingParts.size() - 1; i >= 0; i--) {
      if (thinkingParts.get(i) instanceof Part.Thinking thinking && thinking.kind() == Kind.TEXT) {
        return i;
      }
    }
    return -1;
  }

  private Part.Thinking thinking(Kind kind, Json.Str text) {
    return new Part.Thinking(kind, text, null, format(), item.text("id"), Json.Obj.EMPTY, item);
  }

  private static Part.Thinking copyWith(
      Part.Thinking thinking, Json.@Nullable Str signature, Json.Obj extras) {
    return new Part.Thinking(
        thinking.kind(),
        thinking.text(),
        signature,
        thinking.format(),
        thinking.id(),
        extras,
        thinking.source());
  }

  private @Nullable String format() {
    String value = item.text("format");
    return value == null ? DEFAULT_FORMAT : value.equals(UNKNOWN_FORMAT) ? null : value;
  }
}
