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

  /** Returns the turns; nothing may be added afterwards. */
  List<ConversationTurn> turns() {
    end();
    return turns;
  }
}
