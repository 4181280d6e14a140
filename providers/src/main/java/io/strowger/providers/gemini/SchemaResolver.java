package io.strowger.providers.gemini;

import io.strowger.spi.json.Json;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Resolves a JSON Schema: references are followed and {@code allOf} is merged. A reference inside
 * its own target is not followed again.
 */
final class SchemaResolver {
  private static final int MAX_CHAIN = 32;

  /** The limit of merged schemas per document, since each merge copies both schemas. */
  private static final int MAX_PARTS = 2_000;

  private final Json.Obj root;
  private int mergeCount;

  SchemaResolver(Json.Obj root) {
    this.root = root;
  }

  /**
   * A schema without {@code $ref} and {@code allOf} of its own; nested schemas are unchanged.
   *
   * @param openReferences the references that lead to this schema
   * @param incomplete whether the schema is recursive, unresolvable or too large to resolve
   */
  record ResolvedSchema(Json.Obj schema, Set<String> openReferences, boolean incomplete) {}

  ResolvedSchema resolve(Json.Obj schemaToResolve, Set<String> openReferences) {
    var resolution = new Resolution(openReferences);
    Json.Obj schema = resolution.resolve(schemaToResolve, openReferences, 0);
    return new ResolvedSchema(schema, resolution.visitedReferences, resolution.incomplete);
  }

  /** The resolution of one schema. */
  private final class Resolution {
    private final Set<String> visitedReferences;
    private boolean incomplete;

    Resolution(Set<String> openReferences) {
      this.visitedReferences = new LinkedHashSet<>(openReferences);
    }

    /**
     * Returns the schema merged with everything its {@code $ref} and {@code allOf} lead to.
     *
     * @param openReferences the references followed so far
     * @param chainLength the number of schemas between the first schema and this one
     */
    Json.Obj resolve(Json.Obj source, Set<String> openReferences, int chainLength) {
      Json.Obj schema = source.without("$ref").without("allOf");
      for (Json part : parts(source)) {
        String reference = part instanceof Json.Str text ? text.text() : null;
        Json.Obj target = reference == null ? asObject(part) : target(reference);
        boolean isOpen = reference != null && openReferences.contains(reference);
        if (target == null || chainLength >= MAX_CHAIN || isOpen || ++mergeCount > MAX_PARTS) {
          incomplete = true;
        } else if (reference == null) {
          schema = merge(schema, resolve(target, openReferences, chainLength + 1));
        } else if (visitedReferences.add(reference)) { // otherwise already merged
          var innerReferences = new LinkedHashSet<>(openReferences);
          innerReferences.add(reference);
          schema = merge(schema, resolve(target, innerReferences, chainLength + 1));
        }
      }
      return schema;
    }
  }

  /**
   * Returns what a schema is merged from: its reference as a string, then the schemas of {@code
   * allOf}.
   */
  private static List<Json> parts(Json.Obj schema) {
    var parts = new ArrayList<Json>();
    if (schema.get("$ref") instanceof Json.Str reference) {
      parts.add(reference);
    }
    Json.Arr allOf = schema.list("allOf");
    if (allOf != null) {
      parts.addAll(allOf.stream().filter(Json.Obj.class::isInstance).toList());
    }
    return parts;
  }

  private static Json.@Nullable Obj asObject(Json value) {
    return value instanceof Json.Obj object ? object : null;
  }

  /** Returns the target in the same document; null when there is none. */
  private Json.@Nullable Obj target(String reference) {
    if (!reference.startsWith("#")) {
      return null;
    }
    Json current = root;
    for (String segment : reference.substring(1).split("/")) {
      if (!segment.isEmpty()) {
        current = child(current, unescape(segment));
      }
    }
    return asObject(current);
  }

  private static Json child(Json parent, String name) {
    Json next = parent instanceof Json.Obj object ? object.get(name) : null;
    if (parent instanceof Json.Arr list && name.matches("[0-9]{1,6}")) {
      int index = Integer.parseInt(name);
      next = index < list.size() ? list.get(index) : null;
    }
    return next == null ? Json.NULL : next;
  }

  private static String unescape(String segment) {
    String decoded = segment;
    if (segment.indexOf('%') >= 0) {
      try {
        decoded = URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
      } catch (IllegalArgumentException malformed) {
        decoded = segment;
      }
    }
    return decoded.replace("~1", "/").replace("~0", "~");
  }

  /** Merges two schemas: the first takes precedence; properties and required are united. */
  static Json.Obj merge(Json.Obj first, Json.Obj second) {
    Json.Obj.Builder result = Json.object().putAll(first);
    for (int i = 0; i < second.size(); i++) {
      String name = second.name(i);
      Json firstValue = first.get(name);
      Json secondValue = second.value(i);
      if (firstValue == null) {
        result.put(name, secondValue);
      } else if (name.equals("properties") && firstValue instanceof Json.Obj known) {
        result.put(name, union(known, asObjectOrEmpty(secondValue)));
      } else if (name.equals("required") && firstValue instanceof Json.Arr known) {
        result.put(name, union(known, secondValue));
      }
    }
    return result.build();
  }

  private static Json.Obj asObjectOrEmpty(Json value) {
    return value instanceof Json.Obj object ? object : Json.Obj.EMPTY;
  }

  /** Returns all properties in order; those of the first take precedence. */
  private static Json union(Json.Obj first, Json.Obj second) {
    return Json.object().putAll(first).putAll(second).putAll(first).build();
  }

  private static Json union(Json.Arr first, Json second) {
    var union = new LinkedHashSet<Json>(first);
    if (second instanceof Json.Arr list) {
      union.addAll(list);
    }
    return Json.array(List.copyOf(union));
  }
}
