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
  private static final Json.Str NOTHING = Json.of("");

  Json.Str refusal = NOTHING;
  Json.Str reasoning = NOTHING;
  List<Part> details = List.of();

  /** Returns whether the message has none of these members, as is usual. */
  boolean isNothing() {
    return details.isEmpty() && reasoning.isEmpty() && refusal.isEmpty();
  }

  /** Returns all parts of the message: thinking, content, a refusal and calls, in this order. */
  List<Part> allParts(List<Part> content, List<Part> calls) {
    if (isNothing() && calls.isEmpty()) {
      return content;
    }
    if (isNothing() && content.isEmpty()) {
      return calls;
    }
    var all = new ArrayList<Part>(details.size() + content.size() + calls.size() + 2);
    if (!reasoning.isEmpty() && details.stream().noneMatch(AssistantExtras::isReadable)) {
      all.add(new Part.Thinking(reasoning, null, Json.Obj.EMPTY, null));
    }
    all.addAll(details);
    all.addAll(content);
    if (!refusal.isEmpty()) {
      all.add(new Part.Refusal(refusal, null));
    }
    all.addAll(calls);
    return all;
  }

  private static boolean isReadable(Part part) {
    return part instanceof Part.Thinking thought
        && thought.kind() != Part.Thinking.Kind.ENCRYPTED
        && !thought.text().isEmpty();
  }

  /** Returns the given names and those of the non-empty members here, which became parts. */
  List<String> names(List<String> others) {
    var names = new ArrayList<>(others);
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
