package io.strowger.core.decode;

import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A table of the members that an object may have, with one rule per line in the order of the
 * contract's table. Unlisted members are kept and passed on, unless the table is closed. Immutable,
 * safe on any thread.
 *
 * @param <D> the type of the collector of values; {@link Json.Obj}, the object itself, where
 *     nothing is collected
 */
public final class MemberTable<D> {
  private final Map<String, Member<D>> byName;
  private final List<String> required;
  private final long requiredBits;
  private final List<BiConsumer<D, DecodingContext>> crossMemberRules;
  private final @Nullable String unlistedMessage;

  private record Member<D>(MemberReader<D> reader, long bit) {}

  private interface MemberReader<D> {
    void read(Json given, DecodingContext context, D draft);
  }

  private MemberTable(Builder<D> builder) {
    byName = new HashMap<>(builder.members);
    required = List.copyOf(builder.required);
    requiredBits = (1L << required.size()) - 1;
    crossMemberRules = List.copyOf(builder.crossMemberRules);
    unlistedMessage = builder.unlistedMessage;
  }

  /** Begins a table that collects values of the members. */
  public static <D> Builder<D> table() {
    return new Builder<>();
  }

  /** Begins a table that only checks the members: the object stays in its JSON form. */
  public static JsonBuilder members() {
    return new JsonBuilder();
  }

  /** Reads every member of the object, then applies the rules that concern several members. */
  public void read(Json.Obj object, DecodingContext context, D draft) {
    long seenBits = 0;
    for (int i = 0; i < object.size(); i++) {
      String name = object.name(i);
      Member<D> member = byName.get(name);
      if (member != null) {
        seenBits |= member.bit;
        context.enter(name);
        member.reader.read(object.value(i), context, draft);
        context.leave();
      } else if (unlistedMessage != null) {
        context.reject(name, unlistedMessage, object.value(i));
      }
    }
    if (seenBits != requiredBits) {
      noteMissing(seenBits, context);
    }
    for (int i = 0; i < crossMemberRules.size(); i++) {
      crossMemberRules.get(i).accept(draft, context);
    }
  }

  /** Returns the names of the listed members. */
  public Set<String> names() {
    return byName.keySet();
  }

  private void noteMissing(long seenBits, DecodingContext context) {
    for (int i = 0; i < required.size(); i++) {
      if ((seenBits & 1L << i) == 0) {
        context.rejectMissing(required.get(i));
      }
    }
  }

  /** Builds a table. A name may be listed only once. */
  public static final class Builder<D> {
    private final Map<String, Member<D>> members = new LinkedHashMap<>();
    private final List<String> required = new ArrayList<>();
    private final List<BiConsumer<D, DecodingContext>> crossMemberRules = new ArrayList<>();
    private @Nullable String unlistedMessage;

    private Builder() {}

    /** Adds a required member. */
    public <T> Builder<D> required(
        String name, Rule<T> rule, BiConsumer<? super D, ? super T> setter) {
      return add(name, setterReader(rule, setter), require(name));
    }

    /** Adds a required member that is checked and kept as it came. */
    public Builder<D> required(String name, Rule<?> rule) {
      return add(name, checkingReader(rule), require(name));
    }

    /** Adds an optional member. Nothing is set when its value is wrong or an allowed null. */
    public <T> Builder<D> optional(
        String name, Rule<T> rule, BiConsumer<? super D, ? super T> setter) {
      return add(name, setterReader(rule, setter), 0);
    }

    /** Adds an optional member that is checked and kept as it came. */
    public Builder<D> optional(String name, Rule<?> rule) {
      return add(name, checkingReader(rule), 0);
    }

    /**
     * Adds a rule over several members. It runs after all members were read, even when some are
     * wrong or missing; the rule must not report these again.
     */
    public Builder<D> addRule(BiConsumer<D, DecodingContext> rule) {
      crossMemberRules.add(Objects.requireNonNull(rule, "rule"));
      return this;
    }

