package io.strowger.core.resource;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.Rule;
import io.strowger.core.decode.Rules;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.Document;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The table of one type of resource: its members, one per line, in the order in which they are
 * shown. It defines the values that a body gives, the body of the document, what is shown of the
 * document and what the audit log records of a change. A rule of the table returns a value in the
 * form in which it is stored and shown. Immutable, safe on any thread.
 */
public final class ResourceType {
  /** The member of a document's body that holds the encrypted part of a resource. */
  public static final String SEALED = "sealed";

  /** Where a member comes from and where it is kept. */
  private enum Role {
    /** Given when the resource is created, and never changed. */
    FIXED,
    /** Given when the resource is created or changed. */
    SET,
    /** As {@link #SET}, and kept in {@link Document#hidden()}. */
    HIDDEN,
    /** As {@link #SET}; encrypted before it is kept, and never shown. */
    SECRET,
    /** As {@link #SECRET}, but the code of the resource reads it, and it is shown masked. */
    MASKED,
    /** The workspace, kept in {@link Document#group()}. */
    WORKSPACE,
    /** Made by the engine. */
    MADE
  }

  /**
   * A line of the table.
   *
   * @param create the rule in a body that creates a resource; null when it is ignored there
   * @param update the rule in a body that changes a resource; null when it is ignored there
   * @param fallback the value when none is given; null for none
   */
  private record Member(
      String name,
      Role role,
      boolean required,
      @Nullable Rule<Json> create,
      @Nullable Rule<Json> update,
      @Nullable Json fallback) {}

  private final Map<String, Member> members;
  private final Set<String> stored;
  private final Set<String> internal;
  private final Set<String> redactedInAudit;
  private final @Nullable String hidden;
  private final @Nullable String secret;
  private final boolean sparse;
  private final MemberTable<Map<String, Json>> create;
  private final MemberTable<Map<String, Json>> update;

  private ResourceType(Builder from) {
    members = new LinkedHashMap<>(from.members);
    internal = Set.copyOf(from.internal);
    redactedInAudit = Set.copyOf(from.redactedInAudit);
    sparse = from.sparse;
    hidden = named(Role.HIDDEN);
    secret = named(Role.SECRET, Role.MASKED);
    stored = new LinkedHashSet<>(from.storedFirst);
    MemberTable.Builder<Map<String, Json>> creating = MemberTable.table();
    MemberTable.Builder<Map<String, Json>> updating = MemberTable.table();
    for (Member member : members.values()) {
      String name = member.name();
      if (member.role() == Role.FIXED || member.role() == Role.SET || member.role() == Role.MADE) {
        stored.add(name);
      }
      if (member.create() != null && member.required()) {
        creating.required(name, member.create(), (values, value) -> values.put(name, value));
      } else if (member.create() != null) {
        creating.optional(name, member.create(), (values, value) -> values.put(name, value));
      }
      if (member.update() != null) {
        updating.optional(name, member.update(), (values, value) -> values.put(name, value));
      }
    }
    create = creating.build();
    update = updating.build();
  }

  private @Nullable String named(Role... roles) {
    return members.values().stream()
        .filter(member -> List.of(roles).contains(member.role()))
        .map(Member::name)
        .findFirst()
        .orElse(null);
  }

  public static Builder table() {
    return new Builder();
  }

  /**
   * The values that a body gives for a resource.
   *
   * @param members the values without the secret; JSON null where a change clears one
   * @param secret the member that is encrypted before it is kept; null when none is given
   */
  public record Values(Json.Obj members, @Nullable Credential secret) {
    /** Returns the text of a member; null when it is not text. */
    public @Nullable String text(String name) {
      return members.text(name);
    }

    /** Returns these values and one that the engine made. */
    public Values with(String name, Json value) {
      return new Values(members.with(name, value), secret);
    }

    /** Returns the number of members, but no value, which may be private. */
    @Override
    public String toString() {
      return "Values of " + members.size() + " members";
    }
  }

  /**
   * Reads the body that creates a resource. Members that are not in the table are ignored.
   *
   * @return the values, with defaults for those that are not given; null when a problem was noted
   */
  public @Nullable Values create(Json.Obj body, Problems problems) {
    return create(body, new DecodingContext(problems));
  }

