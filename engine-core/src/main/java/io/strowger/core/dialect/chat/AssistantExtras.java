package io.strowger.core.dialect.chat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.List;

/**
 * The reasoning and the refusal of one assistant message, which the message has in members beside
 * its content.
 *
 * <p>{@code reasoning} repeats the text of {@code reasoning_details}, so it is dropped when the
 * details have text: otherwise text that a plugin changes later would survive in the copy.
 */
final class AssistantExtras {
  private static final Json.Str EMPTY_TEXT = Json.of("");

  Json.Str refusal = EMPTY_TEXT;
  Json.Str reasoning = EMPTY_TEXT;
  List<Part> details = List.of();

  /** Returns whether the message has none of these members, as is usual. */
  boolean isEmpty() {
    return details.isEmpty() && reasoning.isEmpty() && refusal.isEmpty();
  }

  /** Returns all parts of the message: thinking, content, a refusal and calls, in this order. */
  List<Part> allParts(List<Part> content, List<Part> calls) {
    if (isEmpty() && calls.isEmpty()) {
      return content;
    }
    if (isEmpty() && content.isEmpty()) {
      return calls;
    }
    var parts = new ArrayList<Part>(details.size() + content.size() + calls.size() + 2);
    if (!reasoning.isEmpty() && details.stream().noneMatch(AssistantExtras::isReadable)) {
      parts.add(new Part.Thinking(reasoning, null, Json.Obj.EMPTY, null));
    }
    parts.addAll(details);
    parts.addAll(content);
    if (!refusal.isEmpty()) {
      parts.add(new Part.Refusal(refusal, null));
    }
    parts.addAll(calls);
    return parts;
  }

  private static boolean isReadable(Part part) {
    return part instanceof Part.Thinking thinking
        && thinking.kind() != Part.Thinking.Kind.ENCRYPTED
        && !thinking.text().isEmpty();
  }

  /** Returns the given names and those of the non-empty members here, which became parts. */
  List<String> withMemberNames(List<String> otherNames) {
    var names = new ArrayList<>(otherNames);
    if (!details.isEmpty()) {
      names.add("reasoning_details");
    }
    if (!reasoning.isEmpty()) {
      names.add("reasoning");
    }
    if (!refusal.isEmpty()) {
      names.add("refusal");
    }
    return names;
  }
}
