package io.strowger.core.decode;

import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.items;
import static io.strowger.core.decode.Rules.matching;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.number;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.whole;
import static io.strowger.core.decode.Rules.wholeFrom;
import static io.strowger.core.decode.Rules.word;

import io.strowger.spi.json.Json;
import java.util.regex.Pattern;

/**
 * The gateway's tools that ask other models. Chat fact sheet, section 5; plugins fact sheet, 4 and
 * 12.
 */
final class ModelTools {
  private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9 _-]{1,64}");

  private static final Rule<Json.Obj> REASONING =
      Members.kept(
          Members.<Json.Obj>table()
              .optional(
                  "effort",
                  word("max", "xhigh", "high", "medium", "low", "minimal", "none").orNull())
              .optional("max_tokens", whole(0, Integer.MAX_VALUE))
              .build());

  private static final Rule<Json.Obj> PANEL_TOOL =
      Members.kept(
          Members.<Json.Obj>table()
              .required("type", name())
              .optional("parameters", object())
              .build());

  private static final Rule<Object> ELSEWHERE =
      (given, reading) -> {
        reading.wrong("is only for /responses", given);
        return null;
      };

  /** {@code router:fusion}. */
  static final Members<Json.Obj> FUSION =
      Members.<Json.Obj>table()
          .optional("analysis_models", items(name(), 1, 8))
          .optional("model", name())
          .optional("tools", items(PANEL_TOOL, 0, 8))
          .optional("max_tool_calls", whole(1, 16))
          .optional("max_completion_tokens", wholeFrom(1))
          .optional("reasoning", REASONING)
          .optional("temperature", number(0, 2))
          .optional("cache_control", CacheControl.RULE)
          .build();

  /** {@code router:advisor}. */
  static final Members<Json.Obj> ADVISOR = advisor().build();

  private ModelTools() {}

  /** May be the name of an advisor or a subagent. */
  static boolean isName(Json given) {
    return given instanceof Json.Str str && Rules.isName(str) && NAME.matcher(str.text()).matches();
  }

  private static Members.Builder<Json.Obj> advisor() {
    return Members.<Json.Obj>table()
        .optional("name", matching(NAME, "must be 1 to 64 of A-Z a-z 0-9 _ - and space"))
        .optional("model", name())
        .optional("instructions", string())
        .optional("forward_transcript", bool())
        .optional("max_tool_calls", whole(1, 25))
        .optional("max_completion_tokens", wholeFrom(1))
        .optional("reasoning", REASONING)
        .optional("temperature", number(0, 2))
        .optional("stream", bool());
  }

  /**
   * {@code router:subagent}.
   *
   * @param tools what it may use
   * @param inheriting functions of the request may be handed down to it
   */
  static Members<Json.Obj> subagent(Rule<?> tools, boolean inheriting) {
    return advisor()
        .optional("tools", tools)
        .optional("inherit_functions", inheriting ? bool() : ELSEWHERE)
        .optional("inherited_function_names", inheriting ? items(name()) : ELSEWHERE)
        .build();
  }
}
