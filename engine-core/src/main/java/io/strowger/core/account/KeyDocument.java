package io.strowger.core.account;

import io.strowger.core.account.ApiKey.External;
import io.strowger.core.account.ApiKey.Origin;
import io.strowger.core.account.ApiKey.Setting;
import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.core.resource.KeyLimit;
import io.strowger.core.resource.Timestamps;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.KeyId;
import io.strowger.spi.store.Period;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A key as a document: its id is the hash, its group the workspace, and hidden is disabled. */
final class KeyDocument {
  private KeyDocument() {}

  static Json.Obj body(Origin origin, Setting setting) {
    Json.Obj.Builder body =
        Json.object()
            .put("label", origin.label())
            .put("management", origin.management())
            .put("creator_user_id", origin.creatorUserId());
    External external = origin.external();
    if (external != null) {
      body.put("external", body(external));
    }
    Instant expires = origin.expiresAt();
    if (expires != null) {
      body.put("expires_at", expires.toString());
    }
    return with(body.build(), setting);
  }

  private static Json.Obj body(External external) {
    KeyId apiKey = external.apiKey();
    return Json.object()
        .put("user", external.user())
        .putOrNull("api_key_sha256", apiKey == null ? null : apiKey.hex())
        .build();
  }

  /** The body with another setting. */
  static Json.Obj with(Json.Obj body, Setting setting) {
    KeyLimit limit = setting.limit();
    Usd amount = limit.amount();
    return body.with("name", Json.of(setting.name()))
        .with("limit", amount == null ? Json.NULL : Json.of(amount.dollars()))
        .with("limit_reset", Json.of(limit.reset().name().toLowerCase(Locale.ROOT)))
        .with("include_byok_in_limit", Json.of(limit.includeByok()));
  }

  static ApiKey read(Document document) {
    Json.Obj body = document.body();
    Json.Obj external = body.object("external");
    String expires = body.text("expires_at");
    var origin =
        new Origin(
            text(body, "label", "***"),
            Json.TRUE.equals(body.get("management")),
            document.group().isEmpty() ? DefaultWorkspace.ID : document.group(),
            text(body, "creator_user_id", Caller.DEFAULT_USER),
            external == null ? null : external(external),
            expires == null ? null : Timestamps.parse(expires));
    var setting = new Setting(text(body, "name", ""), document.hidden(), limit(body));
    return new ApiKey(
        keyId(document.id()),
        origin,
        setting,
        document.createdAt(),
        document.version() == 1 ? null : document.updatedAt());
  }

  private static KeyLimit limit(Json.Obj body) {
    return new KeyLimit(
        body.get("limit") instanceof Json.Num amount ? Usd.ofDollars(amount.decimal()) : null,
        Period.valueOf(text(body, "limit_reset", "lifetime").toUpperCase(Locale.ROOT)),
        Json.TRUE.equals(body.get("include_byok_in_limit")));
  }

  private static External external(Json.Obj external) {
    String apiKey = external.text("api_key_sha256");
    return new External(text(external, "user", ""), apiKey == null ? null : keyId(apiKey));
  }

  static KeyId keyId(String hex) {
    return KeyId.of(HexFormat.of().parseHex(hex));
  }

  private static String text(Json.Obj body, String name, String fallback) {
    String text = body.text(name);
    return text == null ? fallback : text;
  }

  /** The next version of a key's document. */
  static Document next(Document current, Instant at, Setting setting) {
    return current.next(at, with(current.body(), setting)).hide(setting.disabled());
  }

  /** A partner's key as it is kept. */
  static @Nullable External external(io.strowger.core.resource.@Nullable ExternalUser given) {
    if (given == null) {
      return null;
    }
    var apiKey = given.apiKey();
    return new External(given.user(), apiKey == null ? null : Accounts.id(apiKey));
  }
}
