package io.strowger.stores.documents;

import io.strowger.spi.store.DocumentStore;
import io.strowger.stores.FileExtension;
import io.strowger.tck.DocumentListingContract;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("Listings of documents in a file")
class FileListingTest extends DocumentListingContract {
  @RegisterExtension static final FileExtension FILE = new FileExtension();

  @Override
  protected DocumentStore store() {
    return FILE.stores().documents();
  }
}
