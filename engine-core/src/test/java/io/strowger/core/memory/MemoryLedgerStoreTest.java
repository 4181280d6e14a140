package io.strowger.core.memory;

import io.strowger.spi.store.LedgerStore;
import io.strowger.tck.LedgerStoreContract;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The books of a node that is alone")
class MemoryLedgerStoreTest extends LedgerStoreContract {
  private final MemoryLedgerStore store = new MemoryLedgerStore();

  @Override
  protected LedgerStore node(int number) {
    return store;
  }

  @Override
  protected void arrive(LedgerStore node) {
    // the ledger itself counts
  }

  @Override
  protected boolean isShared() {
    return false;
  }
}
