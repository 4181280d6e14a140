package io.strowger.core.config;

import io.strowger.core.digest.Sha256;
import io.strowger.core.resource.KeyMask;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.KeyId;
import io.strowger.spi.store.Period;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code keys} and {@code byok_keys}. Keeps no plaintext of a caller's key. */
final class KeyReader {
  private static final long MAX_DOLLARS = 9_000_000_000L;
  private static final WordChoice<Period> RESETS =
      WordChoice.of(
          List.of(Period.DAILY, Period.WEEKLY, Period.MONTHLY),
          reset -> reset.name().toLowerCase(Locale.ROOT));
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
  private static final String TOKEN_RULE = "must be printable ASCII without blanks, not empty";
  private static final int MAX_RESTRICTIONS = 100;

  private final Set<String> providers;
  private final Map<KeyId, JsonPointer> places = new HashMap<>();
  private final UniqueNames byokIds = new UniqueNames();

  /**
   * @param providers the slugs of the providers in the file
   */
  KeyReader(Set<String> providers) {
    this.providers = providers;
  }

  @Nullable KeyConfig read(Section in) {
    String name = in.text("name");
    in.require("name");
    String key = in.secret("key", TOKEN_RULE, KeyReader::isKey);
    String sha256 =
        in.secret(
            "key_sha256",
            "must be the SHA-256 of the key, 64 lower-case hex digits",
            text -> HASH.matcher(text).matches());
    String source = in.has("key_sha256") ? "key_sha256" : "key";
    if (!in.has(source)) {
      in.problemWithoutValue("key", "is required, or key_sha256 in its place");
    } else if (in.has("key") && in.has("key_sha256")) {
      in.problemWithoutValue("key_sha256", "must be absent when key is given");
    }
    boolean isManagement = in.flag("management", false);
    BigDecimal limit = in.dollars("limit", 9, MAX_DOLLARS, true);
    Period reset = in.choice("limit_reset", RESETS);
    if (name == null || key == null && sha256 == null) {
      return null;
    }
    KeyId id = KeyId.of(key != null ? Sha256.of(key) : HexFormat.of().parseHex(sha256));
    JsonPointer previous = places.putIfAbsent(id, in.pointerTo(source));
    if (previous != null) {
      in.problemWithoutValue(source, "must be unique, is also at " + previous);
    }
    return new KeyConfig(
        id,
        key != null ? KeyMask.of(key) : KeyMask.HIDDEN,
        name,
        isManagement,
        limit == null ? null : Usd.ofDollars(limit),
        reset == null ? Period.LIFETIME : reset);
  }

  @Nullable ByokKey readByok(Section in) {
    String id = in.text("id");
    in.require("id");
    byokIds.check(in, "id", id);
    String provider =
        in.text("provider", "must be the slug of a provider in this file", providers::contains);
    in.require("provider");
    String key = in.secret("key", TOKEN_RULE, KeyReader::isKey);
    in.require("key");
    boolean isFallback = in.flag("is_fallback", false);
    int order = in.wholeNumber("sort_order", 0, 1_000_000, 0);
    boolean alwaysUse = in.flag("always_use", false);
    List<String> models = checkCount(in, "allowed_models", in.texts("allowed_models"));
    var use =
        new ByokKey.Use(
            isFallback,
            order,
            alwaysUse,
            models,
            new ByokKey.KeyAudience(readCallerIds(in), null, null));
    return id == null || provider == null || key == null
        ? null
        : new ByokKey(id, provider, new Credential(key), use);
  }

  private static @Nullable List<KeyId> readCallerIds(Section in) {
    var hashes =
        in.texts(
            "allowed_api_key_hashes",
            "must be the SHA-256 of a key, 64 lower-case hex digits",
            hash -> HASH.matcher(hash).matches());
    if (checkCount(in, "allowed_api_key_hashes", hashes) == null) {
      return null;
    }
    var ids = new ArrayList<KeyId>();
    for (String hash : hashes == null ? List.<String>of() : hashes) {
      ids.add(KeyId.of(HexFormat.of().parseHex(hash)));
    }
    return ids;
  }

  private static @Nullable List<String> checkCount(
      Section in, String name, @Nullable List<String> list) {
    if (list != null && list.size() > MAX_RESTRICTIONS) {
      in.problem(name, "must have at most " + MAX_RESTRICTIONS + " items");
    }
    return list;
  }

  private static boolean isKey(String text) {
    return !text.isEmpty() && ProviderReader.isToken(text);
  }
}
