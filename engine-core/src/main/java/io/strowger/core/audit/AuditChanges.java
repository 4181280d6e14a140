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
 * The members of a resource that a change sets, with the old and new values of those that may be
 * shown. Immutable.
 */
public final class AuditChanges {
  /** No changes, as for a removal. */
  public static final AuditChanges NONE = new AuditChanges(List.of());

  /** The longest value that is logged: the log must not become a second store of user content. */
  private static final int MAX_VALUE_BYTES = 1_000;

  private final List<Json> members;

  private AuditChanges(List<Json> members) {
    this.members = List.copyOf(members);
  }

  /**
   * Returns the changes between two versions of a resource. An encrypted member appears by its name
   * only, and a change of the hidden flag comes last.
   *
   * @param before the earlier version; null when the resource is created
   */
  public static AuditChanges between(@Nullable Document before, Document after, ResourceType type) {
    Json.Obj from = before == null ? Json.Obj.EMPTY : before.body();
    Json.Obj to = after.body();
    var names = new LinkedHashSet<String>();
    addNames(from, names);
    addNames(to, names);
    names.removeIf(type::isInternal);
    AuditChanges changes = NONE;
    for (String name : names) {
      Json old = orNull(from.get(name));
      Json current = orNull(to.get(name));
      if (type.isAuditValueShown(name)) {
        changes = changes.and(name, old, current);
      } else if (!old.equals(current)) {
        changes = changes.and(name);
      }
    }
    String secret = type.secretMember();
    if (secret != null
        && !orNull(from.get(ResourceType.SEALED)).equals(orNull(to.get(ResourceType.SEALED)))) {
      changes = changes.and(secret);
    }
    String hidden = type.hiddenMember();
    return hidden == null
        ? changes
        : changes.and(hidden, Json.of(before != null && before.hidden()), Json.of(after.hidden()));
  }

  private static void addNames(Json.Obj body, Set<String> names) {
    for (int i = 0; i < body.size(); i++) {
      names.add(body.name(i));
    }
  }

  private static Json orNull(@Nullable Json value) {
    return value == null ? Json.NULL : value;
  }

  /**
   * Returns these changes and one more, with its values unless they are too long; this object if
   * both values are equal.
   */
  public AuditChanges and(String name, Json from, Json to) {
    if (from.equals(to)) {
      return this;
    }
    return isLong(from) || isLong(to)
        ? and(name)
        : with(Json.object().put("member", name).put("from", from).put("to", to).build());
  }

  /**
   * Returns these changes and ids that are added to a list. All ids are included, however many,
   * since they are the change.
   */
  public AuditChanges withAdded(String name, List<String> ids) {
    return with(
        Json.object().put("member", name).put("from", Json.NULL).put("to", array(ids)).build());
  }

  /** Returns these changes and ids that are removed from a list, like {@link #withAdded}. */
  public AuditChanges withRemoved(String name, List<String> ids) {
    return with(
        Json.object().put("member", name).put("from", array(ids)).put("to", Json.NULL).build());
  }

  private static Json array(List<String> texts) {
    return Json.array(texts.stream().map(Json::of).toList());
  }

  /** Returns these changes and one more, without its values. */
  public AuditChanges and(String name) {
    return with(Json.object().put("member", name).build());
  }

  private AuditChanges with(Json change) {
    var result = new ArrayList<>(members);
    result.add(change);
    return new AuditChanges(result);
  }

  private static boolean isLong(Json value) {
    return value.toBytes().length > MAX_VALUE_BYTES;
  }

  Json toJson() {
    return Json.array(members);
  }
}
