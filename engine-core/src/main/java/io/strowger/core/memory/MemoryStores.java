package io.strowger.core.memory;

import io.strowger.spi.store.AuditStore;
import io.strowger.spi.store.BatchStore;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Stores;

/** Stores in memory; their contents are lost when the process ends. */
public final class MemoryStores implements Stores {
  private final MemoryDocuments documents = new MemoryDocuments();
  private final MemoryGenerations generations = new MemoryGenerations();
  private final MemoryLedgerStore ledger = new MemoryLedgerStore(generations);
  private final MemoryBatches batches = new MemoryBatches(generations);

  @Override
  public DocumentStore documents() {
    return documents;
  }

  @Override
  public LedgerStore ledger() {
    return ledger;
  }

  @Override
  public GenerationStore generations() {
    return generations;
  }

  @Override
  public AuditStore audit() {
    return documents.audit();
  }

  @Override
  public BatchStore batches() {
    return batches;
  }

  @Override
  public void close() {
    // there is nothing to close
  }
}
