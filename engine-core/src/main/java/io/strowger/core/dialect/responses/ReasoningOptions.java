package io.strowger.core.dialect.responses;

import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.whole;
import static io.strowger.core.decode.Rules.word;

import io.strowger.core.decode.Members;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;

/**
 * {@code reasoning}. Responses fact sheet, "Request"; the efforts, and that effort and summary may
 * be null, are those of the chat fact sheet, section 2.
 */
final class ReasoningOptions {
  static final Rule<Json.Obj> RULE =
      Members.kept(
          Members.<Json.Obj>table()
              .optional(
                  "effort",
                  word("max", "xhigh", "high", "medium", "low", "minimal", "none").orNull())
              .optional("summary", word("auto", "concise", "detailed").orNull())
              .optional("mode", word("standard", "pro"))
              .optional("context", word("auto", "all_turns", "current_turn"))
              .optional("enabled", bool().orNull())
              .optional("max_tokens", whole(0, Integer.MAX_VALUE).orNull())
              .build());

  private ReasoningOptions() {}
}
