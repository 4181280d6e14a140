package io.strowger.stores.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.LedgerStore.SliceRequest;
import io.strowger.spi.store.Period;
import io.strowger.spi.store.Posting;
import io.strowger.stores.ServerExtension;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Books that are pruned")
class PruningTest {
  @RegisterExtension static final ServerExtension SERVER = new ServerExtension();

  private static final Instant NOW = Instant.parse("2024-06-15T12:00:00Z"); // before any clock
  private static final List<String> OLD =
      List.of("2022-12-31", "2023-04-30", "2023-04", "2022-W52", "2015-W01");
  private static final List<String> KEPT =
      List.of("all", "2023-05", "2023-05-01", "2023-W01", "2024-06", "2024-W24", "2024-06-15");

  @TempDir private Path directory;

  private interface Check {
    void on(Cluster cluster);
  }

  private void onBoth(Check check) {
    String file = "jdbc:h2:file:" + directory.resolve("books");
    try (var cluster = Cluster.open(file, null, directory.resolve("file"))) {
      check.on(cluster);
    }
    onServer(check);
  }

  private void onServer(Check check) {
    String url = SERVER.url(SERVER.freshDatabase());
    try (var cluster = Cluster.open(url, ServerExtension.USER, directory.resolve("server"))) {
      check.on(cluster);
    }
  }

  private static int prune(Cluster cluster, Instant now, int most) {
    return cluster
        .database()
        .inTransaction("forget", handle -> Pruning.deleteWindows(handle, now, most));
  }

  private static TestAccount in(String payer, String window) {
    return new TestAccount(new Posting.Account(payer, window));
  }

  private static int rows(Cluster cluster, String table, String payer) {
    return cluster
        .database()
        .query(
            "count rows",
            handle ->
                handle
                    .createQuery("SELECT count(*) FROM " + table + " WHERE payer = :payer")
                    .bind("payer", payer)
                    .mapTo(Integer.class)
                    .one());
  }

  @Test
  @DisplayName("forget days, weeks and months that ended 400 days ago, a few at a time")
  void forgets() {
    onBoth(
        cluster -> {
          String payer = "key:" + UUID.randomUUID();
          var node = cluster.node(0);
          for (String window : Stream.concat(OLD.stream(), KEPT.stream()).toList()) {
            in(payer, window).requestSlice(node.ledger(), 100, 60);
            in(payer, window).spend(node.ledger(), 10);
          }
          assertThat(node.flush()).isTrue();
          assertThat(prune(cluster, NOW, 3)).isEqualTo(3);
          assertThat(prune(cluster, NOW, 3)).isEqualTo(2);
          assertThat(prune(cluster, NOW, 3)).isZero();
          var other = cluster.node(1).ledger();
          assertThat(OLD)
              .allSatisfy(old -> assertThat(in(payer, old).spentElsewhere(other)).isZero());
          assertThat(KEPT)
              .allSatisfy(kept -> assertThat(in(payer, kept).spentElsewhere(other)).isEqualTo(10))
              .allSatisfy(
                  kept -> assertThat(in(payer, kept).requestSlice(other, 100, 100)).isEqualTo(40));
          for (String table : List.of("ledger_slice", "ledger_spent", "ledger_account")) {
            int nodes = table.equals("ledger_slice") ? 2 : 1;
            assertThat(rows(cluster, table, payer)).as(table).isEqualTo(nodes * KEPT.size());
          }
        });
  }

  @Test
  @DisplayName("forget nothing of today, even if a clock is years ahead")
  void clocks() {
    onBoth(
        cluster -> {
          String payer = "key:" + UUID.randomUUID();
          var node = cluster.node(0);
          for (Period period : Period.values()) {
            in(payer, period.window(Instant.now())).spend(node.ledger(), 10);
          }
          node.flush();
          assertThat(prune(cluster, Instant.now().plus(Duration.ofDays(3650)), 100)).isZero();
          assertThat(rows(cluster, "ledger_spent", payer)).isEqualTo(Period.values().length);
        });
  }