  /** Reads the body that creates a resource, as {@link #create(Json.Obj, Problems)} does. */
  @Nullable Values create(Json.Obj body, DecodingContext context) {
    Map<String, Json> values = new LinkedHashMap<>();
    for (Member member : members.values()) {
      if (member.fallback() != null
          && member.create() != null
          && member.role() != Role.WORKSPACE
          && !sparse) {
        values.put(member.name(), member.fallback());
      }
    }
    return read(create, body, context, values);
  }

  /**
   * Reads the body that changes a resource.
   *
   * @return the values that are given; null when a problem was noted
   * @throws io.strowger.spi.error.GatewayException 400 at once when the body has none of the
   *     members that can be changed
   */
  public @Nullable Values update(Json.Obj body, Problems problems) {
    if (update.names().stream().noneMatch(body::has)) {
      throw GatewayError.of(ErrorCode.INVALID_REQUEST, "No update fields provided").toException();
    }
    return update(body, new DecodingContext(problems));
  }

  /** Reads the body that changes a resource, which need not change anything. */
  @Nullable Values update(Json.Obj body, DecodingContext context) {
    return read(update, body, context, new LinkedHashMap<>());
  }

  private @Nullable Values read(
      MemberTable<Map<String, Json>> table,
      Json.Obj body,
      DecodingContext context,
      Map<String, Json> values) {
    int before = context.found();
    table.read(body, context, values);
    if (context.found() > before) {
      return null;
    }
    Json given = secret == null ? null : values.remove(secret);
    Json.Obj.Builder inOrder = Json.object();
    for (Member member : members.values()) {
      Json value = values.get(member.name());
      if (value != null) {
        inOrder.put(member.name(), value);
      }
    }
    return new Values(
        inOrder.build(), given instanceof Json.Str text ? new Credential(text.text()) : null);
  }

  /** Returns the body of the document of a resource that is created. */
  public Json.Obj body(Values values) {
    return applyTo(Json.Obj.EMPTY, values);
  }

  /** Returns a document that is about to be written, hidden if the values say so. */
  public Document hide(Document made, Values values) {
    return made.hide(hidden != null && Json.TRUE.equals(values.members().get(hidden)));
  }

  /** Returns the next version of a document after a change. */
  public Document next(Document current, Instant at, Values change) {
    Document next = current.next(at, applyTo(current.body(), change));
    Json hide = hidden == null ? null : change.members().get(hidden);
    return hide == null ? next : next.hide(Json.TRUE.equals(hide));
  }

  /** Returns the body of a document after a change, with defaults for missing members. */
  public Json.Obj applyTo(Json.Obj current, Values change) {
    Json.Obj body = current;
    for (String name : stored) {
      Json value = change.members().get(name);
      Member member = members.get(name);
      if (value == null && member != null && !sparse && !current.has(name)) {
        value = member.fallback();
      }
      if (value instanceof Json.Null && sparse) {
        body = body.without(name);
      } else if (value != null) {
        body = body.with(name, value);
      }
    }
    return body;
  }

  /** Returns a resource as it is shown. */
  public Json.Obj shown(Document document) {
    Json.Obj.Builder out = Json.object().put("id", document.id());
    for (Member member : members.values()) {
      String name = member.name();
      switch (member.role()) {
        case FIXED, SET, MADE, MASKED -> out.put(name, value(document, member));
        case HIDDEN -> out.put(name, document.hidden());
        case WORKSPACE -> out.putOrNull(name, document.group().isEmpty() ? null : document.group());
        case SECRET -> {
          // never shown
        }
      }
    }
    return out.put("created_at", Timestamps.text(document.createdAt()))
        .putOrNull(
            "updated_at", document.version() == 1 ? null : Timestamps.text(document.updatedAt()))
        .build();
  }

  private static Json value(Document document, Member member) {
    Json value = document.body().get(member.name());
    return value != null ? value : Objects.requireNonNullElse(member.fallback(), Json.NULL);
  }

  /** Returns whether the audit log shows the values of a member. */
  public boolean isAuditValueShown(String name) {
    return stored.contains(name) && !redactedInAudit.contains(name) && !isInternal(name);
  }

  /** Returns whether a member of a document's body is internal, so not part of the resource. */
  public boolean isInternal(String name) {
    return name.equals(SEALED) || name.equals(secret) || internal.contains(name);
  }

  /** Returns the member that is kept in {@link Document#hidden()}; null when there is none. */
  public @Nullable String hidden() {
    return hidden;
  }

  /** Returns the member that is kept in {@link #SEALED}; null when there is none. */
  public @Nullable String secret() {
    return secret;
  }

