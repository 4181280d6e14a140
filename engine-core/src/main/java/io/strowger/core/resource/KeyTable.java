package io.strowger.core.resource;

import static io.strowger.core.decode.MemberTable.members;
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
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.KeyId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The members of an API key: {@code /keys}. Contract: "POST /keys", "PATCH /keys/{hash}"; resources
 * fact sheet, section 3. The API also shows what a key has spent, which does not come from this
 * table.
 */
public final class KeyTable {
  /**
   * One week, in seconds. That is enough for any roll-out, and bounds the time in which two secrets
   * are valid.
   */
  private static final long MAX_OVERLAP_SECONDS = 604_800;

  private static final int MAX_USER_CHARS = 512;
  private static final int MIN_KEY_CHARS = 32;
  private static final int MIN_DISTINCT_CHARS = 8;

  /** A user's name, trimmed. */
  private static final Rule<String> EXTERNAL_USER =
      Rules.string()
          .to(
              KeyTable::externalUser,
              "must be a string of 1 to 512 characters after trimming, well-formed and without"
                  + " NUL");

  /**
   * A partner's key, which is looked up by its digest: it must have exactly one spelling and be
   * hard to guess. A random key of hex or even decimal digits has more than eight different
   * characters; a short word that is repeated does not.
   */
  private static final Rule<Credential> EXTERNAL_KEY =
      Rules.string()
          .to(
              KeyTable::externalKey,
              "must be a string of at least 32 characters, 8 of them different, well-formed and"
                  + " without NUL");

  /**
   * The owner at a partner. Only the digest of the partner's key is stored; it is used for
   * look-ups.
   */
  private static final Rule<Json> EXTERNAL =
      MemberTable.<Map<String, String>>table()
          .required("user", EXTERNAL_USER, (draft, user) -> draft.put("user", user))
          .optional(
              "api_key",
              EXTERNAL_KEY.secret(),
              (draft, key) -> draft.put("api_key", KeyId.of(Sha256.of(key.reveal())).hex()))
          .as(
              HashMap::new,
              draft ->
                  Json.object()
                      .put("user", draft.getOrDefault("user", ""))
                      .putOrNull("api_key_sha256", draft.get("api_key"))
                      .build());

  public static final ResourceType TYPE =
      ResourceType.table()
          .generated("label", Json.of("***"))
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
          .redactedInAudit("external")
          .internal("identity", "former", "file")
          .build();

  private static final Rule<Duration> ROTATE =
      members()
          .optional("overlap_seconds", Rules.integer(0, MAX_OVERLAP_SECONDS))
          .as(body -> Duration.ofSeconds(body.longValue("overlap_seconds", 0)));

  private KeyTable() {}

  /**
   * Reads the body that rotates a key; it may be empty, for no overlap.
   *
   * @return how long the former plaintext stays valid; null when a problem was noted
   */
  public static @Nullable Duration rotate(Json.Obj body, Problems problems) {
    return ROTATE.read(body, new DecodingContext(problems));
  }

  private static @Nullable String externalUser(Json.Str value) {
    String text = trim(value.text());
    boolean hasAllowedLength =
        !text.isEmpty() && text.codePointCount(0, text.length()) <= MAX_USER_CHARS;
    return hasAllowedLength && isWellFormed(text) ? text : null;
  }

  private static @Nullable Credential externalKey(Json.Str value) {
    String text = value.text();
    boolean isStrong =
        text.codePointCount(0, text.length()) >= MIN_KEY_CHARS
            && text.codePoints().distinct().limit(MIN_DISTINCT_CHARS).count() == MIN_DISTINCT_CHARS;
    return isStrong && isWellFormed(text) ? new Credential(text) : null;
  }

  /** Returns whether text has no lone surrogate, which UTF-8 cannot encode, and no NUL. */
  private static boolean isWellFormed(String text) {
    return text.codePoints()
        .noneMatch(c -> c == 0 || c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
  }

  private static String trim(String text) {
    int start = 0;
    int end = text.length();
    while (start < end && isBlank(text.charAt(start))) {
      start++;
    }
    while (end > start && isBlank(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(start, end);
  }

  private static boolean isBlank(char c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c) || c == '\uFEFF';
  }
}
