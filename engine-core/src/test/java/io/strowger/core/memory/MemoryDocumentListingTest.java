package io.strowger.core.memory;

import io.strowger.spi.store.DocumentStore;
import io.strowger.tck.DocumentListingContract;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The document store in memory, when it lists documents,")
class MemoryDocumentListingTest extends DocumentListingContract {
  private final MemoryDocuments documents = new MemoryDocuments();

  @Override
  protected DocumentStore store() {
    return documents;
  }
}
