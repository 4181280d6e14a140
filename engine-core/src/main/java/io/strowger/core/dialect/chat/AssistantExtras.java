package io.strowger.core.dialect.chat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.List;

/**
 * What an assistant's message says in members beside its content: what the model thought, and that
 * it refused. For one message.
 *
 * <p>{@code reasoning} is the text of {@code reasoning_details} once more, so where these have any
 * it is left out: a text that is changed must not stay in a copy of it.
 */
final class AssistantExtras {
  private static final Json.Str NOTHING = Json.of("");

  Json.Str refusal = NOTHING;
  Json.Str reasoning = NOTHING;
  List<Part> details = List.of();

  /** Nothing is said there, as in most messages. */
  boolean isNothing() {
    return details.isEmpty() && reasoning.isEmpty() && refusal.isEmpty();
  }

  /** All parts of the message: thinking, content, a refusal, calls. */
  List<Part> around(List<Part> content, List<Part> calls) {
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

  /** These members and those that have become parts here. One that says nothing has not. */
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
