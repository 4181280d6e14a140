package io.strowger.core.audit;

import io.strowger.core.resource.ResourceType;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which members of a resource a change sets, with the values before and after of those that may be
 * told. Immutable.
 */
public final class AuditChanges {
  /** A removal, which has nothing to set. */
  public static final AuditChanges NONE = new AuditChanges(List.of());

  /** A longer value is not repeated: the log is no second store of what people write. */
  private static final int LONGEST_VALUE_BYTES = 1_000;

  private final List<Json> members;

  private AuditChanges(List<Json> members) {
    this.members = List.copyOf(members);
  }

  /**
   * How the members of a kind of document are told.
   *
   * @param shown told with their values
   * @param internal not told at all: they are no members of the resource
   */
  public record Members(Set<String> shown, Set<String> internal) {
    public Members {
      shown = Set.copyOf(shown);
      internal = Set.copyOf(internal);
    }
  }

  /**
   * Returns what differs between two bodies. A member that is neither shown nor internal is named
   * without its values.
   */
  public static AuditChanges between(Json.Obj before, Json.Obj after, Members members) {
    var names = new LinkedHashSet<String>();
    addNames(before, names);
    addNames(after, names);
    names.removeAll(members.internal());
    AuditChanges auditChanges = NONE;
    for (String name : names) {
      Json from = orNull(before.get(name));
      Json to = orNull(after.get(name));
      if (!from.equals(to)) {
        auditChanges =
            members.shown().contains(name)
                ? auditChanges.and(name, from, to)
                : auditChanges.and(name);
      }
    }
    return auditChanges;
  }

  /**
   * Returns what a change of a resource tells: of what is encrypted the name alone, and last whether
   * the document is hidden.
   *
   * @param before null when the resource is created
   */
  public static AuditChanges between(
      @Nullable Document before, Document after, ResourceType type) {
    Json.Obj from = before == null ? Json.Obj.EMPTY : before.body();
    var names = new LinkedHashSet<String>();
    addNames(from, names);
    addNames(after.body(), names);
    AuditChanges changes = NONE;
    for (String name : names) {
      if (!type.isInternal(name)) {
        changes =
            changes.and(
                name,
                orNull(from.get(name)),
                orNull(after.body().get(name)),
                type.tellsValueOf(name));
      }
    }
    String secret = type.secret();
    if (secret != null) {
      changes =
          changes.and(
              secret,
              orNull(from.get(ResourceType.SEALED)),
              orNull(after.body().get(ResourceType.SEALED)),
              false);
    }
    String hidden = type.hidden();
    return hidden == null
        ? changes
        : changes.and(
            hidden, Json.of(before != null && before.hidden()), Json.of(after.hidden()));
  }

  private AuditChanges and(String name, Json from, Json to, boolean isShown) {
    if (from.equals(to)) {
      return this;
    }
    return isShown ? and(name, from, to) : and(name);
  }

  private static void addNames(Json.Obj body, Set<String> names) {
    for (int i = 0; i < body.size(); i++) {
      names.add(body.name(i));
    }
  }

  private static Json orNull(@Nullable Json value) {
    return value == null ? Json.NULL : value;
  }

  /** Returns these and one more, with its values unless they are too long; none when they agree. */
  public AuditChanges and(String name, Json from, Json to) {
    if (from.equals(to)) {
      return this;
    }
    return isLong(from) || isLong(to)
        ? and(name)
        : with(Json.object().put("member", name).put("from", from).put("to", to).build());
  }

  /**
   * Returns these and a list of ids that is set, whole however long: each of them is what is
   * changed.
   */
  public AuditChanges set(String name, List<String> ids) {
    return with(
        Json.object().put("member", name).put("from", Json.NULL).put("to", array(ids)).build());
  }

  /** Returns these and a list of ids that is taken away, as {@link #set}. */
  public AuditChanges unset(String name, List<String> ids) {
    return with(
        Json.object().put("member", name).put("from", array(ids)).put("to", Json.NULL).build());
  }

  private static Json array(List<String> texts) {
    return Json.array(texts.stream().map(Json::of).toList());
  }

  /** Returns these and one more without its values. */
  public AuditChanges and(String name) {
    return with(Json.object().put("member", name).build());
  }

  private AuditChanges with(Json change) {
    var all = new ArrayList<>(members);
    all.add(change);
    return new AuditChanges(all);
  }

  private static boolean isLong(Json value) {
    return value.toBytes().length > LONGEST_VALUE_BYTES;
  }

  Json toJson() {
    return Json.array(members);
  }
}
