package io.strowger.stores.documents;

import io.strowger.spi.store.DocumentStore;
import io.strowger.stores.FileExtension;
import io.strowger.tck.DocumentConcurrencyContract;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("Documents in a file that are written concurrently")
class FileConcurrencyTest extends DocumentConcurrencyContract {
  @RegisterExtension static final FileExtension FILE = new FileExtension();

  @Override
  protected DocumentStore store() {
    return FILE.stores().documents();
  }
}