  /** Builds a table; members are added in the order in which they are shown. */
  public static final class Builder {
    private final Map<String, Member> members = new LinkedHashMap<>();
    private final List<String> storedFirst = new ArrayList<>();
    private final Set<String> internal = new LinkedHashSet<>();
    private final Set<String> redactedInAudit = new LinkedHashSet<>();
    private boolean sparse;

    private Builder() {}

    private Builder add(Member member) {
      if (members.putIfAbsent(member.name(), member) != null) {
        throw new IllegalArgumentException("two lines for " + member.name());
      }
      return this;
    }

    private Builder add(
        String name,
        Role role,
        @Nullable Rule<Json> create,
        @Nullable Rule<Json> update,
        @Nullable Json fallback) {
      return add(new Member(name, role, false, create, update, fallback));
    }

    /** Adds a member that has to be given when a resource is created, and never changes. */
    public Builder fixed(String name, Rule<Json> rule) {
      return add(new Member(name, Role.FIXED, true, rule, null, null));
    }

    /** Adds a member that may be given when a resource is created, and never changes. */
    public Builder fixed(String name, Rule<Json> rule, Json fallback) {
      return add(name, Role.FIXED, rule, null, fallback);
    }

    /** Adds a member as {@link #fixed(String, Rule, Json)} does, which is not kept unless given. */
    public Builder fixedIfGiven(String name, Rule<Json> rule) {
      return add(name, Role.FIXED, rule, null, null);
    }

    /** Adds a member that has to be given when a resource is created, and may be changed. */
    public Builder required(String name, Rule<Json> rule) {
      return add(new Member(name, Role.SET, true, rule, rule, null));
    }

    /** Adds a member that may be given and changed; an explicit null is refused. */
    public Builder optional(String name, Rule<Json> rule, Json fallback) {
      return add(name, Role.SET, rule, rule, fallback);
    }

    /** Adds a member that may be given and changed; null, the default, clears it. */
    public Builder clearable(String name, Rule<Json> rule) {
      Rule<Json> orClear = ResourceRules.orElse(rule, Json.NULL);
      return add(name, Role.SET, orClear, orClear, Json.NULL);
    }

    /**
     * Adds a member that is kept in {@link Document#hidden()}; false unless it is given.
     *
     * @param create null when a body that creates a resource does not have it
     */
    public Builder hidden(String name, @Nullable Rule<Json> create, Rule<Json> update) {
      return add(name, Role.HIDDEN, create, update, Json.FALSE);
    }

    /** Adds a member that has to be given, is encrypted before it is kept and is never shown. */
    public Builder secret(String name, Rule<Json> rule) {
      return add(new Member(name, Role.SECRET, true, rule.secret(), rule.secret(), null));
    }

    /**
     * Adds a member that has to be given and is encrypted before it is kept. It is not among the
     * values: the code of the resource reads it, and stores its masked form in documents.
     */
    public Builder masked(String name) {
      return add(new Member(name, Role.MASKED, true, checked(Rules.any()), null, null));
    }

    /** Returns a rule whose value is not kept. */
    private static Rule<Json> checked(Rule<?> rule) {
      return (given, context) -> {
        rule.read(given, context);
        return null;
      };
    }

    /**
     * Adds {@code workspace_id}.
     *
     * @param rule the rule in a body that creates a resource; {@link Values} leave it out
     */
    public Builder workspace(Rule<?> rule) {
      return add("workspace_id", Role.WORKSPACE, checked(rule), null, Json.NULL);
    }

    /**
     * Adds a member that the engine makes.
     *
     * @param fallback the value shown for a document without the member
     */
    public Builder made(String name, Json fallback) {
      return add(name, Role.MADE, null, null, fallback);
    }

    /** Names the members that come first in documents, including ones that are not shown. */
    public Builder storedFirst(String... names) {
      storedFirst.addAll(List.of(names));
      return this;
    }

    /** Names internal members of documents, which are not part of the resource. */
    public Builder internal(String... names) {
      internal.addAll(List.of(names));
      return this;
    }

    /** Names members whose values the audit log does not show. */
    public Builder redactedInAudit(String... names) {
      redactedInAudit.addAll(List.of(names));
      return this;
    }

    /** Makes documents hold only the values that are given: no nulls and no defaults. */
    public Builder sparse() {
      sparse = true;
      return this;
    }

    public ResourceType build() {
      return new ResourceType(this);
    }
  }
}
