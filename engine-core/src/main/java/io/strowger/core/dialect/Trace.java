package io.strowger.core.dialect;

import static io.strowger.core.decode.Rules.string;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;

/** {@code trace}: known names are strings, any other may hold anything. Contract: "Messages". */
public final class Trace {
  public static final Rule<Json.Obj> RULE =
      MemberTable.kept(
          MemberTable.<Json.Obj>table()
              .optional("trace_id", string())
              .optional("trace_name", string())
              .optional("span_name", string())
              .optional("generation_name", string())
              .optional("parent_span_id", string())
              .build());

  private Trace() {}
}
