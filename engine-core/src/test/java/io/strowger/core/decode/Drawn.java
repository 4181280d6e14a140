package io.strowger.core.decode;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** An object of drawn members, in a fixed order; and the words to draw them with. Immutable. */
public final class Drawn {
  private static final JacksonCodec CODEC = new JacksonCodec();

  private final Map<String, Arbitrary<Json>> always;
  private final Map<String, Arbitrary<Json>> drawn;

  private Drawn(Map<String, Arbitrary<Json>> always, Map<String, Arbitrary<Json>> drawn) {
    this.always = always;
    this.drawn = drawn;
  }

  public static Drawn object() {
    return new Drawn(Map.of(), Map.of());
  }

  /** A member every one has. */
  public Drawn always(String name, Arbitrary<? extends Json> value) {
    return with(name, value, true);
  }

  /** A member about two of three have. */
  public Drawn sometimes(String name, Arbitrary<? extends Json> value) {
    return with(name, value, false);
  }

  private Drawn with(String name, Arbitrary<? extends Json> value, boolean required) {
    var more = new LinkedHashMap<>(drawn);
    more.put(name, value.map(v -> v));
    var needed = new LinkedHashMap<>(always);
    if (required) {
      needed.put(name, value.map(v -> v));
    }
    return new Drawn(needed, more);
  }

  public Arbitrary<Json.Obj> build() {
    Arbitrary<Json.Obj.Builder> all = Arbitraries.create(Json::object);
    for (Map.Entry<String, Arbitrary<Json>> member : drawn.entrySet()) {
      double absent = always.containsKey(member.getKey()) ? 0 : 1 / 3.0;
      all =
          Combinators.combine(all, member.getValue().optional(1 - absent))
              .as(
                  (object, value) -> {
                    value.ifPresent(v -> object.put(member.getKey(), v));
                    return object;
                  });
    }
    return all.map(Json.Obj.Builder::build).withoutEdgeCases();
  }

  /** JSON with single quotes for double ones, read from its bytes. */
  public static Json json(String text) {
    try {
      return CODEC.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException wrong) {
      throw new IllegalArgumentException(text, wrong);
    }
  }

  /** The same value as a parser reads it from bytes. */
  public static Json.Obj read(Json.Obj made) {
    return read(made.toBytes());
  }

  /** An object as a parser reads it. */
  public static Json.Obj read(byte[] document) {
    try {
      return (Json.Obj) CODEC.parse(document);
    } catch (MalformedJsonException wrong) {
      throw new IllegalArgumentException(new String(document, StandardCharsets.UTF_8), wrong);
    }
  }

  public static Arbitrary<Json> text(int least, int most) {
    return Arbitraries.strings()
        .withChars("abc \"\\/é€")
        .ofMinLength(least)
        .ofMaxLength(most)
        .map(Json::of);
  }

  public static Arbitrary<Json> bool() {
    return Arbitraries.of(Json.TRUE, Json.FALSE);
  }

  /** One of these, each JSON with single quotes. */
  public static Arbitrary<Json> oneOf(String... json) {
    return Arbitraries.of(List.of(json).stream().map(Drawn::json).toList());
  }

  public static Arbitrary<Json> list(Arbitrary<? extends Json> item, int least, int most) {
    return item.list().ofMinSize(least).ofMaxSize(most).map(Json::array);
  }

  /** Members nobody knows. */
  public static Arbitrary<Json> anything() {
    return oneOf("null", "1", "'x'", "[]", "{'a':[null]}");
  }
}
