package io.strowger.core.dialect.chat;

import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.integer;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;
import java.util.List;

/**
 * {@code reasoning} and its shorthand {@code reasoning_effort}. Contract: "Chat request body"; chat
 * fact sheet, section 2.
 */
final class ChatReasoningRule {
  private static final List<String> EFFORTS =
      List.of("max", "xhigh", "high", "medium", "low", "minimal", "none");

  static final Rule<String> EFFORT = wordAmong(EFFORTS);

  static final Rule<Json.Obj> RULE =
      MemberTable.kept(
          MemberTable.<Json.Obj>table()
              .optional("effort", EFFORT.orNull())
              .optional("summary", wordAmong("auto", "concise", "detailed").orNull())
              .optional("max_tokens", integer(0, Integer.MAX_VALUE))
              .optional("exclude", bool())
              .optional("enabled", bool())
              .build());

  private ChatReasoningRule() {}

  /** The shorthand says the same as the long form, when both are given. */
  static void agrees(ChatDraft draft, DecodingContext context) {
    String shorthand = draft.effortShorthand();
    Json.Obj reasoning = draft.body().object("reasoning");
    String effort = reasoning == null ? null : reasoning.text("effort");
    if (shorthand != null && effort != null && conflict(shorthand, effort)) {
      context.reject(
          "reasoning_effort",
          "must not differ from reasoning.effort, which is " + effort,
          Json.of(shorthand));
    }
  }

  /** A wrong effort is no conflict: that it is wrong was said. */
  private static boolean conflict(String shorthand, String effort) {
    return EFFORTS.contains(effort) && !effort.equals(shorthand);
  }
}
