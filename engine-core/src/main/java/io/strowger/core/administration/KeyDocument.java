package io.strowger.core.administration;

import io.strowger.core.authentication.ApiKey;
import io.strowger.core.authentication.ApiKey.External;
import io.strowger.core.authentication.ApiKey.Origin;
import io.strowger.core.authentication.ApiKey.Setting;
import io.strowger.core.authentication.Caller;
import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.core.resource.KeyLimit;
import io.strowger.core.resource.KeyTable;
import io.strowger.core.resource.ResourceType.Values;
import io.strowger.core.resource.Timestamps;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.KeyId;
import io.strowger.spi.store.Period;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * Converts keys to and from documents. In a document, the id is the hash of the current plaintext,
 * the group is the workspace, and hidden means disabled. The body of a rotated key has the key's
 * own id (its identity) and the hashes of former plaintexts.
 */
final class KeyDocument {
  private static final String IDENTITY = "identity";
  private static final String FORMER_HASHES = "former";

  /** Whether the configuration file decides if the key is enabled. */
  private static final String MANAGED_BY_FILE = "file";

  /**
   * The most former hashes that are kept; no key is rotated this often within the longest overlap.
   */
  private static final int MAX_FORMER_HASHES = 100;

  private KeyDocument() {}

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
    String identity = body.text(IDENTITY);
    return new ApiKey(
        keyId(identity == null ? document.id() : identity),
        new ApiKey.Secrets(keyId(document.id()), former(body)),
        origin,
        setting,
        document.createdAt(),
        document.version() == 1 && identity == null ? null : document.updatedAt());
  }

  private static List<ApiKey.FormerHash> former(Json.Obj body) {
    Json.Arr list = body.list(FORMER_HASHES);
    var formerHashes = new ArrayList<ApiKey.FormerHash>();
    for (int i = 0; list != null && i < list.size(); i++) {
      if (list.get(i) instanceof Json.Obj item
          && item.text("hash") instanceof String hash
          && item.text("until") instanceof String until) {
        formerHashes.add(new ApiKey.FormerHash(keyId(hash), Instant.parse(until)));
      }
    }
    return formerHashes;
  }

  /**
   * Returns the document of the same key with another plaintext.
   *
   * @param until when its earlier plaintexts become invalid, at the latest
   */
  static Document rotated(Document current, KeyId hash, String label, Instant at, Instant until) {
    ApiKey before = read(current);
    var formerHashes = new ArrayList<Json>();
    formerHashes.add(former(before.hash(), until));
    for (ApiKey.FormerHash formerHash : before.secrets().formerHashes()) {
      if (formerHashes.size() < MAX_FORMER_HASHES) {
        formerHashes.add(
            former(
                formerHash.hash(),
                formerHash.until().isBefore(until) ? formerHash.until() : until));
      }
    }
    Json.Obj body =
        current
            .body()
            .with("label", Json.of(label))
            .with(IDENTITY, Json.of(before.id().hex()))
            .with(FORMER_HASHES, Json.array(formerHashes))
            .with(MANAGED_BY_FILE, Json.FALSE);
    return new Document(
        current.kind(),
        hash.hex(),
        current.group(),
        current.hidden(),
        1,
        current.createdAt(),
        at,
        body);
  }

  private static Json former(KeyId hash, Instant until) {
    return Json.object().put("hash", hash.hex()).put("until", until.toString()).build();
  }

  /** Returns the body of a key that the configuration file enables and disables. */
  static Json.Obj markManagedByFile(Json.Obj body) {
    return body.with(MANAGED_BY_FILE, Json.TRUE);
  }

  /** Returns the body of a key that the configuration file does not enable or disable. */
  static Json.Obj markManagedOverHttp(Json.Obj body) {
    return body.with(MANAGED_BY_FILE, Json.FALSE);
  }

  /**
   * Returns whether the configuration file decides if a key it made is enabled. The file decides
   * until the key is changed over HTTP. A key from an earlier release has no flag for this: the
   * file decides while its version is 1.
   */
  static boolean isManagedByFile(Document document) {
    Json flag = document.body().get(MANAGED_BY_FILE);
    return flag == null ? document.version() == 1 : Json.TRUE.equals(flag);
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

  /** Returns the next version of a key. The file no longer enables or disables a changed key. */
  static Document next(Document current, Instant at, Values change) {
    Document next = KeyTable.TYPE.next(current, at, change);
    boolean isUnchanged = next.hidden() == current.hidden() && next.body().equals(current.body());
    return isUnchanged
        ? current
        : current.next(at, markManagedOverHttp(next.body())).withHidden(next.hidden());
  }

  /** Returns the next version of a key that the configuration file enables or disables. */
  static Document withEnabled(Document current, Instant at, boolean enabled) {
    return current.next(at, markManagedByFile(current.body())).withHidden(!enabled);
  }
}
