package io.strowger.core.resource;

import io.strowger.core.authentication.Authenticator;
import io.strowger.core.resource.ResourceWords.BrokenBody;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Credential;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.jspecify.annotations.Nullable;

/** Generates bodies of keys: valid ones, and ones that break one rule. */
public final class KeyBodies {
  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

  private KeyBodies() {}

  /** Generates bodies that create a key. */
  public static Arbitrary<Json.Obj> creates() {
    Arbitrary<Json.Obj> identities =
        Combinators.combine(
                texts(), texts().injectNull(0.5), instants().injectNull(0.5), externals())
            .as(
                (name, creator, expires, external) -> {
                  Json.Obj.Builder body = Json.object().put("name", name);
                  putText(body, "creator_user_id", creator);
                  putText(body, "expires_at", expires == null ? null : expires.toString());
                  return body.putAll(external).build();
                });
    return Combinators.combine(
            identities, amounts(), resets(), Arbitraries.of(true, false), Arbitraries.strings())
        .as(
            (body, limit, reset, includes, workspace) ->
                body.with("limit", limit)
                    .with("limit_reset", reset)
                    .with("include_byok_in_limit", Json.of(includes))
                    .with("workspace_id", Json.of(workspace)));
  }

  /** Generates bodies that change a key, with at least one member, as the API requires. */
  public static Arbitrary<Json.Obj> updates() {
    Arbitrary<Json> flags = Arbitraries.of(Json.TRUE, Json.FALSE);
    return Combinators.combine(
            texts().map(Json::of).map(Json.class::cast).injectNull(0.5),
            flags.injectNull(0.5),
            amounts().injectNull(0.5),
            resets().injectNull(0.5),
            flags.injectNull(0.5))
        .as(
            (name, disabled, limit, reset, includes) -> {
              Json.Obj.Builder body = Json.object();
              putJson(body, "name", name);
              putJson(body, "limit", limit);
              putJson(body, "limit_reset", reset);
              putJson(body, "include_byok_in_limit", includes);
              putJson(body, "disabled", disabled);
              return body.build();
            })
        .filter(body -> body.size() > 0);
  }

  /** Returns what is stored for a body that creates a key. */
  public static Json.Obj stored(Json.Obj body) {
    Json.Obj.Builder stored = Json.object().put("label", "***").put("management", false);
    putText(stored, "creator_user_id", body.text("creator_user_id"));
    Json.Obj external = body.object("external");
    if (external != null) {
      String secret = external.text("api_key");
      stored.put(
          "external",
          Json.object()
              .put("user", Objects.requireNonNull(external.text("user")))
              .putOrNull(
                  "api_key_sha256",
                  secret == null ? null : Authenticator.id(new Credential(secret)).hex())
              .build());
    }
    putText(stored, "expires_at", body.text("expires_at"));
    for (String name : List.of("name", "limit", "limit_reset", "include_byok_in_limit")) {
      putJson(stored, name, body.get(name));
    }
    return changed(stored.build());
  }

  /** Returns the members that are set by a body that changes a key. */
  public static Json.Obj changed(Json.Obj body) {
    return body.get("limit_reset") instanceof Json.Null
        ? body.with("limit_reset", Json.of("lifetime"))
        : body;
  }

