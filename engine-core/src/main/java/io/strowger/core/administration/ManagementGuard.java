package io.strowger.core.administration;

import io.strowger.core.store.DocumentRepository;
import io.strowger.core.store.StoreWatch;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.DocumentStore.Write;
import java.util.List;

/**
 * Keeps the account manageable: the last management key that is enabled and has not expired is
 * neither deleted nor disabled over HTTP. Whoever takes one away writes the next version of one
 * document with it, so that of two who take away each other's key, on whatever nodes, the second
 * has to look again and finds itself the last. Safe on any thread.
 */
final class ManagementGuard {
  private static final String KIND = "management-guard";
  private static final String ID = "account";
  private static final int PAGE = 1_000;

  private final DocumentRepository guard;
  private final DocumentRepository keys;

  /**
   * @param keys the documents of keys
   */
  ManagementGuard(StoreWatch watch, Ambient ambient, DocumentRepository keys) {
    this.guard = new DocumentRepository(watch, KIND, ambient);
    this.keys = keys;
  }

  /**
   * Returns what is written with the removal of a key, or with its being disabled.
   *
   * @throws io.strowger.spi.error.GatewayException 400 when it is the last that manages
   */
  List<Write> writesForRemoval(Document key) {
    if (!KeyDocument.read(key).isActiveManagementKey(keys.now())) {
      return List.of();
    }
    Write turn = turn(); // looked at before the others are
    if (!anotherManages(key)) {
      throw GatewayError.of(
              ErrorCode.INVALID_REQUEST,
              "This is the last management key that works, and without it nobody could manage the"
                  + " account: create another one first (POST /keys with \"management\": true)")
          .toException();
    }
    return List.of(turn);
  }

  /** Returns what is written when a management key leaves whether it is the last or not. */
  Write turn() {
    Document now = guard.find(ID);
    return now == null
        ? new Write.Insert(guard.newDocument(ID, "", Json.Obj.EMPTY))
        : new Write.Replace(now.next(guard.now(), Json.Obj.EMPTY));
  }

  private boolean anotherManages(Document leaving) {
    for (long offset = 0; ; offset += PAGE) {
      List<Document> page =
          keys.list(null, false, DocumentStore.Order.CREATED_FIRST, offset, PAGE).documents();
      for (Document one : page) {
        if (!one.id().equals(leaving.id())
            && KeyDocument.read(one).isActiveManagementKey(keys.now())) {
          return true;
        }
      }
      if (page.size() < PAGE) {
        return false;
      }
    }
  }
}
