package io.strowger.core.store;

import io.strowger.spi.store.AuditStore;
import io.strowger.spi.store.BatchStore;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Stores;
import java.util.Objects;

/** Stores that forward every call to others; tests override single methods. */
public abstract class ForwardingStores implements Stores {
  private final Stores stores;

  protected ForwardingStores(Stores stores) {
    this.stores = Objects.requireNonNull(stores, "stores");
  }

  @Override
  public DocumentStore documents() {
    return stores.documents();
  }

  @Override
  public LedgerStore ledger() {
    return stores.ledger();
  }

  @Override
  public GenerationStore generations() {
    return stores.generations();
  }

  @Override
  public AuditStore audit() {
    return stores.audit();
  }

  @Override
  public BatchStore batches() {
    return stores.batches();
  }

  @Override
  public void close() {
    stores.close();
  }
}
