package io.strowger.stores.documents;

import io.strowger.spi.store.Stores;
import io.strowger.stores.ServerExtension;
import io.strowger.tck.AuditStoreContract;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("The audit log on a server")
class ServerAuditTest extends AuditStoreContract {
  @RegisterExtension static final ServerExtension SERVER = new ServerExtension();

  @Override
  protected Stores stores() {
    return SERVER.node(0);
  }

  @Override
  protected Stores reopened() {
    return SERVER.node(1);
  }
}
