package io.strowger.core.administration;

import io.strowger.core.ambient.Uuids;
import io.strowger.core.audit.AuditAction;
import io.strowger.core.audit.AuditActor;
import io.strowger.core.audit.AuditChanges;
import io.strowger.core.audit.AuditLog;
import io.strowger.core.destination.Destinations;
import io.strowger.core.preset.PresetDirectory;
import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.core.resource.WorkspaceFields;
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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The workspaces of the account, of which one is always there. A slug is kept as a document of its
 * own, so that two workspaces never get the same. Safe on any thread; every method may throw {@link
 * io.strowger.spi.store.StoreUnavailableException}. Resources fact sheet, section 4.
 */
public final class Workspaces {
  static final String KIND = "workspace";
  private static final String SLUGS = "workspace-slug";
  private static final String BUDGETS = "budgets";

  /** Members as the audit log tells of them. */
  private static final AuditChanges.Members TOLD =
      new AuditChanges.Members(
          Set.of(
              "name",
              "slug",
              "description",
              "default_text_model",
              "default_image_model",
              "default_provider_sort",
              "is_observability_io_logging_enabled",
              "is_observability_broadcast_enabled"),
          Set.of());

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
    this.slugs = new DocumentRepository(watch, SLUGS, ambient);
    this.guardrails = new DocumentRepository(watch, Guardrails.KIND, ambient);
    this.audit = new AuditLog(ambient);
  }

  /** A part of a list. */
  public record Listed(List<Workspace> workspaces, long total) {}

  /** Makes the one that is always there, unless it is. */
  void seed() {
    if (repository.find(DefaultWorkspace.ID) == null) {
      var fields = new WorkspaceFields("Default", "default", null, null, null, null, false, true);
      write(
          DefaultWorkspace.ID,
          fields,
          AuditActor.CONFIGURATION); // another node that starts now is as good
    }
  }

  private @Nullable Document write(String id, WorkspaceFields fields, AuditActor by) {
    Document made = repository.newDocument(id, "", Workspace.body(fields));
    Document guardrail =
        guardrails.newDocument(Guardrails.idOfWorkspace(id), id, Guardrails.bodyOfWorkspace(id));
    return watch.write(
            List.of(
                new Write.Insert(made),
                new Write.Insert(slug(fields.slug(), id)),
                new Write.Insert(guardrail),
                workspaceGuard.newGuardDocument(id),
                entry(by, AuditAction.WORKSPACE_CREATE, Json.Obj.EMPTY, made)))
        ? made
        : null;
  }

  /**
   * @param before its body; empty when it is made
   */
  private Write entry(AuditActor by, AuditAction action, Json.Obj before, Document after) {
    AuditChanges auditChanges =
        AuditChanges.between(before.without(BUDGETS), after.body().without(BUDGETS), TOLD);
    Json.Obj from = budgets(before);
    Json.Obj to = budgets(after.body());
    for (Period period : Period.values()) {
      String word = word(period);
      auditChanges =
          auditChanges.and("budgets." + word, orNull(from.get(word)), orNull(to.get(word)));
    }
    return audit.entry(by, action, subject(after), auditChanges);
  }

  private static Json.Obj budgets(Json.Obj body) {
    Json.Obj budgets = body.object(BUDGETS);
    return budgets == null ? Json.Obj.EMPTY : budgets;
  }

  private static Json orNull(@Nullable Json value) {
    return value == null ? Json.NULL : value;
  }

  private static AuditLog.Subject subject(Document workspace) {
    return new AuditLog.Subject(workspace.id(), workspace.body().text("name"), workspace.id());
  }

  private Document slug(String slug, String id) {
    return slugs.newDocument(slug, "", Json.object().put("workspace_id", id).build());
  }

  /**
   * Makes a workspace, with a guardrail of its own that forbids nothing yet.
   *
   * @throws GatewayException 409 when another has its slug
   */
  public Workspace create(WorkspaceFields fields, AuditActor by) {
    Document made = write(Uuids.next(ambient).toString(), fields, by);
    if (made == null) {
      throw taken(fields.slug());
    }
    return Workspace.read(made);
  }

  private static GatewayException taken(String slug) {
    return GatewayError.of(ErrorCode.CONFLICT, "There is a workspace with the slug " + slug)
        .toException();
  }

  /**
   * The id of a workspace there is, as it is kept.
   *
   * @param given in any case
   * @return null when there is none
   */
  public @Nullable String known(String given) {
    String id = given.toLowerCase(Locale.ROOT);
    boolean there = id.equals(DefaultWorkspace.ID) || id.length() == 36 && repository.find(id) != null;
    return there ? id : null;
  }

  /**
   * The id of what a path names.
   *
   * @param name an id or a slug
   * @return null when there is none
   */
  public @Nullable String named(String name) {
    String id = known(name);
    if (id != null || name.isEmpty() || name.length() > 50) {
      return id;
    }
    Document slug = slugs.find(name);
    return slug == null ? null : slug.body().text("workspace_id");
  }

  /**
   * @return null when there is none
   */
  public @Nullable Workspace find(String id) {
    Document document = repository.find(id);
    return document == null ? null : Workspace.read(document);
  }

  /** A part of the workspaces, the oldest first. */
  public Listed list(long offset, int limit) {
    DocumentStore.Page page =
        repository.list(null, true, DocumentStore.Order.CREATED_FIRST, offset, limit);
    return new Listed(page.documents().stream().map(Workspace::read).toList(), page.total());
  }

  /**
   * Changes a workspace.
   *
   * @return the workspace after it; null when there is none
   * @throws GatewayException 409 when another has its new slug
   */
  public @Nullable Workspace update(String id, WorkspaceFields.Change change, AuditActor by) {
    while (true) {
      Document current = repository.find(id);
      if (current == null) {
        return null;
      }
      Workspace before = Workspace.read(current);
      WorkspaceFields fields = change.over(before.fields());
      if (fields.equals(before.fields())) {
        return before;
      }
      Document next = current.next(repository.now(), Workspace.with(current.body(), fields));
      List<Write> writes = new ArrayList<>(List.of(new Write.Replace(next)));
      writes.add(entry(by, AuditAction.WORKSPACE_UPDATE, current.body(), next));
      if (!fields.slug().equals(before.fields().slug())) {
        if (slugs.find(fields.slug()) != null) {
          throw taken(fields.slug());
        }
        writes.add(new Write.Remove(SLUGS, before.fields().slug(), 1));
        writes.add(new Write.Insert(slug(fields.slug(), id)));
      }
      if (watch.write(writes)) {
        return Workspace.read(next);
      }
    }
  }

  /**
   * Sets or takes away a budget. A longer period may always spend more than a shorter one.
   *
   * @param limit null: none any more, as good as done where there was none
   * @return the workspace after it; null when there is none
   * @throws GatewayException 400 when it would not be so
   */
  public @Nullable Workspace budget(String id, Period period, @Nullable Usd limit, AuditActor by) {
    Document changed =
        repository.change(
            id,
            (current, at) -> {
              Map<Period, Usd> budgets = new EnumMap<>(Period.class);
              budgets.putAll(Workspace.read(current).budgets());
              if (limit == null) {
                return budgets.remove(period) == null
                    ? current
                    : current.next(at, Workspace.with(current.body(), budgets));
              }
              budgets.put(period, limit);
              checkOrder(budgets);
              return current.next(at, Workspace.with(current.body(), budgets));
            },
            (current, next) ->
                entry(
                    by,
                    AuditAction.WORKSPACE_UPDATE,
                    current.body(),
                    next == null ? current : next));
    return changed == null ? null : Workspace.read(changed);
  }

  private static void checkOrder(Map<Period, Usd> budgets) {
    Period shorter = null;
    for (Period period : List.of(Period.DAILY, Period.WEEKLY, Period.MONTHLY, Period.LIFETIME)) {
      Usd limit = budgets.get(period);
      Usd less = shorter == null ? null : budgets.get(shorter);
      if (limit != null && less != null && !limit.isMoreThan(less)) {
        throw GatewayError.of(
                ErrorCode.INVALID_REQUEST,
                "Budgets must be strictly larger the longer their interval: "
                    + (word(period) + " is " + limit + ", " + word(shorter) + " is " + less))
            .toException();
      }
      shorter = limit == null ? shorter : period;
    }
  }

  private static String word(@Nullable Period period) {
    return period == null ? "" : period.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Removes a workspace with its presets, guardrails, BYOK keys of providers and destinations, all
   * or nothing; its books stay.
   *
   * @return false when there is none
   * @throws GatewayException 400 when it is the one that is always there, 409 when it has keys
   */
  public boolean delete(String id, AuditActor by) {
    if (id.equals(DefaultWorkspace.ID)) {
      throw GatewayError.of(ErrorCode.INVALID_REQUEST, "The default workspace cannot be deleted")
          .toException();
    }
    return workspaceGuard.remove(id, () -> removals(id, by));
  }

  private @Nullable List<Write> removals(String id, AuditActor by) {
    Document current = repository.find(id);
    if (current == null) {
      return null;
    }
    var keys = new DocumentRepository(watch, Keys.KIND, ambient);
    if (keys.list(id, true, DocumentStore.Order.CREATED_FIRST, 0, 1).total() > 0) {
      throw GatewayError.of(ErrorCode.CONFLICT, "The workspace has keys; delete them first")
          .toException();
    }
    var writes = new ArrayList<Write>();
    writes.add(removal(current));
    writes.add(new Write.Remove(SLUGS, Workspace.read(current).fields().slug(), 1));
    writes.addAll(PresetDirectory.removals(watch, ambient, id, by));
    var inside = new Guardrails(watch, ambient);
    guardrails.all(id).forEach(guardrail -> writes.addAll(inside.removals(guardrail, by)));
    for (Document key : new DocumentRepository(watch, StoredByokKeys.KIND, ambient).all(id)) {
      writes.add(removal(key));
      writes.add(StoredByokKeys.removed(audit, key, by));
    }
    writes.addAll(Destinations.removals(watch, ambient, id, by));
    writes.add(audit.entry(by, AuditAction.WORKSPACE_DELETE, subject(current), AuditChanges.NONE));
    return writes;
  }

  private static Write removal(Document document) {
    return new Write.Remove(document.kind(), document.id(), document.version());
  }
}
