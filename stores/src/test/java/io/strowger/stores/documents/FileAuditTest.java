package io.strowger.stores.documents;

import io.strowger.spi.store.Stores;
import io.strowger.stores.FileExtension;
import io.strowger.tck.AuditStoreContract;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("The audit log in a file")
class FileAuditTest extends AuditStoreContract {
  @RegisterExtension static final FileExtension FILE = new FileExtension();

  @Override
  protected Stores stores() {
    return FILE.stores();
  }

  @Override
  protected Stores reopened() {
    FILE.close();
    return stores();
  }
}
