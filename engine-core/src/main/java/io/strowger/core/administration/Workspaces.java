package io.strowger.core.administration;

import io.strowger.core.ambient.Uuids;
import io.strowger.core.audit.AuditAction;
import io.strowger.core.audit.AuditActor;
import io.strowger.core.audit.AuditChanges;
import io.strowger.core.audit.AuditLog;
import io.strowger.core.decode.Problems;
import io.strowger.core.destination.Destinations;
import io.strowger.core.preset.PresetDirectory;
import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.core.resource.ResourceType;
import io.strowger.core.resource.ResourceType.Values;
import io.strowger.core.resource.WorkspaceTable;
import io.strowger.core.store.DocumentRepository;
import io.strowger.core.store.StoreWatch;
import io.strowger.core.store.WorkspaceGuard;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.DocumentStore.Write;
import io.strowger.spi.store.Period;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The workspaces of the account; the default one always exists. A slug is stored as a document of
 * its own, so that no two workspaces share one. Safe on any thread; every method may throw {@link
 * io.strowger.spi.store.StoreUnavailableException}. Resources fact sheet, section 4.
 */
public final class Workspaces {
  static final String KIND = "workspace";
  private static final String SLUG_KIND = "workspace-slug";
  private static final ResourceType TYPE = WorkspaceTable.TYPE;

  private final StoreWatch watch;
  private final Ambient ambient;
  private final WorkspaceGuard workspaceGuard;
  private final DocumentRepository repository;
  private final DocumentRepository slugs;
  private final DocumentRepository guardrails;
  private final AuditLog audit;

  public Workspaces(StoreWatch watch, Ambient ambient) {
    this.watch = watch;
    this.ambient = ambient;
    this.workspaceGuard = new WorkspaceGuard(watch, ambient);
    this.repository = new DocumentRepository(watch, KIND, ambient);
    this.slugs = new DocumentRepository(watch, SLUG_KIND, ambient);
    this.guardrails = new DocumentRepository(watch, Guardrails.KIND, ambient);
    this.audit = new AuditLog(ambient);
  }

  /** Creates the default workspace unless it exists. */
  void seed() {
    if (repository.find(DefaultWorkspace.ID) == null) {
      Json.Obj body = Json.object().put("name", "Default").put("slug", "default").build();
      var problems = new Problems();
      insert(
          DefaultWorkspace.ID,
          problems.requireValid(TYPE.create(body, problems)),
          AuditActor.CONFIGURATION); // another node may be first
    }
  }

  private @Nullable Document insert(String id, Values values, AuditActor actor) {
    Document workspace = repository.newDocument(id, "", TYPE.body(values));
    Document guardrail =
        guardrails.newDocument(
            Guardrails.defaultGuardrailId(id), id, Guardrails.defaultGuardrailBody(id));
    return watch.write(
            List.of(
                new Write.Insert(workspace),
                new Write.Insert(slugDocument(slug(workspace), id)),
                new Write.Insert(guardrail),
                workspaceGuard.newGuardDocument(id),
                auditEntry(actor, AuditAction.WORKSPACE_CREATE, null, workspace)))
        ? workspace
        : null;
  }

  private static String slug(Document workspace) {
    return Objects.requireNonNullElse(workspace.body().text("slug"), "");
  }

  /**
   * Returns the audit entry of a change, in which each budget is a member of its own.
   *
   * @param before the document before the change; null when it is created
   */
  private Write auditEntry(
      AuditActor actor, AuditAction action, @Nullable Document before, Document after) {
    AuditChanges auditChanges = AuditChanges.between(before, after, TYPE);
    Json.Obj from = budgets(before == null ? Json.Obj.EMPTY : before.body());
    Json.Obj to = budgets(after.body());
    for (Period period : Period.values()) {
      String word = Workspace.wireName(period);
      auditChanges =
          auditChanges.and("budgets." + word, orNull(from.get(word)), orNull(to.get(word)));
    }
    return audit.entry(actor, action, subject(after), auditChanges);
  }

  private static Json.Obj budgets(Json.Obj body) {
    Json.Obj budgets = body.object(WorkspaceTable.BUDGETS);
    return budgets == null ? Json.Obj.EMPTY : budgets;
  }

  private static Json orNull(@Nullable Json value) {
    return value == null ? Json.NULL : value;
  }

  private static AuditLog.Subject subject(Document workspace) {
    return new AuditLog.Subject(workspace.id(), workspace.body().text("name"), workspace.id());
  }

  private Document slugDocument(String slug, String id) {
    return slugs.newDocument(slug, "", Json.object().put("workspace_id", id).build());
  }

  /**
   * Creates a workspace with a default guardrail that forbids nothing yet.
   *
   * @throws GatewayException 409 when another workspace has the slug
   */
  public Document create(Values values, AuditActor actor) {
    Document workspace = insert(Uuids.next(ambient).toString(), values, actor);
    if (workspace == null) {
      throw slugConflict(values.text("slug"));
    }
    return workspace;
  }

  private static GatewayException slugConflict(@Nullable String slug) {
    return GatewayError.of(
            ErrorCode.CONFLICT, "A workspace with the slug '" + slug + "' already exists")
        .toException();
  }

  /**
   * Returns the id of an existing workspace, as it is stored.
   *
   * @param name the id, in upper or lower case
   * @return null when there is none
   */
  public @Nullable String existingId(String name) {
    String id = name.toLowerCase(Locale.ROOT);
    boolean exists =
        id.equals(DefaultWorkspace.ID) || id.length() == 36 && repository.find(id) != null;
    return exists ? id : null;
  }

