package io.strowger.core.account;

import io.strowger.core.store.Shelf;
import io.strowger.core.store.StoreWatch;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.DocumentStore.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whom guardrails bind: keys, or users and with them all of their keys. Each has one guardrail at
 * most; assigning another takes the place of the first. A document's id is the key's hash or the
 * user, its group is the guardrail. Safe on any thread; every method may throw {@link
 * io.strowger.spi.store.StoreUnavailableException}.
 */
public final class Assignments {
  static final String OF_KEYS = "guardrail-key";
  static final String OF_MEMBERS = "guardrail-member";

  private final StoreWatch watch;
  private final Shelf shelf;
  private final Shelf guardrails;
  private final @Nullable Shelf keys; // where keys are bound

  Assignments(StoreWatch watch, String kind, Ambient ambient) {
    this.watch = watch;
    this.shelf = new Shelf(watch, kind, ambient);
    this.guardrails = new Shelf(watch, Guardrails.KIND, ambient);
    this.keys = kind.equals(OF_KEYS) ? new Shelf(watch, Keys.KIND, ambient) : null;
  }

  /** A part of a list. */
  public record Listed(List<Document> assignments, long total) {}

  /**
   * Binds them, all or none, to a guardrail that is there.
   *
   * @param by who says so
   * @return how many were not bound by it before
   * @throws io.strowger.spi.error.GatewayException 404 when the guardrail, or a key, was deleted
   *     meanwhile
   */
  public int assign(String guardrail, Set<String> whom, String by) {
    Json.Obj body = Json.object().put("assigned_by", by).build();
    while (true) {
      var writes = new ArrayList<Write>();
      for (String one : whom) {
        Document current = shelf.find(one);
        if (current != null && current.group().equals(guardrail)) {
          continue;
        }
        if (current != null) {
          writes.add(new Write.Remove(shelf.kind(), one, current.version()));
        }
        if (keys != null) {
          writes.add(held(keys, one));
        }
        writes.add(new Write.Insert(shelf.fresh(one, guardrail, body)));
      }
      if (writes.isEmpty()) {
        return 0;
      }
      writes.add(held(guardrails, guardrail));
      if (watch.write(writes)) {
        return (int) writes.stream().filter(Write.Insert.class::isInstance).count();
      }
    }
  }

  /** Another version that says the same: whoever deletes what is bound, or binds, has to look. */
  private static Write held(Shelf of, String id) {
    Document there = of.find(id);
    if (there == null) {
      throw GatewayError.of(ErrorCode.NOT_FOUND).toException();
    }
    return new Write.Replace(there.next(there.updatedAt(), there.body()));
  }

  /**
   * Frees them, all or none.
   *
   * @return how many were bound by it
   */
  public int remove(String guardrail, Set<String> whom) {
    while (true) {
      var writes = new ArrayList<Write>();
      for (String one : whom) {
        Document current = shelf.find(one);
        if (current != null && current.group().equals(guardrail)) {
          writes.add(new Write.Remove(shelf.kind(), one, current.version()));
        }
      }
      if (writes.isEmpty() || watch.write(writes)) {
        return writes.size();
      }
    }
  }

  /**
   * A part of those who are bound, the newest first.
   *
   * @param guardrail null: by any
   */
  public Listed list(@Nullable String guardrail, long offset, int limit) {
    DocumentStore.Page page =
        shelf.list(guardrail, true, DocumentStore.Order.CREATED_LAST, offset, limit);
    return new Listed(page.documents(), page.total());
  }
}
