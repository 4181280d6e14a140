package io.strowger.core.decode;

import io.strowger.spi.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * Generates random JSON objects: each instance describes the members of the objects, in a fixed
 * order. The static methods generate values for members. Immutable.
 */
public final class ObjectArbitrary {
  private final Map<String, Arbitrary<Json>> always;
  private final Map<String, Arbitrary<Json>> members; // including those of always

  private ObjectArbitrary(
      Map<String, Arbitrary<Json>> always, Map<String, Arbitrary<Json>> members) {
    this.always = always;
    this.members = members;
  }

  public static ObjectArbitrary object() {
    return new ObjectArbitrary(Map.of(), Map.of());
  }

  /** Adds a member that every generated object has. */
  public ObjectArbitrary always(String name, Arbitrary<? extends Json> value) {
    return with(name, value, true);
  }

  /** Adds a member that about two of three generated objects have. */
  public ObjectArbitrary sometimes(String name, Arbitrary<? extends Json> value) {
    return with(name, value, false);
  }

  private ObjectArbitrary with(String name, Arbitrary<? extends Json> value, boolean isRequired) {
    var all = new LinkedHashMap<>(members);
    all.put(name, value.map(v -> v));
    var required = new LinkedHashMap<>(always);
    if (isRequired) {
      required.put(name, value.map(v -> v));
    }
    return new ObjectArbitrary(required, all);
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
    return Arbitraries.of(List.of(json).stream().map(TestJson::of).toList());
  }

  public static Arbitrary<Json> list(Arbitrary<? extends Json> item, int minSize, int maxSize) {
    return item.list().ofMinSize(minSize).ofMaxSize(maxSize).map(Json::array);
  }

  /** Generates values of any type, for unknown members. */
  public static Arbitrary<Json> anything() {
    return oneOf("null", "1", "'x'", "[]", "{'a':[null]}");
  }
}
