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
record QueryParameterTable<D>(Supplier<D> draftSupplier, Map<String, ParameterReader<D>> readers) {
  private interface ParameterReader<D> {
    void read(List<String> texts, D draft, Problems problems);
  }

  /**
   * Returns an empty table.
   *
   * @param draftSupplier supplies a new, empty collector
   */
  static <D> QueryParameterTable<D> of(Supplier<D> draftSupplier) {
    return new QueryParameterTable<>(draftSupplier, Map.of());
  }

  /** Adds a parameter that may be given once. */
  <T> QueryParameterTable<D> optional(
      String name, QueryParameter<T> rule, BiConsumer<D, T> setter) {
    return with(
        name, (texts, draft, problems) -> readSingle(name, rule, texts, draft, problems, setter));
  }

  /** Adds a parameter that must be given, once. */
  <T> QueryParameterTable<D> required(
      String name, QueryParameter<T> rule, BiConsumer<D, T> setter) {
    return with(
        name,
        (texts, draft, problems) -> {
          if (texts.isEmpty()) {
            addProblem(name, "is required", null, problems);
          }
          readSingle(name, rule, texts, draft, problems, setter);
        });
  }

  /** Adds a parameter that may be given any number of times. */
  <T> QueryParameterTable<D> repeated(
      String name, QueryParameter<T> rule, BiConsumer<D, List<T>> setter) {
    return with(
        name,
        (texts, draft, problems) -> {
          var validValues = new ArrayList<T>(texts.size());
          for (String text : texts) {
            T value = read(name, rule, text, problems);
            if (value != null) {
              validValues.add(value);
            }
          }
          if (!texts.isEmpty()) {
            setter.accept(draft, validValues);
          }
        });
  }

  private QueryParameterTable<D> with(String name, ParameterReader<D> reader) {
    var newReaders = new LinkedHashMap<>(readers);
    if (newReaders.putIfAbsent(name, reader) != null) {
      throw new IllegalArgumentException("two rules for " + name);
    }
    return new QueryParameterTable<>(draftSupplier, newReaders);
  }

  /** Reads a query; the result is valid only when no problem was noted. */
  D read(Query query, Problems problems) {
    D result = draftSupplier.get();
    readers.forEach((name, reader) -> reader.read(query.values(name), result, problems));
    return result;
  }

  private static <D, T> void readSingle(
      String name,
      QueryParameter<T> rule,
      List<String> texts,
      D draft,
      Problems problems,
      BiConsumer<D, T> setter) {
    if (texts.size() > 1) {
      addProblem(name, "must be given once", Json.of(texts.size()), problems);
    } else if (!texts.isEmpty()) {
      T value = read(name, rule, texts.get(0), problems);
      if (value != null) {
        setter.accept(draft, value);
      }
    }
  }

  private static <T> @Nullable T read(
      String name, QueryParameter<T> rule, String text, Problems problems) {
    T value = rule.parser().apply(text);
    if (value == null) {
      addProblem(name, rule.allowed(), Json.of(text), problems);
    }
    return value;
  }

  private static void addProblem(
      String name, String allowed, @Nullable Json value, Problems problems) {
    String displayValue = value == null ? "" : Problems.displayText(value);
    problems.add(JsonPointer.ROOT, "the query parameter " + name + " " + allowed, displayValue);
  }
}
