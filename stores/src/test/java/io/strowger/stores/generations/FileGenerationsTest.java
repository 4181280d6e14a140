package io.strowger.stores.generations;

import io.strowger.spi.store.GenerationStore;
import io.strowger.stores.FileExtension;
import io.strowger.tck.GenerationStoreContract;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("Generations in a file")
class FileGenerationsTest extends GenerationStoreContract {
  @RegisterExtension static final FileExtension FILE = new FileExtension();

  @Override
  protected GenerationStore store() {
    return FILE.stores().generations();
  }

  @Override
  protected GenerationStore reopened() {
    FILE.close();
    return store();
  }
}
