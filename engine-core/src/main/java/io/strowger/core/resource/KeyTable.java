package io.strowger.core.resource;

import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.string;
import static io.strowger.core.resource.ResourceRules.JSON_FLAG;
import static io.strowger.core.resource.ResourceRules.LIMIT;
import static io.strowger.core.resource.ResourceRules.RESET;
import static io.strowger.core.resource.ResourceRules.TIMESTAMP;
import static io.strowger.core.resource.ResourceRules.json;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Rules;
import io.strowger.core.digest.Sha256;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.KeyId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A key: {@code /keys}. Contract: "POST /keys", "PATCH /keys/{hash}"; resources fact sheet, section
 * 3. What is shown also tells what the key spent, so it is not made from the table alone.
 */
public final class KeyTable {
  /** A week, in seconds: longer than any roll-out, and two secrets are twice the risk. */
  private static final long LONGEST_OVERLAP = 604_800;

  /** Kept is the digest of the partner's key, by which the partner finds the key again. */
  private static final Rule<Json> EXTERNAL =
      MemberTable.<Map<String, String>>table()
          .required("user", ExternalRules.USER, (draft, user) -> draft.put("user", user))
          .optional(
              "api_key",
              ExternalRules.API_KEY.secret(),
              (draft, key) ->
                  draft.put("api_key", KeyId.of(Sha256.of(key.reveal())).hex()))
          .build()
          .as(
              HashMap::new,
              draft ->
                  Json.object()
                      .put("user", draft.getOrDefault("user", ""))
                      .putOrNull("api_key_sha256", draft.get("api_key"))
                      .build());

  public static final ResourceType TYPE =
      ResourceType.table()
          .made("label", Json.of("***"))
          .fixed("management", JSON_FLAG, Json.FALSE) // acts on the account, asks for no inference
          .fixedIfGiven("creator_user_id", json(name())) // the caller's unless it is given
          .fixedIfGiven("external", EXTERNAL) // whom it belongs to at a partner
          .fixedIfGiven("expires_at", TIMESTAMP.<Json>to(at -> Json.of(at.toString())))
          .required("name", json(name()))
          .clearable("limit", LIMIT.to(Usd::json))
          .optional(
              "limit_reset",
              RESET.<Json>to(reset -> Json.of(reset.name().toLowerCase(Locale.ROOT))),
              Json.of("lifetime"))
          .optional("include_byok_in_limit", JSON_FLAG, Json.FALSE)
          .hidden("disabled", null, JSON_FLAG)
          .workspace(string())
          .untold("external")
          .internal("identity", "former", "file")
          .build();

  private static final Rule<Duration> ROTATE =
      MemberTable.<Duration[]>table()
          .optional(
              "overlap_seconds",
              Rules.integer(0, LONGEST_OVERLAP),
              (draft, seconds) -> draft[0] = Duration.ofSeconds(seconds))
          .build()
          .as(() -> new Duration[] {Duration.ZERO}, draft -> draft[0]);

  private KeyTable() {}

  /**
   * Reads the body that rotates a key; an empty one is as good as one that says nothing.
   *
   * @return how long the former plaintext is still good; null when a problem was noted
   */
  public static @Nullable Duration rotate(Json.Obj body, Problems problems) {
    return ROTATE.read(body, new DecodingContext(problems));
  }
}
