package io.strowger.stores.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.stores.ServerExtension;
import io.strowger.stores.database.Database;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("What a node spent that is over")
class FoldTest {
  @RegisterExtension static final ServerExtension SERVER = new ServerExtension();

  @Test
  @DisplayName("is counted once with that of others, though two count it at the same time")
  void once(@TempDir Path directory) {
    try (var cluster = Cluster.open(SERVER.url(), ServerExtension.USER, directory)) {
      var spending = Spending.fresh();
      spending.spend(cluster.node(0).ledger(), 3);
      cluster.node(0).close();
      Cluster.Node gone = cluster.node(0);
      spending.spend(gone.ledger(), 10);
      gone.flush();
      gone.kill();
      foldTwice(cluster.database(), gone.id());
      assertThat(spending.elsewhere(cluster.node(1).ledger())).isEqualTo(13);
    }
  }

  private static void foldTwice(Database database, String node) {
    var second = new AtomicReference<CompletableFuture<Integer>>(new CompletableFuture<>());
    database.inTransaction(
        "count it",
        handle -> {
          int folded = Nodes.fold(handle, node);
          second.set(
              CompletableFuture.supplyAsync(
                  () -> database.inTransaction("again", other -> Nodes.fold(other, node))));
          awaitOneWhoWaits(handle);
          return folded;
        });
    second.get().join();
  }

  private static void awaitOneWhoWaits(Handle handle) {
    long end = System.nanoTime() + Duration.ofSeconds(1).toNanos();
    while (System.nanoTime() < end && waiting(handle) == 0) {
      Thread.onSpinWait();
    }
  }

  private static int waiting(Handle handle) {
    return handle
        .createQuery("SELECT count(*) FROM pg_locks WHERE NOT granted")
        .mapTo(Integer.class)
        .one();
  }
}
