package io.strowger.stores.documents;

import io.strowger.spi.store.DocumentStore;
import io.strowger.stores.ServerExtension;
import io.strowger.tck.DocumentConcurrencyContract;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("Documents on a server that are written concurrently")
class ServerConcurrencyTest extends DocumentConcurrencyContract {
  @RegisterExtension static final ServerExtension SERVER = new ServerExtension();

  @Override
  protected DocumentStore store() {
    return SERVER.node(0).documents();
  }

  @Override
  protected DocumentStore otherNode() {
    return SERVER.node(1).documents();
  }
}
