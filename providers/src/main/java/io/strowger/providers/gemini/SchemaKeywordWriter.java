package io.strowger.providers.gemini;

import io.strowger.providers.translate.Losses;
import io.strowger.spi.json.Json;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes a schema of one type with the keywords that apply to the type. Keywords of other types are
 * ignored.
 */
final class SchemaKeywordWriter {
  private static final Set<String> COMMON_KEYWORDS =
      Set.of("title", "description", "default", "example", "propertyOrdering");

  private static final Map<String, Set<String>> KEYWORDS_BY_TYPE =
      Map.of(
          "STRING", Set.of("minLength", "maxLength", "pattern"),
          "NUMBER", Set.of("minimum", "maximum"),
          "INTEGER", Set.of("minimum", "maximum"),
          "ARRAY", Set.of("minItems", "maxItems"),
          "OBJECT", Set.of("minProperties", "maxProperties"),
          "BOOLEAN", Set.of());

  private static final Map<String, Set<String>> FORMATS =
      Map.of(
          "STRING", Set.of("date-time", "enum"),
          "NUMBER", Set.of("float", "double"),
          "INTEGER", Set.of("int32", "int64"));

  /** Keywords that are handled elsewhere, or that only help readers of the schema. */
  private static final Set<String> IGNORED_KEYWORDS =
      Set.of(
          "type",
          "nullable",
          "properties",
          "required",
          "items",
          "enum",
          "const",
          "format",
          "anyOf",
          "oneOf",
          "prefixItems",
          "exclusiveMinimum",
          "exclusiveMaximum",
          "$schema",
          "$id",
          "$comment",
          "$anchor",
          "$defs",
          "definitions",
          "examples",
          "readOnly",
          "writeOnly",
          "deprecated");

  private final Json.Obj schema;
  private final String type;
  private final Losses losses;
  private final Json.Obj.Builder out;
  private final List<String> notes = new ArrayList<>();

  SchemaKeywordWriter(Json.Obj schema, String type, Losses losses) {
    this.schema = schema;
    this.type = type;
    this.losses = losses;
    this.out = Json.object().put("type", type);
  }

  /** Returns the type implied by a schema's keywords; null when they imply none. */
  static @Nullable String inferType(Json.Obj schema) {
    if (schema.has("properties") || schema.has("additionalProperties") || schema.has("required")) {
      return "OBJECT";
    }
    if (schema.has("items") || schema.has("prefixItems")) {
      return "ARRAY";
    }
    List<Json> values = values(schema);
    if (!values.isEmpty()) {
      return typeOfValues(values);
    }
    if (schema.has("minimum") || schema.has("maximum")) {
      return "NUMBER";
    }
    return schema.has("pattern") || schema.has("minLength") || schema.has("format")
        ? "STRING"
        : null;
  }

  private static @Nullable String typeOfValues(List<Json> values) {
    Set<String> kinds = values.stream().map(Json::kind).collect(Collectors.toSet());
    if (kinds.size() != 1) {
      return "STRING";
    }
    return switch (values.getFirst()) {
      case Json.Str s -> "STRING";
      case Json.Num n ->
          values.stream().allMatch(v -> v instanceof Json.Num num && num.asLong().isPresent())
              ? "INTEGER"
              : "NUMBER";
      case Json.Bool b -> "BOOLEAN";
      case Json.Arr a -> "ARRAY";
      case Json.Obj o -> "OBJECT";
      case Json.Null n -> null;
    };
  }

  /** Returns the allowed values except null; empty when any value is allowed. */
  private static List<Json> values(Json.Obj schema) {
    Json constant = schema.get("const");
    Json.Arr listed = schema.list("enum");
    List<Json> values = constant != null ? List.of(constant) : listed == null ? List.of() : listed;
    return values.stream().filter(value -> !(value instanceof Json.Null)).toList();
  }

  /**
   * @param writeChild writes a nested schema
   */
  Json.Obj write(Function<Json, Json.Obj> writeChild) {
    for (int i = 0; i < schema.size(); i++) {
      writeKeyword(schema.name(i), schema.value(i));
    }
    writeFormat();
    writeAllowedValues(values(schema));
    writeBound("exclusiveMinimum", "minimum", 1);
    writeBound("exclusiveMaximum", "maximum", -1);
    if (type.equals("ARRAY")) {
      writeItems(writeChild);
    }
    if (type.equals("OBJECT")) {
      writeProperties(writeChild);
    }
    if (!notes.isEmpty()) {
      String description = schema.text("description");
      String joinedNotes = String.join("; ", notes);
      out.put(
          "description",
          description == null || description.isBlank()
              ? joinedNotes
              : description + " (" + joinedNotes + ")");
    }
    return out.build();
  }

  private void writeKeyword(String name, Json value) {
    Set<String> typeKeywords = KEYWORDS_BY_TYPE.getOrDefault(type, Set.of());
    if (typeKeywords.contains(name) || COMMON_KEYWORDS.contains(name)) {
      if (!(value instanceof Json.Null)) { // null is the same as no keyword
        out.put(name, value);
      }
    } else if (!IGNORED_KEYWORDS.contains(name) && !isOfAnotherType(name)) {
      losses.dropped(
          "schema",
          name.length() > 40 ? "has unknown keywords" : "this dialect has no keyword " + name);
    }
  }

