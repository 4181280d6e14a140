package io.strowger.core.pipeline;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Removes reasoning from answers and frames; everything else keeps its bytes. */
final class ReasoningRemover {
  private static final List<String> MEMBERS =
      List.of("reasoning", "reasoning_content", "reasoning_details");

  private static final Set<String> BLOCKS = Set.of("thinking", "redacted_thinking");

  private static final Set<String> ITEMS = Set.of("reasoning");

  private ReasoningRemover() {}

  static Answer removeFromAnswer(Answer answer) {
    List<Part> parts = answer.parts().stream().filter(part -> !isReasoning(part)).toList();
    Json.Obj source = answer.source();
    return new Answer(
        parts,
        answer.stopReason(),
        answer.nativeReason(),
        answer.usage(),
        answer.dialect(),
        source == null ? null : document(answer.dialect(), source));
  }

  private static boolean isReasoning(Part part) {
    return switch (part) {
      case Part.Thinking thinking -> true;
      case Part.Unknown unknown ->
          MEMBERS.contains(unknown.type())
              || unknown.source() instanceof Json.Obj source
                  && Json.TRUE.equals(source.get("thought"));
      case Part.Text p -> false;
      case Part.Image p -> false;
      case Part.Audio p -> false;
      case Part.Video p -> false;
      case Part.File p -> false;
      case Part.ToolCall p -> false;
      case Part.ToolResult p -> false;
      case Part.Refusal p -> false;
      case Part.Citation p -> false;
      case Part.Logprobs p -> false;
      case Part.ServerToolRun p -> false;
    };
  }

  private static Json.Obj document(Dialect dialect, Json.Obj source) {
    return switch (dialect) {
      case CHAT -> choices(source, "message");
      case MESSAGES -> items(source, "content", BLOCKS);
      case RESPONSES -> items(source, "output", ITEMS);
      case GEMINI -> source; // no path answers in this dialect
    };
  }

  private static Json.Obj items(Json.Obj source, String member, Set<String> types) {
    Json.Arr items = source.list(member);
    if (items == null) {
      return source;
    }
    var remaining = new ArrayList<Json>(items.size());
    for (Json item : items) {
      String type = item instanceof Json.Obj object ? object.text("type") : null;
      if (type == null || !types.contains(type)) {
        remaining.add(item);
      }
    }
    return remaining.size() == items.size() ? source : source.with(member, Json.array(remaining));
  }

  /**
   * Returns a chat chunk without its reasoning; the same object when it has none, null when nothing
   * is left.
   */
  static Json.@Nullable Obj removeFromFrame(Json.Obj frame) {
    Json.Obj remaining = choices(frame, "delta");
    return remaining == frame || hasContent(remaining) ? remaining : null;
  }

  private static boolean hasContent(Json.Obj chunk) {
    Json.Arr choices = chunk.list("choices");
    for (int i = 0; choices != null && i < choices.size(); i++) {
      Json.Obj choice = choices.get(i) instanceof Json.Obj object ? object : Json.Obj.EMPTY;
      Json.Obj delta = choice.object("delta");
      if (delta == null || delta.size() > 0 || choice.get("finish_reason") instanceof Json.Str) {
        return true;
      }
    }
    return false;
  }

  private static Json.Obj choices(Json.Obj source, String member) {
    Json.Arr choices = source.list("choices");
    Json.Arr remaining = choices;
    for (int i = 0; remaining != null && i < remaining.size(); i++) {
      Json.Obj message = remaining.get(i) instanceof Json.Obj choice ? choice.object(member) : null;
      if (message != null) {
        Json.Obj stripped = strip(message);
        if (stripped != message) {
          remaining = remaining.with(i, ((Json.Obj) remaining.get(i)).with(member, stripped));
        }
      }
    }
    return remaining == null || remaining == choices ? source : source.with("choices", remaining);
  }

  private static Json.Obj strip(Json.Obj message) {
    Json.Obj stripped = message;
    for (String name : MEMBERS) {
      stripped = stripped.has(name) ? stripped.without(name) : stripped;
    }
    return stripped;
  }
}
