package io.strowger.stores.generations;

import io.strowger.spi.store.GenerationStore;
import io.strowger.stores.ServerExtension;
import io.strowger.tck.GenerationStoreContract;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("Generations on a server")
class ServerGenerationsTest extends GenerationStoreContract {
  @RegisterExtension static final ServerExtension SERVER = new ServerExtension();

  @Override
  protected GenerationStore store() {
    return SERVER.node(0).generations();
  }
}
