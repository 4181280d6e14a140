package io.strowger.core.decode;

import io.strowger.spi.json.Json;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Rule for an object of one of several kinds; one member, usually {@code type}, names the kind. The
 * kinds are listed in the order of the contract. Immutable once built, safe on any thread.
 *
 * @param <T> the type that a valid value is converted to
 */
public final class Union<T> implements Rule<T> {
  private final String discriminator;
  private final Map<String, Rule<? extends T>> kinds;
  private final String[] names;
  private final List<Rule<? extends T>> rules;
  private final DynamicKinds<T> dynamicKinds;
  private final @Nullable Rule<? extends T> fallback;
  private final String allowed;

  /** Kinds that are only known while a document is read. */
  private record DynamicKinds<T>(
      Function<DecodingContext, Set<String>> kinds, @Nullable Rule<? extends T> rule) {}

  private Union(
      String discriminator,
      Map<String, Rule<? extends T>> kinds,
      DynamicKinds<T> dynamicKinds,
      @Nullable Rule<? extends T> fallback) {
    this.discriminator = discriminator;
    this.kinds = kinds;
    this.names = kinds.keySet().toArray(new String[0]);
    this.rules = List.copyOf(kinds.values());
    this.dynamicKinds = dynamicKinds;
    this.fallback = fallback;
    this.allowed = oneOf(kinds.keySet(), Set.of());
  }

  /**
   * Returns a union without kinds.
   *
   * @param discriminator the member that names the kind; the kinds' tables need not list it
   */
  public static <T> Union<T> on(String discriminator) {
    return new Union<>(
        discriminator, Map.of(), new DynamicKinds<>(context -> Set.of(), null), null);
  }

  /** Returns this union with one more kind. */
  public Union<T> when(String kind, Rule<? extends T> rule) {
    var newKinds = new LinkedHashMap<>(kinds);
    if (newKinds.putIfAbsent(kind, rule) != null) {
      throw new IllegalArgumentException("two rules for " + kind);
    }
    return new Union<>(discriminator, newKinds, dynamicKinds, fallback);
  }

  /**
   * Returns this union with kinds that depend on the document's context, such as those of plugins.
   * A kind that is also listed by {@link #when} is read by the rule listed there.
   *
   * @param kinds returns the names of these kinds
   */
  public Union<T> whenOneOf(Function<DecodingContext, Set<String>> kinds, Rule<? extends T> rule) {
    return new Union<>(discriminator, this.kinds, new DynamicKinds<>(kinds, rule), fallback);
  }

  /** Returns this union with a rule for all other kinds. Without this rule they are wrong. */
  public Union<T> orElse(Rule<? extends T> rule) {
    return new Union<>(discriminator, kinds, dynamicKinds, rule);
  }

  /** Returns whether a kind is listed by {@link #when}. */
  public boolean hasKind(String kind) {
    return kinds.containsKey(kind);
  }

  /**
   * Returns the message for an unknown kind; it names all kinds that are allowed.
   *
   * @param extra more kinds; a kind in both sets is named once
   */
  public static String oneOf(Set<String> listed, Set<String> extra) {
    var allKinds = new LinkedHashSet<>(listed);
    allKinds.addAll(extra);
    return "must be " + (allKinds.size() == 1 ? "" : "one of ") + String.join(", ", allKinds);
  }

  @Override
  public @Nullable T read(Json json, DecodingContext context) {
    if (!(json instanceof Json.Obj object)) {
      context.reject("must be an object", json);
      return null;
    }
    Json kind = object.get(discriminator);
    if (kind == null) {
      context.rejectMissing(discriminator);
      return null;
    }
    if (!(kind instanceof Json.Str name)) {
      context.reject(discriminator, fallback == null ? allowed(context) : "must be a string", kind);
      return null;
    }
    Rule<? extends T> rule = ruleOf(name, context);
    if (rule == null) {
      context.reject(discriminator, allowed(context), kind);
      return null;
    }
    return rule.read(json, context);
  }

  private String allowed(DecodingContext context) {
    Set<String> extra = dynamicKinds.kinds().apply(context);
    return extra.isEmpty() ? allowed : oneOf(kinds.keySet(), extra);
  }

  /** Returns the rule for a kind; compares the few kinds rather than decode the name. */
  private @Nullable Rule<? extends T> ruleOf(Json.Str name, DecodingContext context) {
    for (int i = 0; i < names.length; i++) {
      if (name.is(names[i])) {
        return rules.get(i);
      }
    }
    Set<String> extra = dynamicKinds.kinds().apply(context);
    return !extra.isEmpty() && Rules.isName(name) && extra.contains(name.text())
        ? dynamicKinds.rule()
        : fallback;
  }
}
