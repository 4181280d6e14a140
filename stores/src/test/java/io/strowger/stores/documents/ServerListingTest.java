package io.strowger.stores.documents;

import io.strowger.spi.store.DocumentStore;
import io.strowger.stores.ServerExtension;
import io.strowger.tck.DocumentListingContract;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("Listings of documents on a server")
class ServerListingTest extends DocumentListingContract {
  @RegisterExtension static final ServerExtension SERVER = new ServerExtension();

  @Override
  protected DocumentStore store() {
    return SERVER.node(0).documents();
  }
}
