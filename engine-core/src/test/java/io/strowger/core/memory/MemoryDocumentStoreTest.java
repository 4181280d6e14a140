package io.strowger.core.memory;

import io.strowger.spi.store.DocumentStore;
import io.strowger.tck.DocumentStoreContract;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The document store in memory")
class MemoryDocumentStoreTest extends DocumentStoreContract {
  private final MemoryDocuments documents = new MemoryDocuments();

  @Override
  protected DocumentStore store() {
    return documents;
  }
}
