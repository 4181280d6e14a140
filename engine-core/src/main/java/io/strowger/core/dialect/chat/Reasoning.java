package io.strowger.core.dialect.chat;

import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.whole;
import static io.strowger.core.decode.Rules.word;

import io.strowger.core.decode.Members;
import io.strowger.core.decode.Reading;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;
import java.util.List;

/**
 * {@code reasoning} and its shorthand {@code reasoning_effort}. Contract: "Chat request body"; chat
 * fact sheet, section 2.
 */
final class Reasoning {
  private static final List<String> EFFORTS =
      List.of("max", "xhigh", "high", "medium", "low", "minimal", "none");

  static final Rule<String> EFFORT = word(EFFORTS);

  static final Rule<Json.Obj> RULE =
      Members.kept(
          Members.<Json.Obj>table()
              .optional("effort", EFFORT.orNull())
              .optional("summary", word("auto", "concise", "detailed").orNull())
              .optional("max_tokens", whole(0, Integer.MAX_VALUE))
              .optional("exclude", bool())
              .optional("enabled", bool())
              .build());

  private Reasoning() {}

  /** The shorthand says the same as the long form, when both are given. */
  static void agrees(ChatDraft draft, Reading reading) {
    String shorthand = draft.effortShorthand();
    Json.Obj reasoning = draft.body().object("reasoning");
    String effort = reasoning == null ? null : reasoning.text("effort");
    if (shorthand != null && effort != null && conflict(shorthand, effort)) {
      reading.wrong(
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
