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
final class SchemaSource {
  private static final int LONGEST_CHAIN = 32;

  /** The limit of merged schemas per document, since each merge copies both. */
  private static final int MAX_PARTS = 2_000;

  private final Json.Obj root;
  private int parts;

  SchemaSource(Json.Obj root) {
    this.root = root;
  }

  /**
   * A schema without {@code $ref} and {@code allOf} of its own; nested schemas are unchanged.
   *
   * @param open the references that lead to this schema
   * @param endless whether it is recursive, unresolvable or too large to resolve
   */
  record Flat(Json.Obj schema, Set<String> open, boolean endless) {}

  Flat flat(Json.Obj given, Set<String> open) {
    var walk = new Walk(open);
    Json.Obj schema = walk.flat(given, open, 0);
    return new Flat(schema, walk.seen, walk.endless);
  }

  /** The resolution of one schema. */
  private final class Walk {
    private final Set<String> seen;
    private boolean endless;

    Walk(Set<String> open) {
      this.seen = new LinkedHashSet<>(open);
    }

    /**
     * @param open the references followed so far
     */
    Json.Obj flat(Json.Obj given, Set<String> open, int chain) {
      Json.Obj schema = given.without("$ref").without("allOf");
      for (Json part : parts(given)) {
        String reference = part instanceof Json.Str text ? text.text() : null;
        Json.Obj target = reference == null ? asObject(part) : target(reference);
        boolean within = reference != null && open.contains(reference);
        if (target == null || chain >= LONGEST_CHAIN || within || ++parts > MAX_PARTS) {
          endless = true;
        } else if (reference == null) {
          schema = merged(schema, flat(target, open, chain + 1));
        } else if (seen.add(reference)) { // otherwise already merged
          var inner = new LinkedHashSet<>(open);
          inner.add(reference);
          schema = merged(schema, flat(target, inner, chain + 1));
        }
      }
      return schema;
    }
  }

  /**
   * Returns what a schema is merged from: its reference as a string, then the schemas of {@code
   * allOf}.
   */
  private static List<Json> parts(Json.Obj given) {
    var parts = new ArrayList<Json>();
    if (given.get("$ref") instanceof Json.Str reference) {
      parts.add(reference);
    }
    Json.Arr all = given.list("allOf");
    if (all != null) {
      parts.addAll(all.stream().filter(Json.Obj.class::isInstance).toList());
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
    Json at = root;
    for (String step : reference.substring(1).split("/")) {
      if (!step.isEmpty()) {
        at = step(at, unescaped(step));
      }
    }
    return asObject(at);
  }

  private static Json step(Json from, String name) {
    Json next = from instanceof Json.Obj object ? object.get(name) : null;
    if (from instanceof Json.Arr list && name.matches("[0-9]{1,6}")) {
      int index = Integer.parseInt(name);
      next = index < list.size() ? list.get(index) : null;
    }
    return next == null ? Json.NULL : next;
  }

  private static String unescaped(String step) {
    String decoded = step;
    if (step.indexOf('%') >= 0) {
      try {
        decoded = URLDecoder.decode(step.replace("+", "%2B"), StandardCharsets.UTF_8);
      } catch (IllegalArgumentException asItStands) {
        decoded = step;
      }
    }
    return decoded.replace("~1", "/").replace("~0", "~");
  }

  /** Merges two schemas: the first takes precedence; properties and required are united. */
  static Json.Obj merged(Json.Obj first, Json.Obj other) {
    Json.Obj.Builder both = Json.object().putAll(first);
    for (int i = 0; i < other.size(); i++) {
      String name = other.name(i);
      Json before = first.get(name);
      Json more = other.value(i);
      if (before == null) {
        both.put(name, more);
      } else if (name.equals("properties") && before instanceof Json.Obj some) {
        both.put(name, union(some, asObjectOrNone(more)));
      } else if (name.equals("required") && before instanceof Json.Arr some) {
        both.put(name, union(some, more));
      }
    }
    return both.build();
  }

  private static Json.Obj asObjectOrNone(Json value) {
    return value instanceof Json.Obj object ? object : Json.Obj.EMPTY;
  }

  /** Returns all properties in order; those of the first take precedence. */
  private static Json union(Json.Obj some, Json.Obj more) {
    return Json.object().putAll(some).putAll(more).putAll(some).build();
  }

  private static Json union(Json.Arr some, Json more) {
    var all = new LinkedHashSet<Json>(some);
    if (more instanceof Json.Arr list) {
      all.addAll(list);
    }
    return Json.array(List.copyOf(all));
  }
}
