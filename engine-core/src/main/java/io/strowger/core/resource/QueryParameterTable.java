package io.strowger.core.resource;

import io.strowger.core.decode.Problems;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The parameters a query may have, as a table of rules. Parameters it does not list are ignored.
 * Immutable, safe on any thread.
 *
 * <p>A query is no JSON document, so a problem has no pointer: its text names the parameter.
 *
 * @param <D> the type that collects the values while a query is read
 */
final class QueryParameterTable<D> {
  private final Supplier<D> draft;
  private final Map<String, Taker<D>> takers;

  private interface Taker<D> {
    void take(List<String> given, D draft, Problems problems);
  }

  private QueryParameterTable(Supplier<D> draft, Map<String, Taker<D>> takers) {
    this.draft = draft;
    this.takers = takers;
  }

  /**
   * Returns an empty table.
   *
   * @param draft supplies a new, empty collector
   */
  static <D> QueryParameterTable<D> into(Supplier<D> draft) {
    return new QueryParameterTable<>(draft, Map.of());
  }

  /** Adds a parameter that may be given once. */
  <T> QueryParameterTable<D> optional(String name, QueryParameter<T> rule, BiConsumer<D, T> set) {
    return with(name, (given, draft, problems) -> once(name, rule, given, draft, problems, set));
  }

  /** Adds a parameter that must be given, once. */
  <T> QueryParameterTable<D> required(String name, QueryParameter<T> rule, BiConsumer<D, T> set) {
    return with(
        name,
        (given, draft, problems) -> {
          if (given.isEmpty()) {
            wrong(name, "is required", null, problems);
          }
          once(name, rule, given, draft, problems, set);
        });
  }

  /** Adds a parameter that may be given any number of times. */
  <T> QueryParameterTable<D> repeated(
      String name, QueryParameter<T> rule, BiConsumer<D, List<T>> set) {
    return with(
        name,
        (given, draft, problems) -> {
          var good = new ArrayList<T>(given.size());
          for (String text : given) {
            T value = read(name, rule, text, problems);
            if (value != null) {
              good.add(value);
            }
          }
          if (!given.isEmpty()) {
            set.accept(draft, good);
          }
        });
  }

  private QueryParameterTable<D> with(String name, Taker<D> taker) {
    var more = new LinkedHashMap<>(takers);
    if (more.putIfAbsent(name, taker) != null) {
      throw new IllegalArgumentException("two rules for " + name);
    }
    return new QueryParameterTable<>(draft, more);
  }

  /** Reads a query; the result is valid only when no problem was noted. */
  D read(Query query, Problems problems) {
    D collected = draft.get();
    takers.forEach((name, taker) -> taker.take(query.all(name), collected, problems));
    return collected;
  }

  private static <D, T> void once(
      String name,
      QueryParameter<T> rule,
      List<String> given,
      D draft,
      Problems problems,
      BiConsumer<D, T> set) {
    if (given.size() > 1) {
      wrong(name, "must be given once", Json.of(given.size()), problems);
    } else if (!given.isEmpty()) {
      T value = read(name, rule, given.get(0), problems);
      if (value != null) {
        set.accept(draft, value);
      }
    }
  }

  private static <T> @Nullable T read(
      String name, QueryParameter<T> rule, String text, Problems problems) {
    T value = rule.read().apply(text);
    if (value == null) {
      wrong(name, rule.allowed(), Json.of(text), problems);
    }
    return value;
  }

  private static void wrong(String name, String allowed, @Nullable Json given, Problems problems) {
    String shown = given == null ? "" : Problems.shown(given);
    problems.add(JsonPointer.ROOT, "the query parameter " + name + " " + allowed, shown);
  }
}
