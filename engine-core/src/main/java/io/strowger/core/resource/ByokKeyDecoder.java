package io.strowger.core.resource;

import static io.strowger.core.decode.Rules.integer;
import static io.strowger.core.decode.Rules.list;
import static io.strowger.core.decode.Rules.matching;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.decode.Rules.text;
import static io.strowger.core.resource.ResourceRules.FLAG;
import static io.strowger.core.resource.ResourceRules.change;
import static io.strowger.core.resource.ResourceRules.changeOrClear;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.Rule;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Credential;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bodies that create and update a customer's own provider key: {@code /byok}. Routing
 * fact sheet, section 8. Unknown members are ignored. The key is never included in a problem.
 * Immutable, safe on any thread.
 */
public final class ByokKeyDecoder {
  private static final int MOST_RESTRICTIONS = 100;

  private static final Rule<Credential> KEY =
      matching(
              Pattern.compile("[!-~]{1,8192}"),
              "must be printable ASCII without blanks, 1 to 8192 characters")
          .<Credential>to(Credential::new)
          .secret();

  private static final Rule<List<String>> NAMES = list(text(1, 256), 1, MOST_RESTRICTIONS);

  private static final Rule<List<String>> HASHES =
      list(
          matching(
              Pattern.compile("[0-9a-f]{64}"),
              "must be the hash of a key, 64 lower-case hex digits"),
          1,
          MOST_RESTRICTIONS);

  private static final Rule<Integer> ORDER = integer(0, 1_000_000).to(Math::toIntExact);

  private static final Rule<Draft> CREATE =
      changes()
          .required("provider", text(1, 200), (draft, slug) -> draft.provider = slug)
          .required("key", KEY, (draft, key) -> draft.key = Patch.set(key))
          .optional("workspace_id", string().orNull(), (draft, id) -> draft.workspace = id.text())
          .build()
          .as(Draft::new, draft -> draft);

  private static final Rule<Draft> UPDATE =
      changes()
          .optional("key", change(KEY), (draft, key) -> draft.key = key)
          .build()
          .as(Draft::new, draft -> draft);

  private static final List<String> UPDATABLE =
      List.of(
          "name",
          "disabled",
          "is_fallback",
          "sort_order",
          "always_use",
          "allowed_models",
          "allowed_api_key_hashes",
          "allowed_user_ids",
          "key");

  private static MemberTable.Builder<Draft> changes() {
    return MemberTable.<Draft>table()
        .optional("name", changeOrClear(text(1, 200)), (draft, name) -> draft.name = name)
        .optional("disabled", change(FLAG), (draft, flag) -> draft.disabled = flag)
        .optional("is_fallback", change(FLAG), (draft, flag) -> draft.fallback = flag)
        .optional("sort_order", change(ORDER), (draft, order) -> draft.sortOrder = order)
        .optional("always_use", change(FLAG), (draft, flag) -> draft.alwaysUse = flag)
        .optional("allowed_models", changeOrClear(NAMES), (draft, list) -> draft.models = list)
        .optional(
            "allowed_api_key_hashes", changeOrClear(HASHES), (draft, list) -> draft.keys = list)
        .optional("allowed_user_ids", changeOrClear(NAMES), (draft, list) -> draft.users = list);
  }

  /**
   * Reads the body that creates a key.
   *
   * @return null when a problem was noted
   */
  public @Nullable ByokKeyCreate create(Json.Obj body, Problems problems) {
    Draft draft = CREATE.read(body, new DecodingContext(problems));
    if (draft == null || !(draft.key instanceof Patch.Set<Credential>(Credential key))) {
      return null;
    }
    boolean everywhere = body.get("workspace_id") instanceof Json.Null;
    return new ByokKeyCreate(
        draft.provider, key, draft.workspace, everywhere, draft.fields().over(ByokKeyFields.USUAL));
  }

  /**
   * Reads the body that updates a key.
   *
   * @return null when a problem was noted
   * @throws io.strowger.spi.error.GatewayException 400 when the body changes nothing
   */
  public @Nullable ByokKeyUpdate update(Json.Obj body, Problems problems) {
    if (UPDATABLE.stream().noneMatch(body::has)) {
      throw GatewayError.of(ErrorCode.INVALID_REQUEST, KeyDecoder.NOTHING_TO_UPDATE).toException();
    }
    Draft draft = UPDATE.read(body, new DecodingContext(problems));
    return draft == null ? null : new ByokKeyUpdate(draft.key, draft.fields());
  }

  private static final class Draft {
    private String provider = "";
    private Patch<Credential> key = Patch.absent();
    private @Nullable String workspace;
    private Patch<String> name = Patch.absent();
    private Patch<Boolean> disabled = Patch.absent();
    private Patch<Boolean> fallback = Patch.absent();
    private Patch<Integer> sortOrder = Patch.absent();
    private Patch<Boolean> alwaysUse = Patch.absent();
    private Patch<List<String>> models = Patch.absent();
    private Patch<List<String>> keys = Patch.absent();
    private Patch<List<String>> users = Patch.absent();

    ByokKeyFields.Change fields() {
      return new ByokKeyFields.Change(
          name, disabled, fallback, sortOrder, alwaysUse, models, keys, users);
    }
  }
}