  @Test
  @DisplayName("count lines that arrive years late once, in windows over all time")
  void lateLines() {
    onBoth(
        cluster -> {
          String payer = "key:" + UUID.randomUUID();
          var node = cluster.node(0);
          TestAccount old = in(payer, "2020-01-05");
          TestAccount all = in(payer, "all");
          old.spend(node.ledger(), 10);
          all.spend(node.ledger(), 10);
          node.flush();
          prune(cluster, NOW, 100);
          old.spend(node.ledger(), 7);
          all.spend(node.ledger(), 7);
          node.kill(); // its journal has what arrived and what did not
          cluster.node(0);
          var other = cluster.node(1).ledger();
          assertThat(all.spentElsewhere(other)).isEqualTo(17);
          assertThat(old.spentElsewhere(other)).isEqualTo(7);
          assertThat(prune(cluster, NOW, 100)).isEqualTo(1);
          assertThat(rows(cluster, "ledger_spent", payer)).isEqualTo(1);
          cluster.node(0).kill();
          cluster.node(0); // reads the same journal again
          assertThat(all.spentElsewhere(other)).isEqualTo(17);
        });
  }

  @Tag("full")
  @Test
  @DisplayName("grant no more than a limit while rows are deleted during requests")
  void whileOthersAsk() {
    onBoth(
        cluster -> {
          TestAccount old = in("key:" + UUID.randomUUID(), "2020-01-05");
          List<Cluster.Node> nodes = IntStream.range(0, 4).mapToObj(cluster::node).toList();
          var requests =
              nodes.stream()
                  .map(node -> CompletableFuture.runAsync(() -> requestAll(old, node)))
                  .toList();
          while (!requests.stream().allMatch(CompletableFuture::isDone)) {
            cluster
                .database()
                .inTransaction(
                    "delete rows",
                    handle ->
                        handle.execute(
                            "DELETE FROM ledger_account WHERE payer = ?", old.account().payer()));
          }
          requests.forEach(CompletableFuture::join);
          long granted = 0;
          for (Cluster.Node node : nodes) {
            granted += old.requestSlice(node.ledger(), 1000, 0);
          }
          assertThat(granted).isEqualTo(1000);
        });
  }

  /** Requests a little more each time, until nothing is left. */
  private static void requestAll(TestAccount old, Cluster.Node node) {
    long granted = -1;
    long now = 0;
    while (now > granted) {
      granted = now;
      var more = new Usd(granted + 7);
      var request = new SliceRequest(old.account(), false, new Usd(1000), Usd.ZERO, more);
      now = node.ledger().requestSlice(request).granted().nanos();
    }
  }

  @Test
  @DisplayName("do not wait for a row that is in use, and leave it for another time")
  void inUse() {
    onServer( // not in a file, where one transaction runs at a time
        cluster -> {
          TestAccount old = in("key:" + UUID.randomUUID(), "2020-01-05");
          List<Cluster.Node> nodes = IntStream.range(0, 3).mapToObj(cluster::node).toList();
          for (Cluster.Node node : nodes) {
            old.requestSlice(node.ledger(), 100, 10);
            old.spend(node.ledger(), 10);
            node.flush();
          }
          assertThat(
                  cluster
                      .database()
                      .<Integer>inTransaction(
                          "use a row",
                          handle -> {
                            NodeSpending.addSpending(handle, nodes.get(1).id(), old.spendingOf(7));
                            return prune(cluster, NOW, 100);
                          }))
              .isEqualTo(3);
          String payer = old.account().payer();
          assertThat(rows(cluster, "ledger_slice", payer)).isZero();
          assertThat(rows(cluster, "ledger_spent", payer)).isEqualTo(1);
          assertThat(old.spentElsewhere(nodes.get(0).ledger())).isEqualTo(17);
          assertThat(prune(cluster, NOW, 100)).isEqualTo(1);
        });
  }

  @Test
  @DisplayName("add a node to those that have ended once it is released, and not before")
  void folds() {
    onBoth(
        cluster -> {
          TestAccount spending = TestAccount.fresh();
          var node = cluster.node(0);
          spending.requestSlice(node.ledger(), 100, 60);
          spending.spend(node.ledger(), 10);
          node.flush();
          node.kill();
          cluster.start(0, "another boot"); // ended, and stranded
          assertThat(fold(cluster)).isFalse();
          assertThat(cluster.node(1).ledger().release(node.id())).isTrue();
          assertThat(fold(cluster)).isTrue();
          assertThat(fold(cluster)).isFalse();
          assertThat(spending.spentElsewhere(cluster.node(1).ledger())).isEqualTo(10);
          assertThat(rows(cluster, "ledger_spent", spending.account().payer())).isEqualTo(1);
        });
  }

  private static boolean fold(Cluster cluster) {
    return cluster.database().inTransaction("fold", Pruning::fold);
  }
}
