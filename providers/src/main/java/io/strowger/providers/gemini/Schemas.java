package io.strowger.providers.gemini;

import io.strowger.providers.translate.Losses;
import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes a JSON Schema in the words these upstreams know; they refuse a request that holds any
 * other. References are replaced by what they refer to, up to a bound, since they may multiply. For
 * one schema. Translation fact sheet, case 25. Test: {@code SchemasTest}.
 */
final class Schemas {
  /** Schemas written for one; upstreams refuse fewer than these. */
  private static final int MOST = 2_000;

  private static final int DEEPEST = 48;
  private static final Json.Obj ANY_OBJECT = typed("OBJECT");

  private static final Map<String, String> TYPES =
      Map.of(
          "string", "STRING",
          "number", "NUMBER",
          "integer", "INTEGER",
          "boolean", "BOOLEAN",
          "array", "ARRAY",
          "object", "OBJECT");

  private final Json.Obj given;
  private final SchemaSource source;
  private final Losses losses;
  private int written;

  Schemas(Json.Obj given, Losses losses) {
    this.given = given;
    this.source = new SchemaSource(given);
    this.losses = losses;
  }

  Json.Obj written() {
    return schema(given, Set.of(), 0);
  }

  /** The same for a function's arguments, which are an object: of several, all of them in one. */
  Json.Obj arguments() {
    SchemaSource.Flat flat = source.flat(given, Set.of());
    List<Json> branches = branches(flat.schema());
    if (flat.schema().has("properties") || branches.isEmpty()) {
      return schema(given, Set.of(), 0);
    }
    losses.changed("schema", "one of several objects: an object with what any of them has");
    Json.Obj whole = flat.schema().without("anyOf").without("oneOf");
    for (Json branch : branches) {
      if (branch instanceof Json.Obj one) {
        whole = SchemaSource.merged(whole, source.flat(one, flat.open()).schema());
      }
    }
    return schema(whole.without("required"), flat.open(), 0);
  }

  /**
   * @param open references it stands in
   */
  private Json.Obj schema(Json schema, Set<String> open, int depth) {
    if (!(schema instanceof Json.Obj object)) {
      return anything();
    }
    if (++written > MOST || depth > DEEPEST) {
      losses.changed("schema", "too large or too deep: any object where it goes on");
      return ANY_OBJECT;
    }
    SchemaSource.Flat flat = source.flat(object, open);
    if (flat.endless()) {
      losses.changed("schema", "holds itself, or what is not there: any object in its place");
    }
    if (flat.endless() && !isTyped(flat.schema())) {
      return described(ANY_OBJECT, flat.schema());
    }
    return new Node(flat.schema(), flat.open(), depth).json();
  }

  private static boolean isTyped(Json.Obj schema) {
    return schema.has("type") || schema.has("properties") || !branches(schema).isEmpty();
  }

  private Json.Obj anything() {
    losses.changed("schema", "a value of any type is a string");
    return typed("STRING");
  }

  private static Json.Obj typed(String type) {
    return Json.object().put("type", type).build();
  }

  private static Json.Obj described(Json.Obj schema, Json.Obj from) {
    Json words = from.get("description");
    return words instanceof Json.Str && !schema.has("description")
        ? schema.with("description", words)
        : schema;
  }

  private static List<Json> branches(Json.Obj schema) {
    Json.Arr any = schema.list("anyOf");
    Json.Arr one = any == null ? schema.list("oneOf") : any;
    return one == null ? List.of() : one;
  }

  /** One schema on its way. */
  private final class Node {
    private final Json.Obj schema;
    private final Set<String> open;
    private final int depth;
    private boolean nullable;

    Node(Json.Obj schema, Set<String> open, int depth) {
      this.schema = schema;
      this.open = open;
      this.depth = depth;
      this.nullable = Json.TRUE.equals(schema.get("nullable"));
    }

    Json.Obj json() {
      Set<String> types = types();
      List<Json> branches = branches(schema);
      boolean shaped = schema.has("properties") || schema.has("items");
      if (!branches.isEmpty() && !shaped) {
        return any(withType(branches));
      }
      if (!branches.isEmpty()) {
        losses.dropped("schema", "no alternatives beside properties or items");
      }
      if (types.size() > 1) {
        return any(types.stream().map(type -> (Json) schema.with("type", Json.of(type))).toList());
      }
      String type = types.isEmpty() ? inferred() : TYPES.get(types.iterator().next());
      return nullable(
          type == null
              ? described(nullable ? typed("NULL") : anything(), schema)
              : new SchemaWords(schema, type, losses).written(this::below));
    }

    /** A schema inside this one. */
    private Json.Obj below(Json inner) {
      return schema(inner, open, depth + 1);
    }

    private Json.Obj nullable(Json.Obj plain) {
      boolean already = "NULL".equals(plain.text("type"));
      return nullable && !already ? plain.with("nullable", Json.TRUE) : plain;
    }

    /** The types it may have, null apart. */
    private Set<String> types() {
      var types = new LinkedHashSet<String>();
      Json said = schema.get("type");
      for (Json one :
          said instanceof Json.Arr list ? list : said == null ? List.<Json>of() : List.of(said)) {
        String word = one instanceof Json.Str text ? text.text().toLowerCase(Locale.ROOT) : "";
        nullable |= word.equals("null");
        if (TYPES.containsKey(word)) {
          types.add(word);
        }
      }
      Json.Arr values = schema.list("enum");
      nullable |= values != null && values.contains(Json.NULL) && values.size() > 1;
      return types;
    }

    /** The type its other words speak of; null when they speak of none. */
    private @Nullable String inferred() {
      return SchemaWords.inferred(schema);
    }

    /** What is said beside alternatives holds for each. */
    private List<Json> withType(List<Json> branches) {
      Json.Obj rest =
          schema
              .without("anyOf")
              .without("oneOf")
              .without("description")
              .without("title")
              .without("default");
      if (schema.has("oneOf") && !schema.has("anyOf")) {
        losses.changed("schema", "oneOf is anyOf here");
      }
      return branches.stream()
          .map(
              one ->
                  one instanceof Json.Obj object ? (Json) SchemaSource.merged(object, rest) : one)
          .toList();
    }

    /** Alternatives stand alone: what is said of all of them is said of each. */
    private Json.Obj any(List<Json> branches) {
      var some = new ArrayList<Json.Obj>();
      for (Json branch : branches) {
        Json.Obj one = below(branch);
        if ("NULL".equals(one.text("type"))) {
          nullable = true;
        } else if (!some.contains(one)) {
          some.add(one);
        }
      }
      List<Json> last = some.stream().map(one -> (Json) nullable(described(one, schema))).toList();
      if (last.isEmpty()) {
        return described(typed("NULL"), schema);
      }
      return last.size() == 1
          ? (Json.Obj) last.getFirst()
          : Json.object().put("anyOf", Json.array(last)).build();
    }
  }
}
