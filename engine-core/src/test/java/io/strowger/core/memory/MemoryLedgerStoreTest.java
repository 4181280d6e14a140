package io.strowger.core.memory;

import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.LedgerStore;
import io.strowger.tck.LedgerStoreContract;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The ledger store in memory, which only one node uses,")
class MemoryLedgerStoreTest extends LedgerStoreContract {
  private final MemoryGenerations generations = new MemoryGenerations();
  private final MemoryLedgerStore store = new MemoryLedgerStore(generations);

  @Override
  protected LedgerStore node(int number) {
    return store;
  }

  @Override
  protected void awaitVisible(LedgerStore node) {
    // nothing to wait for: a single node sees its own entries at once
  }

  @Override
  protected GenerationStore generations(int number) {
    return generations;
  }

  @Override
  protected boolean isShared() {
    return false;
  }
}
