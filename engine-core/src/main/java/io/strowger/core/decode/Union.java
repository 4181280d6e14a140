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
  private final Further<T> further;
  private final @Nullable Rule<? extends T> other;
  private final String allowed;

  /** Kinds that are only known while a document is read. */
  private record Further<T>(
      Function<DecodingContext, Set<String>> kinds, @Nullable Rule<? extends T> rule) {}

  private Union(
      String discriminator,
      Map<String, Rule<? extends T>> kinds,
      Further<T> further,
      @Nullable Rule<? extends T> other) {
    this.discriminator = discriminator;
    this.kinds = kinds;
    this.names = kinds.keySet().toArray(new String[0]);
    this.rules = List.copyOf(kinds.values());
    this.further = further;
    this.other = other;
    this.allowed = oneOf(kinds.keySet(), Set.of());
  }

  /**
   * Returns a union without kinds.
   *
   * @param discriminator the member that names the kind; the kinds' tables need not list it
   */
  public static <T> Union<T> on(String discriminator) {
    return new Union<>(discriminator, Map.of(), new Further<>(context -> Set.of(), null), null);
  }

  /** Returns this union with one more kind. */
  public Union<T> when(String kind, Rule<? extends T> rule) {
    var more = new LinkedHashMap<>(kinds);
    if (more.putIfAbsent(kind, rule) != null) {
      throw new IllegalArgumentException("two rules for " + kind);
    }
    return new Union<>(discriminator, more, further, other);
  }

  /**
   * Returns this union with kinds that depend on the document's context, such as those of plugins.
   * A kind that is also listed by {@link #when} is read by the rule listed there.
   *
   * @param kinds returns the names of these kinds
   */
  public Union<T> whenOneOf(Function<DecodingContext, Set<String>> kinds, Rule<? extends T> rule) {
    return new Union<>(discriminator, this.kinds, new Further<>(kinds, rule), other);
  }

  /** Returns this union with a rule for all other kinds, which are wrong without it. */
  public Union<T> orElse(Rule<? extends T> rule) {
    return new Union<>(discriminator, kinds, further, rule);
  }

  /** Returns whether a kind is listed by {@link #when}. */
  public boolean lists(String kind) {
    return kinds.containsKey(kind);
  }

  /**
   * Returns the message for a kind that is none of these.
   *
   * @param further more kinds; a kind in both sets is named once
   */
  public static String oneOf(Set<String> known, Set<String> further) {
    var all = new LinkedHashSet<>(known);
    all.addAll(further);
    return "must be " + (all.size() == 1 ? "" : "one of ") + String.join(", ", all);
  }

  @Override
  public @Nullable T read(Json given, DecodingContext context) {
    if (!(given instanceof Json.Obj object)) {
      context.reject("must be an object", given);
      return null;
    }
    Json kind = object.get(discriminator);
    if (kind == null) {
      context.missing(discriminator);
      return null;
    }
    if (!(kind instanceof Json.Str name)) {
      context.reject(discriminator, other == null ? allowed(context) : "must be a string", kind);
      return null;
    }
    Rule<? extends T> rule = ruleOf(name, context);
    if (rule == null) {
      context.reject(discriminator, allowed(context), kind);
      return null;
    }
    return rule.read(given, context);
  }

  private String allowed(DecodingContext context) {
    Set<String> more = further.kinds().apply(context);
    return more.isEmpty() ? allowed : oneOf(kinds.keySet(), more);
  }

  /** Returns the rule for a kind; compares the few kinds rather than decode the name. */
  private @Nullable Rule<? extends T> ruleOf(Json.Str name, DecodingContext context) {
    for (int i = 0; i < names.length; i++) {
      if (name.is(names[i])) {
        return rules.get(i);
      }
    }
    Set<String> more = further.kinds().apply(context);
    return !more.isEmpty() && Rules.isName(name) && more.contains(name.text())
        ? further.rule()
        : other;
  }
}
