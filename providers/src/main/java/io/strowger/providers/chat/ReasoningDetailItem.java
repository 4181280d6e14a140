package io.strowger.providers.chat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.Part.Thinking.Kind;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An item of {@code reasoning_details}. Chat fact sheet, section 3.
 *
 * @param text the text, summary or encrypted data; may be empty
 */
record ReasoningDetailItem(
    Kind kind,
    Json.Str text,
    Json.@Nullable Str signature,
    @Nullable String format,
    @Nullable String id) {

  /** Returns the item; null when its type is unknown. */
  static @Nullable ReasoningDetailItem of(Json.Obj item) {
    return switch (Objects.requireNonNullElse(item.text("type"), "")) {
      case "reasoning.text" -> of(Kind.TEXT, "text", item);
      case "reasoning.summary" -> of(Kind.SUMMARY, "summary", item);
      case "reasoning.encrypted" -> of(Kind.ENCRYPTED, "data", item);
      default -> null;
    };
  }

  private static ReasoningDetailItem of(Kind kind, String member, Json.Obj item) {
    String format = item.text("format");
    return new ReasoningDetailItem(
        kind,
        item.get(member) instanceof Json.Str text ? text : Json.of(""),
        item.get("signature") instanceof Json.Str signed && !signed.isEmpty() ? signed : null,
        "unknown".equals(format) ? null : format,
        item.text("id"));
  }

  Part.Thinking part(Json.Obj item) {
    Json.Obj extras = item;
    for (String member :
        new String[] {"type", "text", "summary", "data", "signature", "format", "id"}) {
      extras = extras.without(member);
    }
    return new Part.Thinking(kind, text, signature, format, id, extras, item);
  }
}
