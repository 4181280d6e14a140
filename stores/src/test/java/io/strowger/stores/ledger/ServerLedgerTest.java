package io.strowger.stores.ledger;

import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.LedgerStore;
import io.strowger.stores.ServerExtension;
import io.strowger.tck.LedgerStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The books on a server")
@SuppressWarnings("NullAway.Init") // before all
class ServerLedgerTest extends LedgerStoreContract {
  @RegisterExtension static final ServerExtension SERVER = new ServerExtension();
  @TempDir static Path directory;
  private static Cluster cluster;

  @BeforeAll
  static void open() {
    cluster = Cluster.open(SERVER.url(), ServerExtension.USER, directory);
  }

  @AfterAll
  static void close() {
    cluster.close();
  }

  @Override
  protected LedgerStore node(int number) {
    return cluster.node(number).ledger();
  }

  @Override
  protected GenerationStore generations(int number) {
    return cluster.node(number).generations();
  }

  @Override
  protected void awaitVisible(LedgerStore node) {
    for (int number = 0; number < 3; number++) {
      if (cluster.node(number).ledger() == node) {
        cluster.node(number).flush();
      }
    }
  }
}
