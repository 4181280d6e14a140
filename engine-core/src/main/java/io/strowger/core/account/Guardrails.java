package io.strowger.core.account;

import io.strowger.core.ambient.Uuids;
import io.strowger.core.config.Guardrail;
import io.strowger.core.store.Shelf;
import io.strowger.core.store.StoreWatch;
import io.strowger.core.store.Tenancy;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.DocumentStore.Write;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The guardrails of the account, kept in the resource's own form. One does nothing until it is
 * assigned; every workspace has one of its own that binds all of its keys. Safe on any thread;
 * every method may throw {@link io.strowger.spi.store.StoreUnavailableException}. Resources fact
 * sheet, section 4.
 */
public final class Guardrails {
  static final String KIND = "guardrail";

  private final StoreWatch watch;
  private final Tenancy tenancy;
  private final Ambient ambient;
  private final Shelf shelf;
  private final List<Shelf> assignments;

  public Guardrails(StoreWatch watch, Ambient ambient) {
    this.watch = watch;
    this.tenancy = new Tenancy(watch, ambient);
    this.ambient = ambient;
    this.shelf = new Shelf(watch, KIND, ambient);
    this.assignments =
        List.of(
            new Shelf(watch, Assignments.OF_KEYS, ambient),
            new Shelf(watch, Assignments.OF_MEMBERS, ambient));
  }

  /** A part of a list. */
  public record Listed(List<Document> guardrails, long total) {}

  /** The id of a workspace's own guardrail, always the same. */
  static String idOfWorkspace(String workspace) {
    byte[] name = ("guardrail of " + workspace).getBytes(StandardCharsets.UTF_8);
    return UUID.nameUUIDFromBytes(name).toString();
  }

  static Json.Obj bodyOfWorkspace(String workspace) {
    return Json.object().put("name", "Workspace " + workspace + " Default").build();
  }

  static Guardrail read(Document document) {
    return Guardrail.of(document.id(), document.body());
  }

  /**
   * Makes one.
   *
   * @param body judged good, in the resource's own form without what the store knows
   */
  public Document create(Json.Obj body, String workspace) {
    Document made = shelf.fresh(Uuids.next(ambient).toString(), workspace, body);
    if (!tenancy.add(workspace, List.of(new Write.Insert(made)))) {
      throw GatewayError.of(ErrorCode.CONFLICT).toException();
    }
    return made;
  }

  /**
   * @return null when there is none
   */
  public @Nullable Document find(String id) {
    return shelf.find(id);
  }

  /**
   * A part of the guardrails, the newest first.
   *
   * @param workspace null: of all
   */
  public Listed list(@Nullable String workspace, long offset, int limit) {
    DocumentStore.Page page =
        shelf.list(workspace, true, DocumentStore.Order.CREATED_LAST, offset, limit);
    return new Listed(page.documents(), page.total());
  }

  /**
   * Changes one.
   *
   * @param change makes the whole body anew; may be asked more than once, and may throw
   * @return what it is after it; null when there is none
   */
  public @Nullable Document update(String id, UnaryOperator<Json.Obj> change) {
    return shelf.change(id, (current, at) -> current.next(at, change.apply(current.body())));
  }

  /**
   * Removes one, and what assigned it; its books stay.
   *
   * @return false when there is none
   * @throws io.strowger.spi.error.GatewayException 400 when it is a workspace's own
   */
  public boolean delete(String id) {
    while (true) {
      Document current = shelf.find(id);
      if (current == null) {
        return false;
      }
      if (id.equals(idOfWorkspace(current.group()))) {
        throw GatewayError.of(
                ErrorCode.INVALID_REQUEST, "The default guardrail of a workspace cannot be deleted")
            .toException();
      }
      var writes = new ArrayList<Write>();
      writes.add(new Write.Remove(KIND, id, current.version()));
      for (Shelf each : assignments) {
        for (Document assigned : each.all(id)) {
          writes.add(new Write.Remove(each.kind(), assigned.id(), assigned.version()));
        }
      }
      if (watch.write(writes)) {
        return true;
      }
    }
  }
}
