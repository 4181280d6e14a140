package io.strowger.core.resource;

import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.resource.ResourceRules.FLAG;
import static io.strowger.core.resource.ResourceRules.LIMIT;
import static io.strowger.core.resource.ResourceRules.RESET;
import static io.strowger.core.resource.ResourceRules.TIMESTAMP;
import static io.strowger.core.resource.ResourceRules.change;
import static io.strowger.core.resource.ResourceRules.changeOrClear;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Rules;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.Period;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads what makes and changes a key. Contract: "POST /keys", "PATCH /keys/{hash}"; resources fact
 * sheet, section 3. Members nobody knows are ignored. Immutable, safe on any thread.
 */
public final class KeyDecoder {
  /** What a change is told that changes nothing. */
  public static final String NOTHING_TO_UPDATE = "No update fields provided";

  /** A week, in seconds: longer than any roll-out, and two secrets are twice the risk. */
  private static final long LONGEST_OVERLAP = 604_800;

  private static final List<String> UPDATABLE =
      List.of("name", "disabled", "limit", "limit_reset", "include_byok_in_limit");

  private static final Rule<ExternalUser> EXTERNAL =
      MemberTable.<ExternalDraft>table()
          .required("user", ExternalRules.USER, (draft, user) -> draft.user = user)
          .optional("api_key", ExternalRules.API_KEY.secret(), (draft, key) -> draft.apiKey = key)
          .build()
          .as(ExternalDraft::new, ExternalDraft::finish);

  private static final Rule<KeyCreate> CREATE =
      MemberTable.<CreateDraft>table()
          .required("name", name(), (draft, name) -> draft.name = name)
          .optional("creator_user_id", name(), (draft, user) -> draft.creatorUserId = user)
          .optional("expires_at", TIMESTAMP, (draft, at) -> draft.expiresAt = at)
          .optional("external", EXTERNAL, (draft, external) -> draft.external = external)
          .optional("include_byok_in_limit", FLAG, (draft, flag) -> draft.includeByok = flag)
          .optional("limit", LIMIT.orNull(), (draft, limit) -> draft.limit = limit)
          .optional("limit_reset", RESET, (draft, reset) -> draft.reset = reset)
          .optional("management", FLAG, (draft, flag) -> draft.management = flag)
          .optional("workspace_id", string(), (draft, id) -> draft.workspaceId = id.text())
          .build()
          .as(CreateDraft::new, CreateDraft::finish);

  private static final Rule<Duration> ROTATE =
      MemberTable.<RotateDraft>table()
          .optional(
              "overlap_seconds",
              Rules.integer(0, LONGEST_OVERLAP),
              (draft, seconds) -> draft.overlap = Duration.ofSeconds(seconds))
          .build()
          .as(RotateDraft::new, RotateDraft::finish);

  private static final Rule<KeyUpdate> UPDATE =
      MemberTable.<UpdateDraft>table()
          .optional("disabled", change(FLAG), (draft, flag) -> draft.disabled = flag)
          .optional(
              "include_byok_in_limit", change(FLAG), (draft, flag) -> draft.includeByok = flag)
          .optional("limit", changeOrClear(LIMIT), (draft, limit) -> draft.limit = limit)
          .optional("limit_reset", change(RESET), (draft, reset) -> draft.reset = reset)
          .optional("name", change(name()), (draft, name) -> draft.name = name)
          .build()
          .as(UpdateDraft::new, UpdateDraft::finish);

  /**
   * Reads the body that makes a key. A limit of null is no limit, as in the key itself.
   *
   * @return null when a problem was noted
   */
  public @Nullable KeyCreate create(Json.Obj body, Problems problems) {
    return CREATE.read(body, new DecodingContext(problems));
  }

  /**
   * Reads the body that rotates a key; an empty one is as good as one that says nothing.
   *
   * @return how long the former plaintext is still good; null when a problem was noted
   */
  public @Nullable Duration rotate(Json.Obj body, Problems problems) {
    return ROTATE.read(body, new DecodingContext(problems));
  }

  /**
   * Reads the body that changes a key.
   *
   * @return null when a problem was noted
   * @throws io.strowger.spi.error.GatewayException 400 with {@link #NOTHING_TO_UPDATE} and nothing
   *     else when the body has none of the five members
   */
  public @Nullable KeyUpdate update(Json.Obj body, Problems problems) {
    if (UPDATABLE.stream().noneMatch(body::has)) {
      throw GatewayError.of(ErrorCode.INVALID_REQUEST, NOTHING_TO_UPDATE).toException();
    }
    return UPDATE.read(body, new DecodingContext(problems));
  }

  private static final class ExternalDraft {
    private String user = "";
    private @Nullable Credential apiKey;

    ExternalUser finish() {
      return new ExternalUser(user, apiKey);
    }
  }

  private static final class CreateDraft {
    private String name = "";
    private @Nullable String creatorUserId;
    private @Nullable Instant expiresAt;
    private @Nullable ExternalUser external;
    private boolean includeByok;
    private @Nullable Usd limit;
    private Period reset = Period.LIFETIME;
    private @Nullable String workspaceId;
    private boolean management;

    KeyCreate finish() {
      var spending = new KeyLimit(limit, reset, includeByok);
      return new KeyCreate(
          name, creatorUserId, expiresAt, external, spending, workspaceId, management);
    }
  }

  private static final class RotateDraft {
    private Duration overlap = Duration.ZERO;

    Duration finish() {
      return overlap;
    }
  }

  private static final class UpdateDraft {
    private Patch<String> name = Patch.absent();
    private Patch<Boolean> disabled = Patch.absent();
    private Patch<Usd> limit = Patch.absent();
    private Patch<Period> reset = Patch.absent();
    private Patch<Boolean> includeByok = Patch.absent();

    KeyUpdate finish() {
      return new KeyUpdate(name, disabled, limit, reset, includeByok);
    }
  }
}
