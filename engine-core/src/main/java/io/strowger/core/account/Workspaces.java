package io.strowger.core.account;

import io.strowger.core.ambient.Uuids;
import io.strowger.core.preset.PresetDirectory;
import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.core.resource.WorkspaceFields;
import io.strowger.core.store.Shelf;
import io.strowger.core.store.StoreWatch;
import io.strowger.core.store.Tenancy;
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
import org.jspecify.annotations.Nullable;

/**
 * The workspaces of the account, of which one is always there. A slug is kept as a document of its
 * own, so that two workspaces never get the same. Safe on any thread; every method may throw {@link
 * io.strowger.spi.store.StoreUnavailableException}. Resources fact sheet, section 4.
 */
public final class Workspaces {
  static final String KIND = "workspace";
  private static final String SLUGS = "workspace-slug";

  private final StoreWatch watch;
  private final Ambient ambient;
  private final Tenancy tenancy;
  private final Shelf shelf;
  private final Shelf slugs;
  private final Shelf guardrails;

  public Workspaces(StoreWatch watch, Ambient ambient) {
    this.watch = watch;
    this.ambient = ambient;
    this.tenancy = new Tenancy(watch, ambient);
    this.shelf = new Shelf(watch, KIND, ambient);
    this.slugs = new Shelf(watch, SLUGS, ambient);
    this.guardrails = new Shelf(watch, Guardrails.KIND, ambient);
  }

  /** A part of a list. */
  public record Listed(List<Workspace> workspaces, long total) {}

  /** Makes the one that is always there, unless it is. */
  void seed() {
    if (shelf.find(DefaultWorkspace.ID) == null) {
      var fields = new WorkspaceFields("Default", "default", null, null, null, null, false, false);
      write(DefaultWorkspace.ID, fields); // another node that starts now is as good
    }
  }

  private @Nullable Document write(String id, WorkspaceFields fields) {
    Document made = shelf.fresh(id, "", Workspace.body(fields));
    Document guardrail =
        guardrails.fresh(Guardrails.idOfWorkspace(id), id, Guardrails.bodyOfWorkspace(id));
    return watch.write(
            List.of(
                new Write.Insert(made),
                new Write.Insert(slug(fields.slug(), id)),
                new Write.Insert(guardrail),
                tenancy.door(id)))
        ? made
        : null;
  }

  private Document slug(String slug, String id) {
    return slugs.fresh(slug, "", Json.object().put("workspace_id", id).build());
  }

  /**
   * Makes a workspace, with a guardrail of its own that forbids nothing yet.
   *
   * @throws GatewayException 409 when another has its slug
   */
  public Workspace create(WorkspaceFields fields) {
    Document made = write(Uuids.next(ambient).toString(), fields);
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
    boolean there = id.equals(DefaultWorkspace.ID) || id.length() == 36 && shelf.find(id) != null;
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
    Document document = shelf.find(id);
    return document == null ? null : Workspace.read(document);
  }

  /** A part of the workspaces, the oldest first. */
  public Listed list(long offset, int limit) {
    DocumentStore.Page page =
        shelf.list(null, true, DocumentStore.Order.CREATED_FIRST, offset, limit);
    return new Listed(page.documents().stream().map(Workspace::read).toList(), page.total());
  }

  /**
   * Changes a workspace.
   *
   * @return the workspace after it; null when there is none
   * @throws GatewayException 409 when another has its new slug
   */
  public @Nullable Workspace update(String id, WorkspaceFields.Change change) {
    while (true) {
      Document current = shelf.find(id);
      if (current == null) {
        return null;
      }
      Workspace before = Workspace.read(current);
      WorkspaceFields fields = change.over(before.fields());
      Document next = current.next(shelf.now(), Workspace.with(current.body(), fields));
      List<Write> writes = new ArrayList<>(List.of(new Write.Replace(next)));
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
  public @Nullable Workspace budget(String id, Period period, @Nullable Usd limit) {
    Document changed =
        shelf.change(
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
            });
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
   * Removes a workspace with its presets, guardrails and own keys of providers, all or nothing; its
   * books stay.
   *
   * @return false when there is none
   * @throws GatewayException 400 when it is the one that is always there, 409 when it has keys
   */
  public boolean delete(String id) {
    if (id.equals(DefaultWorkspace.ID)) {
      throw GatewayError.of(ErrorCode.INVALID_REQUEST, "The default workspace cannot be deleted")
          .toException();
    }
    return tenancy.remove(id, () -> removals(id));
  }

  private @Nullable List<Write> removals(String id) {
    Document current = shelf.find(id);
    if (current == null) {
      return null;
    }
    var keys = new Shelf(watch, Keys.KIND, ambient);
    if (keys.list(id, true, DocumentStore.Order.CREATED_FIRST, 0, 1).total() > 0) {
      throw GatewayError.of(ErrorCode.CONFLICT, "The workspace has keys; delete them first")
          .toException();
    }
    var writes = new ArrayList<Write>();
    writes.add(removal(current));
    writes.add(new Write.Remove(SLUGS, Workspace.read(current).fields().slug(), 1));
    addContents(PresetDirectory.PRESET, List.of(PresetDirectory.VERSION), id, writes);
    addContents(Guardrails.KIND, List.of(Assignments.OF_KEYS, Assignments.OF_MEMBERS), id, writes);
    addContents(OwnKeys.KIND, List.of(), id, writes);
    return writes;
  }

  /**
   * @param parts of the documents of a kind, each grouped by its document
   */
  private void addContents(String kind, List<String> parts, String id, List<Write> writes) {
    for (Document content : new Shelf(watch, kind, ambient).all(id)) {
      writes.add(removal(content));
      for (String part : parts) {
        for (Document one : new Shelf(watch, part, ambient).all(content.id())) {
          writes.add(removal(one));
        }
      }
    }
  }

  private static Write removal(Document document) {
    return new Write.Remove(document.kind(), document.id(), document.version());
  }
}
