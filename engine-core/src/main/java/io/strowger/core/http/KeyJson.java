package io.strowger.core.http;

import io.strowger.core.authentication.ApiKey;
import io.strowger.core.money.Spending;
import io.strowger.core.resource.KeyLimit;
import io.strowger.core.resource.Timestamps;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Period;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes keys as JSON. Contract: "API key"; resources fact sheet, section 3. */
final class KeyJson {
  /** A constant for clients that read this member; no such limit is enforced. */
  private static final Json NO_RATE_LIMIT =
      Json.object()
          .put("requests", -1)
          .put("interval", "10s")
          .put("note", "This field is deprecated and safe to ignore.")
          .build();

  private KeyJson() {}

  /** Returns a key as the object of the contract. */
  static Json.Obj resource(ApiKey key, Spending spending) {
    Json.Obj.Builder out =
        Json.object()
            .put("hash", key.hash().hex())
            .put("name", key.setting().name())
            .put("label", key.origin().label())
            .put("disabled", key.setting().disabled());
    putLimit(out, key, spending);
    putUsage(out, spending);
    return out.put("created_at", Timestamps.format(key.createdAt()))
        .putOrNull("updated_at", text(key.updatedAt()))
        .putOrNull("last_used_at", text(spending.last()))
        .putOrNull("expires_at", text(key.origin().expiresAt()))
        .put("creator_user_id", key.origin().creatorUserId())
        .put("external_user", external(key.origin().external()))
        .put("workspace_id", key.origin().workspaceId())
        .build();
  }

  /**
   * Returns what {@code GET /key} shows of the caller's own key.
   *
   * @param freeTier whether the account has never had credits
   */
  static Json.Obj current(ApiKey key, Spending spending, boolean freeTier) {
    boolean management = key.origin().isManagement();
    Json.Obj.Builder out = Json.object().put("label", key.origin().label());
    putLimit(out, key, spending);
    putUsage(out, spending);
    return out.put("creator_user_id", key.origin().creatorUserId())
        .putOrNull("expires_at", text(key.origin().expiresAt()))
        .put("is_free_tier", freeTier)
        .put("is_management_key", management)
        .put("is_provisioning_key", management)
        .put("rate_limit", NO_RATE_LIMIT)
        .build();
  }

  private static void putLimit(Json.Obj.Builder out, ApiKey key, Spending spending) {
    KeyLimit limit = key.setting().limit();
    Usd amount = limit.amount();
    out.put("limit", amount == null ? Json.NULL : amount.json())
        .put("limit_remaining", amount == null ? Json.NULL : left(amount, limit, spending).json())
        .putOrNull("limit_reset", word(limit.reset()))
        .put("include_byok_in_limit", limit.includeByok());
  }

  /** Returns what is left of a limit; 0 when more than the limit was spent. */
  private static Usd left(Usd amount, KeyLimit limit, Spending spending) {
    Usd left = amount.minus(spending.in(limit.reset()).budgetAmount(limit.includeByok()));
    return Usd.ZERO.isMoreThan(left) ? Usd.ZERO : left;
  }

  private static void putUsage(Json.Obj.Builder out, Spending spending) {
    for (Period period : Period.values()) {
      out.put("usage" + suffix(period), spending.in(period).credits().json());
    }
    for (Period period : Period.values()) {
      out.put("byok_usage" + suffix(period), spending.in(period).byokCost().json());
    }
  }

  private static String suffix(Period period) {
    String word = word(period);
    return word == null ? "" : "_" + word;
  }

  /**
   * Returns a period as {@code limit_reset} spells it; null for {@link Period#LIFETIME}, which is
   * never reset.
   */
  static @Nullable String word(Period period) {
    return period == Period.LIFETIME ? null : period.name().toLowerCase(Locale.ROOT);
  }

  private static Json external(ApiKey.@Nullable External external) {
    return external == null
        ? Json.NULL
        : Json.object().put("id", Json.NULL).put("user", external.user()).build();
  }

  private static @Nullable String text(@Nullable Instant instant) {
    return instant == null ? null : Timestamps.format(instant);
  }
}
