package io.strowger.stores.batches;

import io.strowger.spi.store.Stores;
import io.strowger.stores.ServerExtension;
import io.strowger.tck.BatchStoreContract;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("Batches on a server")
class ServerBatchesTest extends BatchStoreContract {
  @RegisterExtension static final ServerExtension SERVER = new ServerExtension();

  @Override
  protected Stores stores() {
    return SERVER.node(0);
  }

  @Override
  protected Stores otherNode() {
    return SERVER.node(1);
  }
}
