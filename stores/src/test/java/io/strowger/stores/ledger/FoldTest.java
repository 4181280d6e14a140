package io.strowger.stores.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.store.Posting;
import io.strowger.stores.KillCount;
import io.strowger.stores.ServerExtension;
import io.strowger.stores.database.Database;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The spending of a node that has ended")
class FoldTest {
  @RegisterExtension static final ServerExtension SERVER = new ServerExtension();

  private static final int ROUNDS = Math.max(5, KillCount.of(20));
  private static final int NODES = 8;

  /** Opens a cluster on a database of its own, since all clusters name their nodes alike. */
  private static Cluster cluster(Path directory) {
    return Cluster.open(SERVER.url(SERVER.freshDatabase()), ServerExtension.USER, directory);
  }

  @Test
  @DisplayName(
      "is added once to that of other ended nodes, even by two transactions at the same time")
  void once(@TempDir Path directory) {
    try (var cluster = cluster(directory)) {
      var spending = TestAccount.fresh();
      spending.spend(cluster.node(0).ledger(), 3);
      cluster.node(0).close();
      Cluster.Node gone = cluster.node(0);
      spending.spend(gone.ledger(), 10);
      gone.flush();
      gone.kill();
      foldTogether(cluster.database(), gone.id(), gone.id());
      assertThat(spending.spentElsewhere(cluster.node(1).ledger())).isEqualTo(13);
    }
  }

  @Test
  @DisplayName("is not lost if that of the first two ended nodes is added at the same time")
  void firstTwo(@TempDir Path directory) {
    try (var cluster = cluster(directory)) {
      var spending = TestAccount.fresh();
      foldTogether(
          cluster.database(),
          spendAndKill(spending, 3, cluster.node(0)),
          spendAndKill(spending, 10, cluster.node(1)));
      assertThat(spending.spentElsewhere(cluster.node(2).ledger())).isEqualTo(13);
    }
  }

  @Test
  @DisplayName("is added completely if that of many nodes is added at the same time")
  void many(@TempDir Path directory) {
    try (var cluster = cluster(directory)) {
      var all = new TestAccount(new Posting.Account("workspace:all", "all"));
      for (int round = 0; round < ROUNDS; round++) {
        // an account of this round has no row of ended nodes
        var fresh = TestAccount.fresh();
        var gone = new ArrayList<String>();
        for (int number = 0; number < NODES; number++) {
          all.spend(cluster.node(number).ledger(), 1);
          gone.add(spendAndKill(fresh, 1, cluster.node(number)));
        }
        gone.parallelStream()
            .forEach(
                node ->
                    cluster
                        .database()
                        .inTransaction("count", handle -> NodeSpending.fold(handle, node)));
        assertThat(fresh.spentElsewhere(cluster.node(NODES).ledger())).isEqualTo(NODES);
      }
      assertThat(all.spentElsewhere(cluster.node(NODES).ledger())).isEqualTo((long) NODES * ROUNDS);
    }
  }

  @Tag("full")
  @Tag("long")
  @Test
  @DisplayName("is added for every account, however many there are, in a file and on a server")
  void accounts(@TempDir Path directory) {
    String file = "jdbc:h2:file:" + directory.resolve("books");
    try (var cluster = Cluster.open(file, null, directory.resolve("file"))) {
      assertFoldsAll(cluster);
    }
    try (var cluster = cluster(directory.resolve("server"))) {
      assertFoldsAll(cluster);
    }
  }

  private static void assertFoldsAll(Cluster cluster) {
    var all = new ArrayList<TestAccount>();
    for (int i = 0; i < 2 * NodeSpending.MAX_FOLDED + 7; i++) {
      all.add(TestAccount.fresh());
    }
    for (int round = 1; round <= 2; round++) {
      Cluster.Node node = cluster.node(0);
      all.forEach(spending -> spending.spend(node.ledger(), 3));
      node.close();
    }
    List<String> names =
        cluster
            .database()
            .query(
                "list names",
                handle ->
                    handle
                        .createQuery("SELECT DISTINCT node FROM ledger_spent")
                        .mapTo(String.class)
                        .list());
    assertThat(names).containsExactly(Nodes.ENDED_NODES);
    var other = cluster.node(1).ledger();
    assertThat(all).allSatisfy(spending -> assertThat(spending.spentElsewhere(other)).isEqualTo(6));
  }

  @Test
  @DisplayName("is added completely if its last lines arrive at the same time")
  void arriving(@TempDir Path directory) {
    try (var cluster = cluster(directory)) {
      var spending = TestAccount.fresh();
      String gone = spendAndKill(spending, 10, cluster.node(0));
      var folding = new AtomicReference<CompletableFuture<Integer>>(new CompletableFuture<>());
      Database database = cluster.database();
      database.inTransaction(
          "write late lines",
          handle -> {
            NodeSpending.addSpending(handle, gone, spending.spendingOf(7));
            folding.set(
                CompletableFuture.supplyAsync(
                    () ->
                        database.inTransaction("count", other -> NodeSpending.fold(other, gone))));
            awaitWaitingTransaction(handle);
            return Nodes.advance(handle, gone, "flushed", 1, 2);
          });
      assertThat(folding.get().join()).isEqualTo(1);
      assertThat(spending.spentElsewhere(cluster.node(1).ledger())).isEqualTo(17);
    }
  }

  /** Spends on a node, writes its lines to the database, kills it and returns its id. */
  private static String spendAndKill(TestAccount spending, long amount, Cluster.Node node) {
    spending.spend(node.ledger(), amount);
    node.flush();
    node.kill();
    return node.id();
  }

  private static void foldTogether(Database database, String one, String other) {
    var second = new AtomicReference<CompletableFuture<Integer>>(new CompletableFuture<>());
    database.inTransaction(
        "count it",
        handle -> {
          int folded = NodeSpending.fold(handle, one);
          second.set(
              CompletableFuture.supplyAsync(
                  () -> database.inTransaction("again", again -> NodeSpending.fold(again, other))));
          awaitWaitingTransaction(handle);
          return folded;
        });
    second.get().join();
  }

  private static void awaitWaitingTransaction(Handle handle) {
    long end = System.nanoTime() + Duration.ofSeconds(1).toNanos();
    while (System.nanoTime() < end && countWaiting(handle) == 0) {
      Thread.onSpinWait();
    }
  }

  private static int countWaiting(Handle handle) {
    return handle
        .createQuery("SELECT count(*) FROM pg_locks WHERE NOT granted")
        .mapTo(Integer.class)
        .one();
  }
}
