package io.strowger.core.dialect.messages;

import static io.strowger.core.decode.Members.kept;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.wholeFrom;
import static io.strowger.core.decode.Rules.word;

import io.strowger.core.decode.Members;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;

/** {@code output_config}. Messages fact sheet, section 1. */
final class OutputConfig {
  private static final int LEAST_BUDGET = 20_000;

  private static final Rule<Json.Obj> FORMAT =
      kept(
          Members.<Json.Obj>table()
              .required("type", word("json_schema"))
              .required("schema", object())
              .build());

  private static final Rule<Json.Obj> TASK_BUDGET =
      kept(
          Members.<Json.Obj>table()
              .required("type", word("tokens"))
              .required("total", wholeFrom(LEAST_BUDGET))
              .optional("remaining", wholeFrom(0).orNull())
              .build());

  static final Rule<Json.Obj> RULE =
      kept(
          Members.<Json.Obj>table()
              .optional("effort", word("low", "medium", "high", "xhigh", "max").orNull())
              .optional("format", FORMAT.orNull())
              .optional("task_budget", TASK_BUDGET.orNull())
              .build());

  private OutputConfig() {}
}
