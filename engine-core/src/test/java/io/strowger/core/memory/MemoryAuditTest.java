package io.strowger.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.store.AuditEntry;
import io.strowger.spi.store.AuditStore;
import io.strowger.spi.store.DocumentStore.Write;
import io.strowger.spi.store.Stores;
import io.strowger.tck.AuditStoreContract;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The audit log in memory")
class MemoryAuditTest extends AuditStoreContract {
  private final MemoryStores stores = new MemoryStores();

  @Override
  protected Stores stores() {
    return stores;
  }

  @Test
  @DisplayName("keeps only the newest entries")
  void bounded() {
    for (int i = 0; i < MemoryDocuments.MAX_AUDIT_ENTRIES + 5; i++) {
      var entry = new AuditEntry("e" + i, "", Instant.EPOCH, Json.Obj.EMPTY);
      stores.documents().write(List.of(new Write.Append(entry)));
    }
    AuditStore.Page page = stores.audit().list(new AuditStore.Filter(null, null, null, 0, 1));
    assertThat(page.total()).isEqualTo(MemoryDocuments.MAX_AUDIT_ENTRIES);
    assertThat(page.entries().getFirst().id())
        .isEqualTo("e" + (MemoryDocuments.MAX_AUDIT_ENTRIES + 4));
  }
}
