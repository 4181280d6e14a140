package io.strowger.core.dialect.messages;

import static io.strowger.core.decode.MemberTable.kept;
import static io.strowger.core.decode.Rules.integerAtLeast;
import static io.strowger.core.decode.Rules.object;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;

/** {@code output_config}. Messages fact sheet, section 1. */
final class OutputConfig {
  private static final int LEAST_BUDGET = 20_000;

  private static final Rule<Json.Obj> FORMAT =
      kept(
          MemberTable.<Json.Obj>table()
              .required("type", wordAmong("json_schema"))
              .required("schema", object())
              .build());

  private static final Rule<Json.Obj> TASK_BUDGET =
      kept(
          MemberTable.<Json.Obj>table()
              .required("type", wordAmong("tokens"))
              .required("total", integerAtLeast(LEAST_BUDGET))
              .optional("remaining", integerAtLeast(0).orNull())
              .build());

  static final Rule<Json.Obj> RULE =
      kept(
          MemberTable.<Json.Obj>table()
              .optional("effort", wordAmong("low", "medium", "high", "xhigh", "max").orNull())
              .optional("format", FORMAT.orNull())
              .optional("task_budget", TASK_BUDGET.orNull())
              .build());

  private OutputConfig() {}
}