  /**
   * Returns the id of the workspace that a path names.
   *
   * @param name an id or a slug
   * @return null when there is none
   */
  public @Nullable String resolveId(String name) {
    String id = existingId(name);
    if (id != null || name.isEmpty() || name.length() > 50) {
      return id;
    }
    Document slug = slugs.find(name);
    return slug == null ? null : slug.body().text("workspace_id");
  }

  /** Returns a workspace; null when there is none. */
  public @Nullable Document find(String id) {
    return repository.find(id);
  }

  /** Returns a page of the workspaces, oldest first. */
  public DocumentStore.Page list(long offset, int limit) {
    return repository.list(null, true, DocumentStore.Order.OLDEST_FIRST, offset, limit);
  }

  /**
   * Changes a workspace.
   *
   * @return the workspace after the change; null when there is none
   * @throws GatewayException 409 when another workspace has the new slug
   */
  public @Nullable Document update(String id, Values change, AuditActor actor) {
    while (true) {
      Document current = repository.find(id);
      if (current == null) {
        return null;
      }
      Document next = TYPE.next(current, repository.now(), change);
      if (next.body().equals(current.body())) {
        return current;
      }
      List<Write> writes = new ArrayList<>(List.of(new Write.Replace(next)));
      writes.add(auditEntry(actor, AuditAction.WORKSPACE_UPDATE, current, next));
      if (!slug(next).equals(slug(current))) {
        if (slugs.find(slug(next)) != null) {
          throw slugConflict(slug(next));
        }
        writes.add(new Write.Remove(SLUG_KIND, slug(current), 1));
        writes.add(new Write.Insert(slugDocument(slug(next), id)));
      }
      if (watch.write(writes)) {
        return next;
      }
    }
  }

  /**
   * Sets or removes a budget. The budget of a longer period must exceed that of a shorter one.
   *
   * @param limit the budget; null to remove it, which does nothing when there is none
   * @return the workspace after the change; null when there is none
   * @throws GatewayException 400 when a longer period would not have the larger budget
   */
  public @Nullable Document setBudget(
      String id, Period period, @Nullable Usd limit, AuditActor actor) {
    return repository.change(
        id,
        (current, at) -> {
          Map<Period, Usd> budgets = new EnumMap<>(Period.class);
          budgets.putAll(Workspace.read(current).budgets());
          if (limit == null) {
            return budgets.remove(period) == null
                ? current
                : current.next(at, Workspace.withBudgets(current.body(), budgets));
          }
          budgets.put(period, limit);
          checkOrder(budgets);
          return current.next(at, Workspace.withBudgets(current.body(), budgets));
        },
        (current, next) ->
            auditEntry(
                actor,
                AuditAction.WORKSPACE_UPDATE,
                current,
                Objects.requireNonNull(next, "an update removes nothing")));
  }

  private static void checkOrder(Map<Period, Usd> budgets) {
    Period shorterPeriod = null;
    for (Period period : List.of(Period.DAILY, Period.WEEKLY, Period.MONTHLY, Period.LIFETIME)) {
      Usd limit = budgets.get(period);
      Usd shorterLimit = shorterPeriod == null ? null : budgets.get(shorterPeriod);
      if (limit != null
          && shorterPeriod != null
          && shorterLimit != null
          && !limit.isMoreThan(shorterLimit)) {
        throw GatewayError.of(
                ErrorCode.INVALID_REQUEST,
                "The budget of a longer period must be larger than that of a shorter one: "
                    + (Workspace.wireName(period) + " is " + limit)
                    + (", " + Workspace.wireName(shorterPeriod) + " is " + shorterLimit))
            .toException();
      }
      shorterPeriod = limit == null ? shorterPeriod : period;
    }
  }

  /**
   * Removes a workspace with its presets, guardrails, BYOK keys and destinations, all or nothing;
   * its books stay.
   *
   * @return false when there is none
   * @throws GatewayException 400 when it is the default one, 409 when it has keys
   */
  public boolean delete(String id, AuditActor actor) {
    if (id.equals(DefaultWorkspace.ID)) {
      throw GatewayError.of(ErrorCode.INVALID_REQUEST, "The default workspace cannot be deleted")
          .toException();
    }
    return workspaceGuard.remove(id, () -> removals(id, actor));
  }

  private @Nullable List<Write> removals(String id, AuditActor actor) {
    Document current = repository.find(id);
    if (current == null) {
      return null;
    }
    var keys = new DocumentRepository(watch, Keys.KIND, ambient);
    if (keys.list(id, true, DocumentStore.Order.OLDEST_FIRST, 0, 1).total() > 0) {
      throw GatewayError.of(ErrorCode.CONFLICT, "The workspace has keys; delete them first")
          .toException();
    }
    var writes = new ArrayList<Write>();
    writes.add(removal(current));
    writes.add(new Write.Remove(SLUG_KIND, slug(current), 1));
    writes.addAll(PresetDirectory.removals(watch, ambient, id, actor));
    var workspaceGuardrails = new Guardrails(watch, ambient);
    guardrails
        .findAll(id)
        .forEach(guardrail -> writes.addAll(workspaceGuardrails.removals(guardrail, actor)));
    for (Document key : new DocumentRepository(watch, StoredByokKeys.KIND, ambient).findAll(id)) {
      writes.add(removal(key));
      writes.add(audit.removal(actor, AuditAction.BYOK_DELETE, key));
    }
    writes.addAll(Destinations.removals(watch, ambient, id, actor));
    writes.add(
        audit.entry(actor, AuditAction.WORKSPACE_DELETE, subject(current), AuditChanges.NONE));
    return writes;
  }

  private static Write removal(Document document) {
    return new Write.Remove(document.kind(), document.id(), document.version());
  }
}
