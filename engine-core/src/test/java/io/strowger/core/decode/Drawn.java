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

/**
 * Generates random JSON objects: each instance describes the members of the objects, in a fixed
 * order. The static methods generate values for members, and parse JSON. Immutable.
 */
public final class Drawn {
  private static final JacksonCodec CODEC = new JacksonCodec();

  private final Map<String, Arbitrary<Json>> always;
  private final Map<String, Arbitrary<Json>> members; // including those of always

  private Drawn(Map<String, Arbitrary<Json>> always, Map<String, Arbitrary<Json>> members) {
    this.always = always;
    this.members = members;
  }

  public static Drawn object() {
    return new Drawn(Map.of(), Map.of());
  }

  /** Adds a member that every generated object has. */
  public Drawn always(String name, Arbitrary<? extends Json> value) {
    return with(name, value, true);
  }

  /** Adds a member that about two of three generated objects have. */
  public Drawn sometimes(String name, Arbitrary<? extends Json> value) {
    return with(name, value, false);
  }

  private Drawn with(String name, Arbitrary<? extends Json> value, boolean isRequired) {
    var all = new LinkedHashMap<>(members);
    all.put(name, value.map(v -> v));
    var required = new LinkedHashMap<>(always);
    if (isRequired) {
      required.put(name, value.map(v -> v));
    }
    return new Drawn(required, all);
  }

  public Arbitrary<Json.Obj> build() {
    Arbitrary<Json.Obj.Builder> all = Arbitraries.create(Json::object);
    for (Map.Entry<String, Arbitrary<Json>> member : members.entrySet()) {
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

  /** Parses JSON text after replacing single quotes by double quotes. */
  public static Json json(String text) {
    try {
      return CODEC.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJsonException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  /** Writes an object and parses it again. */
  public static Json.Obj read(Json.Obj object) {
    return read(object.toBytes());
  }

  /** Parses an object. */
  public static Json.Obj read(byte[] document) {
    try {
      return (Json.Obj) CODEC.parse(document);
    } catch (MalformedJsonException e) {
      throw new IllegalArgumentException(new String(document, StandardCharsets.UTF_8), e);
    }
  }

  public static Arbitrary<Json> text(int minLength, int maxLength) {
    return Arbitraries.strings()
        .withChars("abc \"\\/é€")
        .ofMinLength(minLength)
        .ofMaxLength(maxLength)
        .map(Json::of);
  }

  public static Arbitrary<Json> bool() {
    return Arbitraries.of(Json.TRUE, Json.FALSE);
  }

  /** Generates one of these values, each written as JSON with single quotes. */
  public static Arbitrary<Json> oneOf(String... json) {
    return Arbitraries.of(List.of(json).stream().map(Drawn::json).toList());
  }

  public static Arbitrary<Json> list(Arbitrary<? extends Json> item, int minSize, int maxSize) {
    return item.list().ofMinSize(minSize).ofMaxSize(maxSize).map(Json::array);
  }

  /** Generates values of any type, for unknown members. */
  public static Arbitrary<Json> anything() {
    return oneOf("null", "1", "'x'", "[]", "{'a':[null]}");
  }
}
