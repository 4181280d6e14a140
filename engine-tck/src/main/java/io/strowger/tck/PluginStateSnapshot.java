package io.strowger.tck;

import static java.util.stream.Collectors.joining;

import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.EventStream;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Records the values of a plugin's fields, static ones included. It follows fields of the plugin's
 * own classes, and the arrays, collections and maps in them; other objects compare by identity.
 */
final class PluginStateSnapshot {
  private static final int MAX_VALUES = 100_000;
  private static final int MAX_NAMED = 5;
  private static final int MIN_TEXT = 3;

  /** The types whose instances belong to one request and must not be kept after it. */
  private static final List<Class<?>> REQUEST_TYPES =
      List.of(
          InferenceRequest.class,
          Message.class,
          Part.class,
          Event.class,
          Answer.class,
          EventStream.class,
          Interceptor.Chain.class,
          ServerTool.Invocation.class,
          Candidates.class);

  private final Set<PluginCode> codes;
  private final Map<String, Object> values = new LinkedHashMap<>(); // by their path
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  private PluginStateSnapshot(Set<PluginCode> codes) {
    this.codes = codes;
  }

  /** Fails when the work changes a value in the fields of a plugin. */
  static void assertUnchanged(Set<PluginCode> codes, Object plugin, Callable<?> work)
      throws Exception {
    Map<String, Object> before = values(codes, plugin);
    work.call();
    fail(changes(before, values(codes, plugin)));
  }

  /**
   * Fails when a static field of a plugin changes during the work, or when the plugin holds part of
   * a request afterwards.
   *
   * @param texts the texts of the request; those shorter than 3 characters are ignored
   */
  static void assertNothingOfRequests(
      Set<PluginCode> codes, Object plugin, List<String> texts, Callable<?> work) throws Exception {
    Map<String, Object> before = values(codes, plugin);
    work.call();
    Map<String, Object> changed = changes(before, values(codes, plugin));
    changed
        .entrySet()
        .removeIf(one -> !isStatic(one.getKey()) && !isOfRequest(one.getValue(), texts));
    fail(changed);
  }

  private static boolean isStatic(String path) {
    return path.startsWith("static ");
  }

  private static boolean isOfRequest(Object value, List<String> texts) {
    if (value instanceof ValueText shown) {
      return texts.stream()
          .anyMatch(text -> text.length() >= MIN_TEXT && shown.text().contains(text));
    }
    return REQUEST_TYPES.stream().anyMatch(type -> type.isInstance(value));
  }

  private static Map<String, Object> values(Set<PluginCode> codes, Object plugin) {
    var state = new PluginStateSnapshot(codes);
    for (PluginCode code : codes) {
      for (Class<?> type : code.loadedClasses()) {
        state.addFields(type, null, "static " + type.getName() + ".");
      }
    }
    state.add(plugin, "");
    return state.values;
  }

  private static Map<String, Object> changes(
      Map<String, Object> before, Map<String, Object> after) {
    var result = new LinkedHashMap<String, Object>();
    after.forEach(
        (path, value) -> {
          Object previous = before.get(path);
          if (previous != value && !(value instanceof ValueText && value.equals(previous))) {
            result.put(path, value);
          }
        });
    before.forEach(
        (path, value) -> {
          if (!after.containsKey(path)) {
            result.put(path, new ValueText("gone"));
          }
        });
    return result;
  }

  private static void fail(Map<String, Object> changed) {
    if (!changed.isEmpty()) {
      throw new AssertionError(
          "the plugin keeps state between requests: "
              + changed.entrySet().stream()
                  .limit(MAX_NAMED)
                  .map(one -> one.getKey() + " is " + describe(one.getValue()))
                  .collect(joining(", "))
              + ". One instance serves all requests: keep what belongs to one request in local"
              + " variables.");
    }
  }

  private static String describe(Object value) {
    return value instanceof ValueText shown
        ? shown.text()
        : "a " + value.getClass().getSimpleName();
  }

  /** A value that is compared by its text instead of its identity. */
  private record ValueText(String text) {}

  private void add(@Nullable Object value, String path) {
    if (values.size() >= MAX_VALUES) {
      return;
    }
    String shown = textOf(value);
    if (value == null || shown != null) {
      values.put(path, new ValueText(String.valueOf(shown)));
      return;
    }
    values.put(path, value);
    if (!seen.add(value)) {
      return;
    }
    List<?> elements = elements(value);
    for (int i = 0; i < elements.size(); i++) {
      add(elements.get(i), path + "[" + i + "]");
    }
    for (Class<?> type = value.getClass(); type != null; type = type.getSuperclass()) {
      if (isPluginClass(type)) {
        addFields(type, value, path.isEmpty() ? "" : path + ".");
      }
    }
  }

  /** Returns the text of a value; null when the value is compared by identity. */
  private static @Nullable String textOf(@Nullable Object value) {
    return switch (value) {
      case CharSequence text -> text.toString();
      case Number number -> number.toString();
      case Boolean truth -> truth.toString();
      case AtomicBoolean truth -> truth.toString();
      case Character letter -> letter.toString();
      case int[] numbers -> Arrays.toString(numbers);
      case long[] numbers -> Arrays.toString(numbers);
      case double[] numbers -> Arrays.toString(numbers);
      case byte[] numbers -> Arrays.toString(numbers);
      case boolean[] truths -> Arrays.toString(truths);
      case BitSet bits -> bits.toString();
      case null, default -> null;
    };
  }

  private static List<?> elements(Object value) {
    return switch (value) {
      case Collection<?> items -> new ArrayList<>(items);
      case Map<?, ?> pairs -> {
        var elements = new ArrayList<@Nullable Object>(pairs.keySet());
        elements.addAll(pairs.values());
        yield elements;
      }
      case Optional<?> optional -> optional.map(List::of).orElse(List.of());
      case AtomicReference<?> reference ->
          reference.get() == null ? List.of() : List.of(reference.get());
      case Object[] items -> Arrays.asList(items);
      default -> {
        if (!value.getClass().isArray()) {
          yield List.of();
        }
        var elements = new ArrayList<Object>();
        for (int i = 0; i < Array.getLength(value); i++) {
          elements.add(Array.get(value, i));
        }
        yield elements;
      }
    };
  }

  private boolean isPluginClass(Class<?> type) {
    return codes.stream().anyMatch(code -> code.contains(PluginCode.declaringClassName(type)));
  }

  /**
   * Adds the fields that one class declares.
   *
   * @param object the object whose fields are added; null for the static fields
   */
  private void addFields(Class<?> type, @Nullable Object object, String path) {
    for (Field field : type.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers()) == (object == null)
          && !(field.isSynthetic() && object == null)) {
        try {
          field.setAccessible(true);
          add(field.get(object), path + field.getName());
        } catch (InaccessibleObjectException | IllegalAccessException inaccessible) {
          // the module is closed to reflection, so changes of this field are not detected
        }
      }
    }
  }
}
