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
 * Writes a JSON Schema with only the keywords that these upstreams know, since they refuse requests
 * with any other. References are inlined, up to a bound, since inlining may multiply the schema.
 * One instance per schema. Translation fact sheet, case 25. Test: {@code GeminiSchemaWriterTest}.
 */
final class GeminiSchemaWriter {
  /** The limit of nested schemas; upstreams accept even fewer. */
  private static final int MAX_SCHEMAS = 2_000;

  private static final int MAX_DEPTH = 48;
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
  private int count;

  GeminiSchemaWriter(Json.Obj given, Losses losses) {
    this.given = given;
    this.source = new SchemaSource(given);
    this.losses = losses;
  }

  Json.Obj write() {
    return schema(given, Set.of(), 0);
  }

  /** Writes the schema of a function's arguments, with alternative objects merged into one. */
  Json.Obj arguments() {
    SchemaSource.Flat flat = source.flat(given, Set.of());
    List<Json> branches = branches(flat.schema());
    if (flat.schema().has("properties") || branches.isEmpty()) {
      return schema(given, Set.of(), 0);
    }
    losses.changed("schema", "alternative objects were merged into one");
    Json.Obj whole = flat.schema().without("anyOf").without("oneOf");
    for (Json branch : branches) {
      if (branch instanceof Json.Obj one) {
        whole = SchemaSource.merged(whole, source.flat(one, flat.open()).schema());
      }
    }
    return schema(whole.without("required"), flat.open(), 0);
  }

  /**
   * @param open the references that are being inlined
   */
  private Json.Obj schema(Json schema, Set<String> open, int depth) {
    if (!(schema instanceof Json.Obj object)) {
      return anything();
    }
    if (++count > MAX_SCHEMAS || depth > MAX_DEPTH) {
      losses.changed("schema", "too large or too deep: replaced by any object");
      return ANY_OBJECT;
    }
    SchemaSource.Flat flat = source.flat(object, open);
    if (flat.endless()) {
      losses.changed("schema", "recursive or unresolvable: replaced by any object");
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
    losses.changed("schema", "an untyped value became a string");
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

  /** One nested schema. */
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
        losses.dropped("schema", "alternatives beside properties or items");
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

    /** Writes a child schema. */
    private Json.Obj below(Json inner) {
      return schema(inner, open, depth + 1);
    }

    private Json.Obj nullable(Json.Obj plain) {
      boolean already = "NULL".equals(plain.text("type"));
      return nullable && !already ? plain.with("nullable", Json.TRUE) : plain;
    }

    /** Returns the types other than null. */
    private Set<String> types() {
      var types = new LinkedHashSet<String>();
      Json type = schema.get("type");
      for (Json one :
          type instanceof Json.Arr list ? list : type == null ? List.<Json>of() : List.of(type)) {
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

    /** Returns the type that the other keywords imply; null when they imply none. */
    private @Nullable String inferred() {
      return SchemaWords.inferred(schema);
    }

    /** Merges the sibling keywords into each alternative. */
    private List<Json> withType(List<Json> branches) {
      Json.Obj rest =
          schema
              .without("anyOf")
              .without("oneOf")
              .without("description")
              .without("title")
              .without("default");
      if (schema.has("oneOf") && !schema.has("anyOf")) {
        losses.changed("schema", "oneOf became anyOf");
      }
      return branches.stream()
          .map(
              one ->
                  one instanceof Json.Obj object ? (Json) SchemaSource.merged(object, rest) : one)
          .toList();
    }

    /**
     * Writes {@code anyOf}, which may have no siblings here: each alternative gets the common
     * description.
     */
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
