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
 * neither deleted nor disabled over HTTP. The loss of any such key also writes a new version of one
 * shared document. Of two concurrent changes, on whatever nodes, the second therefore fails and is
 * repeated, and then finds that its key is the last. Safe on any thread.
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
   * Returns the writes to make together with the deletion or disabling of a key.
   *
   * @throws io.strowger.spi.error.GatewayException 400 when it is the last active management key
   */
  List<Write> writesForRemoval(Document key) {
    if (!KeyDocument.read(key).isActiveManagementKey(keys.now())) {
      return List.of();
    }
    Write guardWrite = guardVersionWrite(); // read before the other keys
    if (!hasOtherManagementKey(key)) {
      throw GatewayError.of(
              ErrorCode.INVALID_REQUEST,
              "This is the last management key that works, and without it no key could manage the"
                  + " account: create another one first (POST /keys with \"management\": true)")
          .toException();
    }
    return List.of(guardWrite);
  }

  /** Returns the write for the loss of a management key, whether or not it is the last. */
  Write guardVersionWrite() {
    Document current = guard.find(ID);
    return current == null
        ? new Write.Insert(guard.newDocument(ID, "", Json.Obj.EMPTY))
        : new Write.Replace(current.next(guard.now(), Json.Obj.EMPTY));
  }

  private boolean hasOtherManagementKey(Document removedKey) {
    for (long offset = 0; ; offset += PAGE) {
      List<Document> page =
          keys.list(null, false, DocumentStore.Order.OLDEST_FIRST, offset, PAGE).documents();
      for (Document candidate : page) {
        if (!candidate.id().equals(removedKey.id())
            && KeyDocument.read(candidate).isActiveManagementKey(keys.now())) {
          return true;
        }
      }
      if (page.size() < PAGE) {
        return false;
      }
    }
  }
}