  private static boolean isOfAnotherType(String name) {
    return KEYWORDS_BY_TYPE.values().stream().anyMatch(keywords -> keywords.contains(name));
  }

  private void writeFormat() {
    String format = schema.text("format");
    if (format != null && FORMATS.getOrDefault(type, Set.of()).contains(format)) {
      out.put("format", format);
    } else if (format != null) {
      losses.dropped("schema", "this dialect does not know the format");
    }
  }

  /** Writes the allowed values: non-empty texts as {@code enum}, others in the description. */
  private void writeAllowedValues(List<Json> values) {
    if (values.isEmpty()) {
      return;
    }
    boolean areTexts =
        type.equals("STRING") && values.stream().allMatch(Json.Str.class::isInstance);
    List<Json> nonEmpty =
        values.stream().filter(v -> !(v instanceof Json.Str s && s.isEmpty())).toList();
    if (areTexts && nonEmpty.size() == values.size()) {
      out.put("enum", Json.array(values));
    } else {
      losses.changed(
          "schema",
          "only texts can be listed: the allowed values were written into the description");
      notes.add(
          "one of "
              + values.stream()
                  .map(v -> new String(v.toBytes(), StandardCharsets.UTF_8))
                  .collect(Collectors.joining(", ")));
    }
  }

  /**
   * Writes an exclusive bound. For an integer it becomes the inclusive bound next to it, if there
   * is one; for any other number it becomes inclusive with a note in the description.
   */
  private void writeBound(String exclusive, String inclusive, int step) {
    boolean isNumber = type.equals("INTEGER") || type.equals("NUMBER");
    Json exclusiveValue = schema.get(exclusive);
    Json limit =
        Json.TRUE.equals(exclusiveValue)
            ? schema.get(inclusive)
            : exclusiveValue; // true is the form of older drafts
    if (!isNumber || !(limit instanceof Json.Num bound) || isTighter(bound, inclusive, step)) {
      return;
    }
    OptionalLong neighbor = type.equals("INTEGER") ? neighbor(bound, step) : OptionalLong.empty();
    if (neighbor.isPresent()) {
      out.put(inclusive, Json.of(neighbor.getAsLong()));
      return;
    }
    losses.changed("schema", "an exclusive bound became inclusive, with a note in the description");
    out.put(inclusive, bound);
    notes.add((step > 0 ? "more than " : "less than ") + bound.spelling());
  }

  /**
   * Returns the integer after or before a bound; empty when either of them is no 64-bit integer.
   *
   * @param step 1 for the integer after the bound, -1 for the one before it
   */
  private static OptionalLong neighbor(Json.Num bound, int step) {
    OptionalLong integer = bound.asLong();
    long last = step > 0 ? Long.MAX_VALUE : Long.MIN_VALUE;
    return integer.isPresent() && integer.getAsLong() != last
        ? OptionalLong.of(integer.getAsLong() + step)
        : OptionalLong.empty();
  }

  /** Returns whether the inclusive bound beside the exclusive one is tighter. */
  private boolean isTighter(Json.Num exclusive, String inclusive, int step) {
    if (!(schema.get(inclusive) instanceof Json.Num bound) || schema.get(inclusive) == exclusive) {
      return false;
    }
    BigDecimal exclusiveBound = exclusive.decimal();
    return bound.decimal().compareTo(exclusiveBound) * step > 0;
  }

  private void writeItems(Function<Json, Json.Obj> writeChild) {
    Json itemSchema = schema.get("items");
    Json.Arr positions = itemSchema instanceof Json.Arr list ? list : schema.list("prefixItems");
    if (positions != null && !positions.isEmpty()) {
      losses.changed("schema", "schemas of single positions now apply to every position");
      itemSchema =
          positions.size() == 1 ? positions.get(0) : Json.object().put("anyOf", positions).build();
    }
    out.put("items", writeChild.apply(itemSchema == null ? Json.NULL : itemSchema));
  }

  /** Writes the properties, and which are required; undefined names are left out. */
  private void writeProperties(Function<Json, Json.Obj> writeChild) {
    Json.Obj properties = schema.object("properties");
    if (properties == null || properties.size() == 0) {
      return;
    }
    Json.Obj.Builder written = Json.object();
    for (int i = 0; i < properties.size(); i++) {
      written.put(properties.name(i), writeChild.apply(properties.value(i)));
    }
    out.put("properties", written.build());
    Json.Arr required = schema.list("required");
    List<Json> definedNames =
        required == null
            ? List.of()
            : required.stream()
                .filter(name -> name instanceof Json.Str text && properties.has(text.text()))
                .distinct()
                .toList();
    if (!definedNames.isEmpty()) {
      out.put("required", Json.array(definedNames));
    }
  }
}
