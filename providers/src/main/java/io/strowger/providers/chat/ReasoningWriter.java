package io.strowger.providers.chat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes the {@code refusal} and the reasoning of a message. Reasoning is written in order as
 * {@code reasoning_details}, or as {@code reasoning} when it is one plain text without a signature
 * or other properties. All other parts are ignored. Chat fact sheet, section 3.
 */
final class ReasoningWriter {
  private ReasoningWriter() {}

  static void write(List<Part> parts, ChatObjectWriter writer) {
    var details = new ArrayList<Json>();
    Json.Str plainText = plainReasoning(parts);
    for (Part part : parts) {
      if (part instanceof Part.Refusal refusal) {
        writer.put("refusal", refusal.text());
      } else if (part instanceof Part.Thinking thought && plainText == null) {
        details.add(Objects.requireNonNullElseGet(thought.source(), () -> detail(thought)));
      }
    }
    if (plainText != null) {
      writer.put("reasoning", plainText);
    }
    if (!details.isEmpty()) {
      writer.put("reasoning_details", Json.array(details));
    }
  }

  /**
   * Returns the text if there is exactly one piece of reasoning and it has no other properties;
   * null otherwise.
   */
  private static Json.@Nullable Str plainReasoning(List<Part> parts) {
    Part.Thinking single = null;
    for (Part part : parts) {
      if (part instanceof Part.Thinking thought) {
        if (single != null) {
          return null;
        }
        single = thought;
      }
    }
    return single != null && isPlain(single) ? single.text() : null;
  }

  private static boolean isPlain(Part.Thinking thought) {
    return thought.kind() == Part.Thinking.Kind.TEXT
        && thought.source() == null
        && thought.signature() == null
        && thought.format() == null
        && thought.id() == null
        && thought.extras().size() == 0
        && !thought.text().isEmpty();
  }

  private static Json detail(Part.Thinking thought) {
    Json.Obj.Builder item =
        switch (thought.kind()) {
          case TEXT -> item("reasoning.text").put("text", thought.text());
          case SUMMARY -> item("reasoning.summary").put("summary", thought.text());
          case ENCRYPTED -> item("reasoning.encrypted").put("data", thought.text());
        };
    if (thought.signature() != null) {
      item.put("signature", thought.signature());
    }
    if (thought.id() != null) {
      item.put("id", thought.id());
    }
    if (thought.format() != null) {
      item.put("format", thought.format());
    }
    return item.putAll(thought.extras()).build();
  }

  private static Json.Obj.Builder item(String type) {
    return Json.object().put("type", type);
  }
}
