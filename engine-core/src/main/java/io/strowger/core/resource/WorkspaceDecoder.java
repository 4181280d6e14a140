package io.strowger.core.resource;

import static io.strowger.core.decode.Rules.matching;
import static io.strowger.core.decode.Rules.text;
import static io.strowger.core.decode.Rules.wordAmong;
import static io.strowger.core.resource.ResourceRules.FLAG;
import static io.strowger.core.resource.ResourceRules.change;
import static io.strowger.core.resource.ResourceRules.changeOrClear;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.Rule;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads what makes and changes a workspace and its budgets. Resources fact sheet, section 4.
 * Members nobody knows are ignored. Immutable, safe on any thread.
 */
public final class WorkspaceDecoder {
  private static final Rule<String> SLUG =
      matching(
          Pattern.compile("(?=.{1,50}$)[a-z0-9]+(?:-[a-z0-9]+)*"),
          "must be 1 to 50 of a-z 0-9, in words joined by -");

  private static final Rule<String> SORT = wordAmong("price", "throughput", "latency", "exacto");

  private static final Rule<WorkspaceFields.Change> CHANGE =
      MemberTable.<Draft>table()
          .optional("name", change(text(1, 100)), (draft, name) -> draft.name = name)
          .optional("slug", change(SLUG), (draft, slug) -> draft.slug = slug)
          .optional(
              "description", changeOrClear(text(1, 500)), (draft, text) -> draft.description = text)
          .optional(
              "default_text_model",
              changeOrClear(text(1, 200)),
              (draft, model) -> draft.textModel = model)
          .optional(
              "default_image_model",
              changeOrClear(text(1, 200)),
              (draft, model) -> draft.imageModel = model)
          .optional(
              "default_provider_sort", changeOrClear(SORT), (draft, sort) -> draft.sort = sort)
          .optional(
              "is_observability_io_logging_enabled",
              change(FLAG),
              (draft, flag) -> draft.logging = flag)
          .optional(
              "is_observability_broadcast_enabled",
              change(FLAG),
              (draft, flag) -> draft.broadcast = flag)
          .build()
          .as(Draft::new, Draft::finish);

  private static final List<String> UPDATABLE =
      List.of(
          "name",
          "slug",
          "description",
          "default_text_model",
          "default_image_model",
          "default_provider_sort",
          "is_observability_io_logging_enabled",
          "is_observability_broadcast_enabled");

  private static final Rule<Usd[]> BUDGET =
      MemberTable.<Usd[]>table()
          .required("limit_usd", ResourceRules.LIMIT, (draft, limit) -> draft[0] = limit)
          .build()
          .as(() -> new Usd[] {Usd.ZERO}, draft -> draft);

  /**
   * Reads the body that makes a workspace.
   *
   * @return null when a problem was noted
   */
  public @Nullable WorkspaceFields create(Json.Obj body, Problems problems) {
    var context = new DecodingContext(problems);
    WorkspaceFields.Change change = CHANGE.read(body, context);
    for (String required : List.of("name", "slug")) {
      if (!body.has(required)) {
        context.missing(required);
      }
    }
    return change == null || !problems.isEmpty()
        ? null
        : change.over(new WorkspaceFields("", "", null, null, null, null, false, true));
  }

  /**
   * Reads the body that changes a workspace.
   *
   * @return null when a problem was noted
   * @throws io.strowger.spi.error.GatewayException 400 when the body changes nothing
   */
  public WorkspaceFields.@Nullable Change update(Json.Obj body, Problems problems) {
    if (UPDATABLE.stream().noneMatch(body::has)) {
      throw GatewayError.of(ErrorCode.INVALID_REQUEST, KeyDecoder.NOTHING_TO_UPDATE).toException();
    }
    return CHANGE.read(body, new DecodingContext(problems));
  }

  /**
   * Reads the body that sets a budget.
   *
   * @return null when a problem was noted
   */
  public @Nullable Usd budget(Json.Obj body, Problems problems) {
    Usd[] limit = BUDGET.read(body, new DecodingContext(problems));
    return limit == null ? null : limit[0];
  }

  private static final class Draft {
    private Patch<String> name = Patch.absent();
    private Patch<String> slug = Patch.absent();
    private Patch<String> description = Patch.absent();
    private Patch<String> textModel = Patch.absent();
    private Patch<String> imageModel = Patch.absent();
    private Patch<String> sort = Patch.absent();
    private Patch<Boolean> logging = Patch.absent();
    private Patch<Boolean> broadcast = Patch.absent();

    WorkspaceFields.Change finish() {
      return new WorkspaceFields.Change(
          name, slug, description, textModel, imageModel, sort, logging, broadcast);
    }
  }
}