  /** Returns bodies for creating a key that each break one rule. */
  public static List<BrokenBody> brokenCreates(Json.Obj good) {
    var broken = new ArrayList<BrokenBody>();
    broken.add(new BrokenBody("/name", good.without("name")));
    addBroken(broken, good, "name", Json.NULL, Json.of(""), Json.of(1), Json.array());
    addBroken(broken, good, "creator_user_id", Json.NULL, Json.of(""), Json.of(1));
    addBroken(broken, good, "expires_at", Json.NULL, Json.of(1), Json.of("2026-11-21T10:00Z"));
    addBroken(broken, good, "expires_at", Json.of("2026-11-21T10:00:00+01:00"));
    addBroken(broken, good, "external", Json.NULL, Json.of("u"), Json.array());
    addBroken(broken, good, "include_byok_in_limit", Json.NULL, Json.of(0), Json.of("true"));
    addBroken(broken, good, "limit", Json.of("5"), Json.of(-1), Json.of(new BigDecimal("1e-10")));
    addBroken(broken, good, "limit_reset", Json.of("yearly"), Json.of("DAILY"), Json.of(1));
    addBroken(broken, good, "workspace_id", Json.NULL, Json.of(1));
    Json.Obj user = Json.object().put("user", "u").build();
    addBrokenExternal(
        broken, good, "/external/user", Json.Obj.EMPTY, user.with("user", Json.of(" ")));
    addBrokenExternal(
        broken, good, "/external/api_key", user.with("api_key", Json.of("x".repeat(40))));
    return broken;
  }

  /** Returns bodies for changing a key that each break one rule. */
  public static List<BrokenBody> brokenUpdates(Json.Obj good) {
    var broken = new ArrayList<BrokenBody>();
    addBroken(broken, good, "name", Json.NULL, Json.of(""), Json.of(1));
    addBroken(broken, good, "disabled", Json.NULL, Json.of("true"));
    addBroken(broken, good, "include_byok_in_limit", Json.NULL, Json.of(1));
    addBroken(broken, good, "limit", Json.of("5"), Json.of(-1), Json.of(9_000_000_001L));
    addBroken(broken, good, "limit_reset", Json.of("never"), Json.FALSE);
    return broken;
  }

  private static void addBroken(
      List<BrokenBody> broken, Json.Obj good, String name, Json... values) {
    for (Json value : values) {
      broken.add(new BrokenBody("/" + name, good.with(name, value)));
    }
  }

  private static void addBrokenExternal(
      List<BrokenBody> broken, Json.Obj good, String pointer, Json... externals) {
    for (Json external : externals) {
      broken.add(new BrokenBody(pointer, good.with("external", external)));
    }
  }

  private static void putText(Json.Obj.Builder body, String name, @Nullable String text) {
    if (text != null) {
      body.put(name, text);
    }
  }

  private static void putJson(Json.Obj.Builder body, String name, @Nullable Json value) {
    if (value != null) {
      body.put(name, value);
    }
  }

  static Arbitrary<String> texts() {
    return Arbitraries.strings().ofMinLength(1).ofMaxLength(20);
  }

  private static Arbitrary<Instant> instants() {
    Arbitrary<Long> seconds =
        Arbitraries.longs().between(FIRST.getEpochSecond(), LAST.getEpochSecond());
    return Combinators.combine(seconds, Arbitraries.integers().between(0, 999_999_999))
        .as(Instant::ofEpochSecond);
  }

  /** Generates objects with the member {@code external}, and empty ones. */
  private static Arbitrary<Json.Obj> externals() {
    Arbitrary<String> users =
        Arbitraries.strings().withChars("ab-\u00e9\u20ac").ofMinLength(1).ofMaxLength(512);
    Arbitrary<String> keys =
        Arbitraries.strings()
            .withCharRange('a', 'z')
            .ofMinLength(24)
            .ofMaxLength(40)
            .map(text -> "ABCDEFGH" + text);
    return Combinators.combine(users.injectNull(0.5), keys.injectNull(0.5))
        .as(
            (user, key) -> {
              if (user == null) {
                return Json.Obj.EMPTY;
              }
              Json.Obj.Builder external = Json.object().put("user", user);
              putText(external, "api_key", key);
              return Json.object().put("external", external.build()).build();
            });
  }

  private static Arbitrary<Json> amounts() {
    Arbitrary<Json> some =
        Arbitraries.longs()
            .between(0, 9_000_000_000_000_000_000L)
            .map(nanos -> new Usd(nanos).json());
    return Arbitraries.oneOf(some, Arbitraries.just(Json.NULL));
  }

  private static Arbitrary<Json> resets() {
    return Arbitraries.of(Json.NULL, Json.of("daily"), Json.of("weekly"), Json.of("monthly"));
  }
}
