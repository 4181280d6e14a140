package io.strowger.stores.documents;

import io.strowger.spi.store.DocumentStore;
import io.strowger.stores.FileExtension;
import io.strowger.tck.DocumentStoreContract;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("Documents in a file")
class FileDocumentsTest extends DocumentStoreContract {
  @RegisterExtension static final FileExtension FILE = new FileExtension();

  @Override
  protected DocumentStore store() {
    return FILE.stores().documents();
  }
}
