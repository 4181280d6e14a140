package io.strowger.core.dialect.responses;

import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.integer;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;

/**
 * {@code reasoning}. Responses fact sheet, "Request"; the efforts, and that effort and summary may
 * be null, are those of the chat fact sheet, section 2.
 */
final class ResponsesReasoningRule {
  static final Rule<Json.Obj> RULE =
      MemberTable.kept(
          MemberTable.<Json.Obj>table()
              .optional(
                  "effort",
                  wordAmong("max", "xhigh", "high", "medium", "low", "minimal", "none").orNull())
              .optional("summary", wordAmong("auto", "concise", "detailed").orNull())
              .optional("mode", wordAmong("standard", "pro"))
              .optional("context", wordAmong("auto", "all_turns", "current_turn"))
              .optional("enabled", bool().orNull())
              .optional("max_tokens", integer(0, Integer.MAX_VALUE).orNull())
              .build());

  private ResponsesReasoningRule() {}
}
