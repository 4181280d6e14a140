package io.strowger.core.memory;

import io.strowger.spi.store.DocumentStore;
import io.strowger.tck.DocumentConcurrencyContract;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The document store in memory, used by many threads,")
class MemoryDocumentConcurrencyTest extends DocumentConcurrencyContract {
  private final MemoryDocuments documents = new MemoryDocuments();

  @Override
  protected DocumentStore store() {
    return documents;
  }
}
