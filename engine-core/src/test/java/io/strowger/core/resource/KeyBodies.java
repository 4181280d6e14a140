package io.strowger.core.resource;

import io.strowger.core.resource.ResourceWords.Broken;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.Period;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.jspecify.annotations.Nullable;

/** Makes the bodies of keys, good ones and such as break one rule. */
public final class KeyBodies {
  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

  private KeyBodies() {}

  public static Arbitrary<KeyCreate> creates() {
    return Combinators.combine(
            texts(),
            texts().injectNull(0.5),
            instants().injectNull(0.5),
            externals().injectNull(0.5),
            limits(),
            Arbitraries.strings().injectNull(0.5))
        .as(KeyCreate::new);
  }

  /** With at least one member, as the wire wants it. */
  public static Arbitrary<KeyUpdate> updates() {
    return Combinators.combine(
            changes(texts()),
            changes(Arbitraries.of(true, false)),
            changesOrClear(amounts()),
            changes(Arbitraries.of(Period.class)),
            changes(Arbitraries.of(true, false)))
        .as(KeyUpdate::new)
        .filter(update -> document(update).size() > 0);
  }

  public static Json.Obj document(KeyCreate key) {
    Json.Obj.Builder body = Json.object().put("name", key.name());
    putText(body, "creator_user_id", key.creatorUserId());
    Instant expires = key.expiresAt();
    putText(body, "expires_at", expires == null ? null : expires.toString());
    ExternalUser external = key.external();
    if (external != null) {
      Json.Obj.Builder member = Json.object().put("user", external.user());
      Credential secret = external.apiKey();
      putText(member, "api_key", secret == null ? null : secret.reveal());
      body.put("external", member.build());
    }
    Usd amount = key.limit().amount();
    body.put("limit", amount == null ? Json.NULL : Json.of(amount.dollars()));
    body.put("limit_reset", json(key.limit().reset()));
    body.put("include_byok_in_limit", key.limit().includeByok());
    putText(body, "workspace_id", key.workspaceId());
    return body.build();
  }

  public static Json.Obj document(KeyUpdate update) {
    Json.Obj.Builder body = Json.object();
    put(body, "name", update.name(), Json::of);
    put(body, "disabled", update.disabled(), Json::of);
    put(body, "limit", update.limit(), amount -> Json.of(amount.dollars()));
    put(body, "limit_reset", update.limitReset(), KeyBodies::json);
    put(body, "include_byok_in_limit", update.includeByokInLimit(), Json::of);
    return body.build();
  }

  /** Every way to break one rule of a body that is good. */
  public static List<Broken> brokenCreates(Json.Obj good) {
    var broken = new ArrayList<Broken>();
    broken.add(new Broken("/name", good.without("name")));
    spoil(broken, good, "name", Json.NULL, Json.of(""), Json.of(1), Json.array());
    spoil(broken, good, "creator_user_id", Json.NULL, Json.of(""), Json.of(1));
    spoil(broken, good, "expires_at", Json.NULL, Json.of(1), Json.of("2026-11-21T10:00Z"));
    spoil(broken, good, "expires_at", Json.of("2026-11-21T10:00:00+01:00"));
    spoil(broken, good, "external", Json.NULL, Json.of("u"), Json.array());
    spoil(broken, good, "include_byok_in_limit", Json.NULL, Json.of(0), Json.of("true"));
    spoil(broken, good, "limit", Json.of("5"), Json.of(-1), Json.of(new BigDecimal("1e-10")));
    spoil(broken, good, "limit_reset", Json.of("yearly"), Json.of("DAILY"), Json.of(1));
    spoil(broken, good, "workspace_id", Json.NULL, Json.of(1));
    Json.Obj user = Json.object().put("user", "u").build();
    nested(broken, good, "/external/user", Json.Obj.EMPTY, user.with("user", Json.of(" ")));
    nested(broken, good, "/external/api_key", user.with("api_key", Json.of("x".repeat(40))));
    return broken;
  }

  /** Every way to break one rule of a change that is good. */
  public static List<Broken> brokenUpdates(Json.Obj good) {
    var broken = new ArrayList<Broken>();
    spoil(broken, good, "name", Json.NULL, Json.of(""), Json.of(1));
    spoil(broken, good, "disabled", Json.NULL, Json.of("true"));
    spoil(broken, good, "include_byok_in_limit", Json.NULL, Json.of(1));
    spoil(broken, good, "limit", Json.of("5"), Json.of(-1), Json.of(9_000_000_001L));
    spoil(broken, good, "limit_reset", Json.of("never"), Json.FALSE);
    return broken;
  }

  private static void spoil(List<Broken> broken, Json.Obj good, String name, Json... values) {
    for (Json value : values) {
      broken.add(new Broken("/" + name, good.with(name, value)));
    }
  }

  private static void nested(
      List<Broken> broken, Json.Obj good, String pointer, Json... externals) {
    for (Json external : externals) {
      broken.add(new Broken(pointer, good.with("external", external)));
    }
  }

  private static Json json(Period reset) {
    return reset == Period.LIFETIME ? Json.NULL : Json.of(reset.name().toLowerCase(Locale.ROOT));
  }

  private static void putText(Json.Obj.Builder body, String name, @Nullable String text) {
    if (text != null) {
      body.put(name, text);
    }
  }

  static <T> void put(Json.Obj.Builder body, String name, Patch<T> patch, Function<T, Json> json) {
    switch (patch) {
      case Patch.Absent<T> absent -> {}
      case Patch.Clear<T> clear -> body.put(name, Json.NULL);
      case Patch.Set<T>(T value) -> body.put(name, json.apply(value));
    }
  }

  static <T> Arbitrary<Patch<T>> changes(Arbitrary<T> values) {
    Arbitrary<Patch<T>> absent = Arbitraries.just(Patch.<T>absent());
    Arbitrary<Patch<T>> set = values.map(Patch::set);
    return Arbitraries.oneOf(absent, set);
  }

  static <T> Arbitrary<Patch<T>> changesOrClear(Arbitrary<T> values) {
    Arbitrary<Patch<T>> clear = Arbitraries.just(Patch.<T>clear());
    return Arbitraries.oneOf(changes(values), clear);
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

  private static Arbitrary<ExternalUser> externals() {
    Arbitrary<String> users =
        Arbitraries.strings().withChars("ab-\u00e9\u20ac").ofMinLength(1).ofMaxLength(512);
    Arbitrary<Credential> keys =
        Arbitraries.strings()
            .withCharRange('a', 'z')
            .ofMinLength(24)
            .ofMaxLength(40)
            .map(text -> new Credential("ABCDEFGH" + text));
    return Combinators.combine(users, keys.injectNull(0.5)).as(ExternalUser::new);
  }

  private static Arbitrary<Usd> amounts() {
    return Arbitraries.longs().between(0, 9_000_000_000_000_000_000L).map(Usd::new);
  }

  private static Arbitrary<KeyLimit> limits() {
    return Combinators.combine(
            amounts().injectNull(0.3), Arbitraries.of(Period.class), Arbitraries.of(true, false))
        .as(KeyLimit::new);
  }
}
