package io.strowger.core.resource;

import static io.strowger.core.decode.Rules.matching;
import static io.strowger.core.decode.Rules.text;
import static io.strowger.core.decode.Rules.wordAmong;
import static io.strowger.core.resource.ResourceRules.JSON_FLAG;
import static io.strowger.core.resource.ResourceRules.json;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.Rule;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The members of a workspace and of its budgets: {@code /workspaces}. Resources fact sheet, section
 * 4.
 */
public final class WorkspaceTable {
  /** The member of a document that holds the budgets, which are a resource of their own. */
  public static final String BUDGETS = "budgets";

  public static final ResourceType TYPE =
      ResourceType.table()
          .required("name", json(text(1, 100)))
          .required(
              "slug", // no other workspace has it
              json(
                  matching(
                      Pattern.compile("(?=.{1,50}$)[a-z0-9]+(?:-[a-z0-9]+)*"),
                      "must be 1 to 50 of a-z 0-9, in words joined by -")))
          .clearable("description", json(text(1, 500)))
          .clearable("default_text_model", json(text(1, 200)))
          .clearable("default_image_model", json(text(1, 200)))
          .clearable(
              "default_provider_sort", json(wordAmong("price", "throughput", "latency", "exacto")))
          .optional("is_observability_io_logging_enabled", JSON_FLAG, Json.FALSE)
          .optional("is_observability_broadcast_enabled", JSON_FLAG, Json.TRUE)
          .internal(BUDGETS)
          .build();

  private static final Rule<Usd[]> BUDGET =
      MemberTable.<Usd[]>table()
          .required("limit_usd", ResourceRules.LIMIT, (draft, limit) -> draft[0] = limit)
          .as(() -> new Usd[] {Usd.ZERO}, draft -> draft);

  private WorkspaceTable() {}

  /**
   * Reads the body that sets a budget.
   *
   * @return null when a problem was noted
   */
  public static @Nullable Usd budget(Json.Obj body, Problems problems) {
    Usd[] limit = BUDGET.read(body, new DecodingContext(problems));
    return limit == null ? null : limit[0];
  }
}
