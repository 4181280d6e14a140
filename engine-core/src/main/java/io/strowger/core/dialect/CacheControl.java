package io.strowger.core.dialect;

import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;

/** The marks that steer an upstream's prompt cache. Chat fact sheet, sections 2 and 3. */
public final class CacheControl {
  /** {@code cache_control}, on a request, a part, a block or a tool. */
  public static final Rule<Json.Obj> RULE =
      MemberTable.kept(
          MemberTable.<Json.Obj>table()
              .required("type", wordAmong("ephemeral"))
              .optional("ttl", wordAmong("5m", "1h"))
              .build());

  /** {@code prompt_cache_breakpoint} of a part, {@code prompt_cache_options} of a request. */
  public static final Rule<Json.Obj> EXPLICIT =
      MemberTable.kept(
          MemberTable.<Json.Obj>table()
              .required("mode", wordAmong("explicit"))
              .optional("ttl", string().orNull())
              .build());

  private CacheControl() {}
}
