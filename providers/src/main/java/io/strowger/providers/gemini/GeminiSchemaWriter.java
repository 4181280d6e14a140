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

  private final Json.Obj rootSchema;
  private final SchemaResolver resolver;
  private final Losses losses;
  private int count;

  GeminiSchemaWriter(Json.Obj rootSchema, Losses losses) {
    this.rootSchema = rootSchema;
    this.resolver = new SchemaResolver(rootSchema);
    this.losses = losses;
  }

  Json.Obj write() {
    return writeSchema(rootSchema, Set.of(), 0);
  }

  /** Writes the schema of a function's arguments, with alternative objects merged into one. */
  Json.Obj writeArguments() {
    SchemaResolver.ResolvedSchema flat = resolver.resolve(rootSchema, Set.of());
    List<Json> branches = branches(flat.schema());
    if (flat.schema().has("properties") || branches.isEmpty()) {
      return writeSchema(rootSchema, Set.of(), 0);
    }
    losses.changed("schema", "alternative objects were merged into one");
    Json.Obj merged = flat.schema().without("anyOf").without("oneOf");
    for (Json branch : branches) {
      if (branch instanceof Json.Obj object) {
        merged =
            SchemaResolver.merge(merged, resolver.resolve(object, flat.openReferences()).schema());
      }
    }
    return writeSchema(merged.without("required"), flat.openReferences(), 0);
  }

  /**
   * Returns the schema in the upstream's form, or the schema of any object where it cannot be
   * written.
   *
   * @param openReferences the references that are being inlined
   */
  private Json.Obj writeSchema(Json schema, Set<String> openReferences, int depth) {
    if (!(schema instanceof Json.Obj object)) {
      return writeUntyped();
    }
    if (++count > MAX_SCHEMAS || depth > MAX_DEPTH) {
      losses.changed("schema", "too large or too deep: replaced by any object");
      return ANY_OBJECT;
    }
    SchemaResolver.ResolvedSchema flat = resolver.resolve(object, openReferences);
    if (flat.incomplete()) {
      losses.changed("schema", "recursive or unresolvable: replaced by any object");
    }
    if (flat.incomplete() && !isTyped(flat.schema())) {
      return withDescription(ANY_OBJECT, flat.schema());
    }
    return new Node(flat.schema(), flat.openReferences(), depth).json();
  }

  private static boolean isTyped(Json.Obj schema) {
    return schema.has("type") || schema.has("properties") || !branches(schema).isEmpty();
  }

  private Json.Obj writeUntyped() {
    losses.changed("schema", "an untyped value became a string");
    return typed("STRING");
  }

  private static Json.Obj typed(String type) {
    return Json.object().put("type", type).build();
  }

  private static Json.Obj withDescription(Json.Obj schema, Json.Obj source) {
    Json description = source.get("description");
    return description instanceof Json.Str && !schema.has("description")
        ? schema.with("description", description)
        : schema;
  }

  private static List<Json> branches(Json.Obj schema) {
    Json.Arr anyOf = schema.list("anyOf");
    Json.Arr alternatives = anyOf == null ? schema.list("oneOf") : anyOf;
    return alternatives == null ? List.of() : alternatives;
  }

  /** One nested schema. */
  private final class Node {
    private final Json.Obj schema;
    private final Set<String> openReferences;
    private final int depth;
    private boolean nullable;

    Node(Json.Obj schema, Set<String> openReferences, int depth) {
      this.schema = schema;
      this.openReferences = openReferences;
      this.depth = depth;
      this.nullable = Json.TRUE.equals(schema.get("nullable"));
    }

    Json.Obj json() {
      Set<String> types = types();
      List<Json> branches = branches(schema);
      boolean isStructured = schema.has("properties") || schema.has("items");
      if (!branches.isEmpty() && !isStructured) {
        return anyOf(withSiblings(branches));
      }
      if (!branches.isEmpty()) {
        losses.dropped(
            "schema", "alternatives beside properties or items have no form in this dialect");
      }
      if (types.size() > 1) {
        return anyOf(
            types.stream().map(type -> (Json) schema.with("type", Json.of(type))).toList());
      }
      String type = types.isEmpty() ? inferType() : TYPES.get(types.iterator().next());
      return withNullable(
          type == null
              ? withDescription(nullable ? typed("NULL") : writeUntyped(), schema)
              : new SchemaKeywordWriter(schema, type, losses).write(this::writeChild));
    }

    /** Writes a child schema. */
    private Json.Obj writeChild(Json child) {
      return writeSchema(child, openReferences, depth + 1);
    }

    private Json.Obj withNullable(Json.Obj written) {
      boolean isNull = "NULL".equals(written.text("type"));
      return nullable && !isNull ? written.with("nullable", Json.TRUE) : written;
    }

    /** Returns the types other than null. */
    private Set<String> types() {
      var types = new LinkedHashSet<String>();
      Json type = schema.get("type");
      for (Json item :
          type instanceof Json.Arr list ? list : type == null ? List.<Json>of() : List.of(type)) {
        String name = item instanceof Json.Str text ? text.text().toLowerCase(Locale.ROOT) : "";
        nullable |= name.equals("null");
        if (TYPES.containsKey(name)) {
          types.add(name);
        }
      }
      Json.Arr values = schema.list("enum");
      nullable |= values != null && values.contains(Json.NULL) && values.size() > 1;
      return types;
    }

    /** Returns the type that the other keywords imply; null when they imply none. */
    private @Nullable String inferType() {
      return SchemaKeywordWriter.inferType(schema);
    }

    /** Merges the sibling keywords into each alternative. */
    private List<Json> withSiblings(List<Json> branches) {
      Json.Obj siblings =
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
              branch ->
                  branch instanceof Json.Obj object
                      ? (Json) SchemaResolver.merge(object, siblings)
                      : branch)
          .toList();
    }

    /**
     * Writes {@code anyOf}, which may have no siblings here: each alternative gets the common
     * description.
     */
    private Json.Obj anyOf(List<Json> branches) {
      var alternatives = new ArrayList<Json.Obj>();
      for (Json branch : branches) {
        Json.Obj alternative = writeChild(branch);
        if ("NULL".equals(alternative.text("type"))) {
          nullable = true;
        } else if (!alternatives.contains(alternative)) {
          alternatives.add(alternative);
        }
      }
      List<Json> described =
          alternatives.stream()
              .map(alternative -> (Json) withNullable(withDescription(alternative, schema)))
              .toList();
      if (described.isEmpty()) {
        return withDescription(typed("NULL"), schema);
      }
      return described.size() == 1
          ? (Json.Obj) described.getFirst()
          : Json.object().put("anyOf", Json.array(described)).build();
    }
  }
}
