package io.strowger.providers.translate;

import io.strowger.spi.model.Message.Role;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns while they are collected, part by part: neighbours of one role are one turn, results come
 * first in it, and who says nothing has no turn. For one thread.
 */
final class TurnList {
  private final List<ConversationTurn> turns = new ArrayList<>();
  private final List<Part> results = new ArrayList<>();
  private final List<Part> rest = new ArrayList<>();
  private @Nullable Role role;

  void add(Role by, Part part) {
    if (by != role) {
      end();
      role = by;
    }
    (part instanceof Part.ToolResult ? results : rest).add(part);
  }

  void addAll(Role by, List<Part> parts) {
    parts.forEach(part -> add(by, part));
  }

  private void end() {
    Role by = role;
    if (by != null) {
      results.addAll(rest);
      turns.add(new ConversationTurn(by, results));
      results.clear();
      rest.clear();
      role = null;
    }
  }

  /** What was collected; nothing may be added any more. */
  List<ConversationTurn> turns() {
    end();
    return turns;
  }
}