    /**
     * Refuses members that are not listed.
     *
     * @param allowed the message for such a member: {@code is not a member of provider}
     */
    public Builder<D> closed(String allowed) {
      unlistedMessage = Objects.requireNonNull(allowed, "allowed");
      return this;
    }

    public MemberTable<D> build() {
      return new MemberTable<>(this);
    }

    /**
     * Returns the rule for an object that is converted with a collector.
     *
     * @param draft creates a new, empty collector
     * @param finish makes the value; only called when nothing in the object is wrong
     */
    public <T> Rule<T> as(Supplier<D> draft, Function<D, T> finish) {
      return withSource(draft, (object, collected) -> finish.apply(collected));
    }

    /**
     * Returns a rule like {@link #as}, but the value also keeps the object it was read from.
     *
     * @param finish creates the value from that object and the collector
     */
    public <T> Rule<T> withSource(Supplier<D> draft, BiFunction<Json.Obj, D, T> finish) {
      return converting(object -> draft.get(), finish);
    }

    private <T> Rule<T> converting(Function<Json.Obj, D> draft, BiFunction<Json.Obj, D, T> finish) {
      MemberTable<D> table = build();
      return (json, context) -> {
        if (!(json instanceof Json.Obj object)) {
          context.reject("must be an object", json);
          return null;
        }
        int problemCount = context.problemCount();
        D collected = draft.apply(object);
        table.read(object, context, collected);
        return context.problemCount() == problemCount ? finish.apply(object, collected) : null;
      };
    }

    private long require(String name) {
      required.add(name);
      return 1L << (required.size() - 1);
    }

    private Builder<D> add(String name, MemberReader<D> reader, long bit) {
      if (members.putIfAbsent(name, new Member<>(reader, bit)) != null) {
        throw new IllegalArgumentException("two rules for " + name);
      }
      return this;
    }

    private static <D, T> MemberReader<D> setterReader(
        Rule<T> rule, BiConsumer<? super D, ? super T> setter) {
      return (given, context, draft) -> {
        T value = rule.read(given, context);
        if (value != null) {
          setter.accept(draft, value);
        }
      };
    }

    private static <D> MemberReader<D> checkingReader(Rule<?> rule) {
      return (given, context, draft) -> rule.read(given, context);
    }
  }

  /** Builds a table whose object stays in its JSON form. A name may be listed only once. */
  public static final class JsonBuilder {
    private final Builder<Json.Obj> builder = table();

    private JsonBuilder() {}

    /** Adds a required member. */
    public JsonBuilder required(String name, Rule<?> rule) {
      builder.required(name, rule);
      return this;
    }

    /** Adds an optional member. */
    public JsonBuilder optional(String name, Rule<?> rule) {
      builder.optional(name, rule);
      return this;
    }

    /** Adds a rule over several members; see {@link Builder#addRule}. */
    public JsonBuilder addRule(BiConsumer<Json.Obj, DecodingContext> rule) {
      builder.addRule(rule);
      return this;
    }

    /** Refuses members that are not listed; see {@link Builder#closed}. */
    public JsonBuilder closed(String allowed) {
      builder.closed(allowed);
      return this;
    }

    public MemberTable<Json.Obj> build() {
      return builder.build();
    }

    /** Returns the rule for an object that is kept as it came, also when a member is wrong. */
    public Rule<Json.Obj> asJson() {
      MemberTable<Json.Obj> table = build();
      return (json, context) -> {
        if (json instanceof Json.Obj object) {
          table.read(object, context, object);
          return object;
        }
        context.reject("must be an object", json);
        return null;
      };
    }

    /**
     * Returns the rule for an object that a value is made from.
     *
     * @param make makes the value; only called when nothing in the object is wrong
     */
    public <T> Rule<T> as(Function<Json.Obj, T> make) {
      return builder.converting(object -> object, (object, same) -> make.apply(object));
    }
  }
}
