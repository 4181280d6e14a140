package io.strowger.core.dialect.responses;

import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.string;

import io.strowger.core.decode.MemberTable;
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
  private static final String OWN_FORMAT = "openai-responses-v1";

  /** The value of {@code format} that names no vendor. */
  private static final String UNKNOWN = "unknown";

  static final Rule<Message> RULE =
      MemberTable.mapped(
          MemberTable.<Json.Obj>table()
              .required("id", string())
              .required("summary", items(object()))
              .optional("content", items(object()).orNull())
              .optional("encrypted_content", string().orNull())
              .optional("signature", string().orNull())
              .optional("format", string().orNull())
              .optional("status", string().orNull())
              .build(),
          item -> new ReasoningItemRule(item).message());

  private final Json.Obj item;
  private final List<Part> thoughts = new ArrayList<>();
  private Json.Obj extras;

  private ReasoningItemRule(Json.Obj item) {
    this.item = item;
    this.extras = item.without("type").without("id").without("summary");
  }

  private Message message() {
    texts("summary", Kind.SUMMARY);
    texts("content", Kind.TEXT);
    if (item.get("encrypted_content") instanceof Json.Str data && !data.isEmpty()) {
      extras = extras.without("encrypted_content");
      thoughts.add(thought(Kind.ENCRYPTED, data));
    }
    if (item.get("signature") instanceof Json.Str signature && !signature.isEmpty()) {
      extras = extras.without("signature");
      sign(signature);
    }
    if (thoughts.isEmpty()) {
      return InputItems.unmodelled(item);
    }
    if (item.text("format") != null && format() != null) {
      extras = extras.without("format");
    }
    Part.Thinking first = (Part.Thinking) thoughts.getFirst();
    thoughts.set(0, with(first, first.signature(), extras));
    return new Message(
        Message.Role.ASSISTANT, thoughts, Message.Content.ABSENT, Json.Obj.EMPTY, item);
  }

  private void texts(String member, Kind kind) {
    Json.Arr parts = item.list(member);
    if (parts == null) {
      return;
    }
    int before = thoughts.size();
    for (Json part : parts) {
      if (part instanceof Json.Obj one && one.get("text") instanceof Json.Str text) {
        thoughts.add(thought(kind, text));
      }
    }
    if (thoughts.size() > before) {
      extras = extras.without(member);
    }
  }

  /** Adds the signature to the last reasoning text, or to a new empty one if there is none. */
  private void sign(Json.Str signature) {
    int at = lastText();
    if (at < 0) {
      thoughts.add(thought(Kind.TEXT, Json.of("")));
      at = thoughts.size() - 1;
    }
    Part.Thinking thought = (Part.Thinking) thoughts.get(at);
    thoughts.set(at, with(thought, signature, thought.extras()));
  }

  private int lastText() {
    for (int i = thoughts.size() - 1; i >= 0; i--) {
      if (thoughts.get(i) instanceof Part.Thinking thought && thought.kind() == Kind.TEXT) {
        return i;
      }
    }
    return -1;
  }

  private Part.Thinking thought(Kind kind, Json.Str text) {
    return new Part.Thinking(kind, text, null, format(), item.text("id"), Json.Obj.EMPTY, item);
  }

  private static Part.Thinking with(
      Part.Thinking thought, Json.@Nullable Str signature, Json.Obj extras) {
    return new Part.Thinking(
        thought.kind(),
        thought.text(),
        signature,
        thought.format(),
        thought.id(),
        extras,
        thought.source());
  }

  private @Nullable String format() {
    String said = item.text("format");
    return said == null ? OWN_FORMAT : said.equals(UNKNOWN) ? null : said;
  }
}
