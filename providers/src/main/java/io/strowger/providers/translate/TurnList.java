package io.strowger.providers.translate;

import io.strowger.spi.model.Message.Role;
import io.strowger.spi.model.Part;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects turns part by part. Adjacent parts of one role form one turn, in which tool results come
 * first. For one thread.
 */
final class TurnList {
  private final List<ConversationTurn> turns = new ArrayList<>();
  private final List<Part> results = new ArrayList<>();
  private final List<Part> otherParts = new ArrayList<>();
  private @Nullable Role role;

  void add(Role partRole, Part part) {
    if (partRole != role) {
      endTurn();
      role = partRole;
    }
    (part instanceof Part.ToolResult ? results : otherParts).add(part);
  }

  void addAll(Role partRole, List<Part> parts) {
    parts.forEach(part -> add(partRole, part));
  }

  private void endTurn() {
    Role endedRole = role;
    if (endedRole != null) {
      results.addAll(otherParts);
      turns.add(new ConversationTurn(endedRole, results));
      results.clear();
      otherParts.clear();
      role = null;
    }
  }

  /** Returns the turns; nothing may be added afterwards. */
  List<ConversationTurn> turns() {
    endTurn();
    return turns;
  }
}
