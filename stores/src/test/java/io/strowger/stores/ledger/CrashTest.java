package io.strowger.stores.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.LedgerStore.LostNode;
import io.strowger.spi.store.LedgerStore.SliceRequest;
import io.strowger.spi.store.Posting;
import io.strowger.spi.store.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A node whose process or machine ends")
@SuppressWarnings("NullAway.Init") // before each
class CrashTest {
  @TempDir private Path directory;
  private Cluster cluster;
  private final TestAccount spending = TestAccount.fresh();

  @BeforeEach
  void open() {
    cluster = Cluster.open("jdbc:h2:file:" + directory.resolve("books"), null, directory);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private void markSeenLongAgo(Cluster.Node node) {
    cluster
        .database()
        .inTransaction(
            "let time pass",
            handle ->
                handle.execute(
                    "UPDATE ledger_node SET seen_at = CURRENT_TIMESTAMP - INTERVAL '31' SECOND"
                        + " WHERE id = ?",
                    node.id()));
  }

  @Test
  @DisplayName("normally leaves its lines and returns its slices")
  void goodOrder() {
    Cluster.Node node = cluster.node(0);
    assertThat(spending.requestSlice(node.ledger(), 100, 60)).isEqualTo(60);
    spending.spend(node.ledger(), 10);
    node.close();
    var other = cluster.node(1).ledger();
    assertThat(spending.spentElsewhere(other)).isEqualTo(10);
    assertThat(spending.requestSlice(other, 100, 100)).isEqualTo(90);
    assertThat(other.lostNodes()).isEmpty();
  }

  @Test
  @DisplayName(
      "by a kill keeps its slice until the next process reads its journal, and loses no line")
  void killed() {
    Cluster.Node node = cluster.node(0);
    spending.requestSlice(node.ledger(), 100, 60);
    spending.spend(node.ledger(), 10);
    node.flush();
    spending.spend(node.ledger(), 7);
    node.kill();
    var other = cluster.node(1).ledger();
    assertThat(spending.spentElsewhere(other)).isEqualTo(10);
    assertThat(spending.requestSlice(other, 100, 100)).isEqualTo(40);
    Cluster.Node next = cluster.start(0, "boot");
    assertThat(spending.spentElsewhere(next.ledger())).isEqualTo(17);
    assertThat(spending.spentElsewhere(other)).isEqualTo(17);
    assertThat(spending.requestSlice(other, 100, 100)).isEqualTo(83);
    assertThat(other.lostNodes()).isEmpty();
  }

  @Test
  @DisplayName("by a power loss recovers what is on its disk, and strands the rest of its slice")
  void powerLoss() {
    Cluster.Node node = cluster.node(0);
    spending.requestSlice(node.ledger(), 100, 60);
    spending.spend(node.ledger(), 10);
    node.kill();
    Cluster.Node next = cluster.start(0, "another boot");
    assertThat(spending.spentElsewhere(next.ledger())).isEqualTo(10);
    assertThat(spending.requestSlice(next.ledger(), 100, 100)).isEqualTo(40);
    assertThat(next.ledger().lostNodes())
        .extracting(LostNode::id, stranded -> stranded.granted().nanos())
        .containsExactly(tuple(node.id(), 50L));
    assertThat(next.ledger().release(node.id())).isTrue();
    assertThat(next.ledger().lostNodes()).isEmpty();
    assertThat(spending.requestSlice(next.ledger(), 100, 100)).isEqualTo(90);
    assertThat(spending.spentElsewhere(next.ledger())).isEqualTo(10);
  }

  @Test
  @DisplayName(
      "with its directory counts as lost after half a minute, not before, until it is released")
  void directoryGone() {
    Cluster.Node node = cluster.node(0);
    spending.requestSlice(node.ledger(), 100, 60);
    node.kill();
    var other = cluster.node(1).ledger();
    assertThat(other.lostNodes()).isEmpty();
    assertThat(other.release(node.id())).isFalse();
    markSeenLongAgo(node);
    assertThat(other.lostNodes()).extracting(LostNode::id).containsExactly(node.id());
    assertThat(spending.requestSlice(other, 100, 100)).isEqualTo(40);
    assertThat(other.release(node.id())).isTrue();
    assertThat(spending.requestSlice(other, 100, 100)).isEqualTo(100);
  }

  @Test
  @DisplayName(
      "strands nothing in past windows, and of several current windows only the largest slice")
  void whatIsStranded() {
    Cluster.Node node = cluster.node(0);
    spending.requestSlice(node.ledger(), 100, 60);
    TestAccount.in("2026-11-20").requestSlice(node.ledger(), 1000, 1000);
    TestAccount.in("2026-W46").requestSlice(node.ledger(), 1000, 1000);
    TestAccount.in("2026-10").requestSlice(node.ledger(), 1000, 1000);
    var today = new TestAccount(new Posting.Account(spending.account().payer(), "2026-11-21"));
    today.requestSlice(node.ledger(), 100, 70);
    node.kill();
    markSeenLongAgo(node);
    assertThat(cluster.node(1).ledger().lostNodes())
        .extracting(stranded -> stranded.granted().nanos())
        .containsExactly(70L);
  }

  @Test
  @DisplayName("that was released while it was alive gets no more, but its lines still count")
  void releasedAlive() {
    Cluster.Node node = cluster.node(0);
    spending.requestSlice(node.ledger(), 100, 60);
    markSeenLongAgo(node); // as if it were frozen
    assertThat(cluster.node(1).ledger().release(node.id())).isTrue();
    assertThatThrownBy(() -> spending.requestSlice(node.ledger(), 100, 100))
        .isInstanceOf(StoreUnavailableException.class)
        .hasStackTraceContaining("restart it to spend again");
    spending.spend(node.ledger(), 20);
    assertThat(node.flush()).isTrue();
    assertThat(spending.spentElsewhere(cluster.node(1).ledger())).isEqualTo(20);
  }

  @Test
  @DisplayName("cannot release itself")
  void notItself() {
    Cluster.Node node = cluster.node(0);
    markSeenLongAgo(node);
    assertThat(node.ledger().release(node.id())).isFalse();
  }

  @Test
  @DisplayName("writes every line once when the database fails before or after a commit")
  void commits() {
    Cluster.Node node = cluster.node(0);
    var other = cluster.node(1).ledger();
    spending.spend(node.ledger(), 1);
    node.faults().failBeforeCommit();
    assertThat(node.flush()).isFalse();
    assertThat(spending.spentElsewhere(other)).isZero();
    spending.spend(node.ledger(), 2);
    node.faults().failAfterCommit();
    assertThat(node.flush()).isFalse();
    spending.spend(node.ledger(), 4);
    assertThat(node.flush()).isTrue();
    assertThat(node.flush()).isTrue();
    assertThat(spending.spentElsewhere(other)).isEqualTo(7);
    node.faults().failAfterCommit();
    spending.spend(node.ledger(), 8);
    assertThat(node.flush()).isFalse();
    node.kill();
    cluster.start(0, "boot");
    assertThat(spending.spentElsewhere(other)).isEqualTo(15);
  }

  @Test
  @DisplayName("writes its lines again if the database lost its last commits")
  void databaseForgets() {
    Cluster.Node node = cluster.node(0);
    for (int i = 0; i < 10; i++) {
      spending.spend(node.ledger(), 1);
      node.flush();
    }
    node.kill();
    cluster
        .database()
        .inTransaction(
            "forget",
            handle -> {
              handle.execute("DELETE FROM settled_block WHERE item >= 4");
              handle.execute("UPDATE ledger_spent SET credits = 4");
              return handle.execute("UPDATE ledger_node SET flushed = 4 WHERE id = ?", node.id());
            });
    assertThat(spending.spentElsewhere(cluster.start(0, "boot").ledger())).isEqualTo(10);
    cluster.node(0).kill();
    cluster
        .database()
        .inTransaction(
            "forget everything",
            handle -> {
              handle.execute("DELETE FROM settled_block");
              handle.execute("DELETE FROM ledger_spent");
              return handle.execute("DELETE FROM ledger_node");
            });
    assertThat(spending.spentElsewhere(cluster.start(0, "boot").ledger())).isEqualTo(10);
  }

  @Test
  @DisplayName("writes again what a database lost by going back to an older state, busy or idle")
  void databaseGoesBack() {
    Cluster.Node node = cluster.node(0);
    for (int i = 0; i < 10; i++) {
      spending.spend(node.ledger(), 1);
      node.flush();
    }
    var other = cluster.node(1).ledger();
    goBack(node);
    spending.spend(node.ledger(), 1);
    assertThat(node.flush()).isTrue();
    assertThat(spending.spentElsewhere(other)).isEqualTo(11);
    goBack(node);
    node.close(); // with nothing to write but how far it is
    assertThat(spending.spentElsewhere(other)).isEqualTo(4);
    cluster.start(0, "boot");
    assertThat(spending.spentElsewhere(other)).isEqualTo(11);
    assertThat(cluster.lines()).hasSize(11);
  }

  private void goBack(Cluster.Node node) {
    cluster
        .database()
        .inTransaction(
            "go back",
            handle -> {
              handle.execute("DELETE FROM settled_block WHERE item >= 4");
              handle.execute("UPDATE ledger_spent SET credits = 4");
              return handle.execute("UPDATE ledger_node SET flushed = 4 WHERE id = ?", node.id());
            });
  }

  @Test
  @DisplayName("returns nothing by a request that arrives after a later lease")
  void lateAnswers() {
    Cluster.Node node = cluster.node(0);
    var sliceGrants = new SliceGrants(node.id());
    var account = spending.account();
    spending.requestSlice(node.ledger(), 100, 60); // turn 1
    node.ledger().returnUnused(account, false, new Usd(20)); // turn 2
    spending.requestSlice(node.ledger(), 100, 80); // turn 3
    boolean late =
        cluster
            .database()
            .inTransaction(
                "give back late",
                handle -> sliceGrants.giveBack(handle, account, false, new Usd(20), 2));
    assertThat(late).as("a slice that is in use again is not returned").isFalse();
    assertThat(spending.requestSlice(cluster.node(1).ledger(), 100, 100)).isEqualTo(20);
  }

  @Test
  @DisplayName("is granted nothing by a request that arrives after a later return")
  void lateQuestions() {
    Cluster.Node node = cluster.node(0);
    var sliceGrants = new SliceGrants(node.id());
    var request = new SliceRequest(spending.account(), false, new Usd(100), Usd.ZERO, new Usd(60));
    boolean isReturned =
        cluster
            .database()
            .inTransaction(
                "give back",
                handle -> sliceGrants.giveBack(handle, spending.account(), false, Usd.ZERO, 2));
    assertThat(isReturned).isTrue();
    cluster
        .database()
        .inTransaction("request late", handle -> sliceGrants.grant(handle, request, 1));
    assertThat(spending.requestSlice(cluster.node(1).ledger(), 100, 100)).isEqualTo(100);
    var more = new SliceRequest(spending.account(), false, new Usd(200), Usd.ZERO, new Usd(90));
    var granted =
        cluster
            .database()
            .inTransaction("request again", handle -> sliceGrants.grant(handle, more, 3));
    assertThat(granted.granted().nanos()).isEqualTo(90);
  }

  @Test
  @DisplayName(
      "is not mistaken for the entry of all ended nodes, which is neither released nor folded")
  void endedNodes() {
    Cluster.Node node = cluster.node(0);
    spending.spend(node.ledger(), 10);
    node.close();
    var other = cluster.node(1).ledger();
    assertThat(other.release(Nodes.ENDED_NODES)).isFalse();
    assertThat(spending.spentElsewhere(other)).isEqualTo(10);
    assertThatThrownBy(
            () ->
                cluster
                    .database()
                    .inTransaction("count", handle -> NodeSpending.fold(handle, Nodes.ENDED_NODES)))
        .hasStackTraceContaining("cannot be folded again");
  }

  @Test
  @DisplayName("between any two lines leaves exactly what it wrote")
  void everyMoment() {
    long expected = 0;
    for (int flushedAt = 0; flushedAt <= 6; flushedAt++) {
      Cluster.Node node = cluster.start(0, "boot");
      for (int line = 0; line < 6; line++) {
        if (line == flushedAt) {
          node.flush();
        }
        spending.spend(node.ledger(), 1);
        expected++;
      }
      node.kill();
    }
    assertThat(spending.spentElsewhere(cluster.start(0, "boot").ledger())).isEqualTo(expected);
  }

  @Test
  @DisplayName("locks its journal while it runs: a second process is refused with a message")
  void secondProcess() {
    cluster.node(0);
    assertThatThrownBy(() -> cluster.start(0, "boot"))
        .hasMessageContaining("is in use by another process");
  }

  @Test
  @DisplayName("and whose journal is damaged does not start, and changes nothing")
  void damaged() throws IOException {
    Cluster.Node node = cluster.node(0);
    for (int i = 0; i < 5; i++) {
      spending.spend(node.ledger(), 1);
    }
    node.kill();
    List<Path> journals = new ArrayList<>();
    try (var files = Files.list(cluster.path(0))) {
      files.filter(file -> file.toString().endsWith(".journal")).forEach(journals::add);
    }
    byte[] bytes = Files.readAllBytes(journals.getFirst());
    bytes[150] ^= 1;
    Files.write(journals.getFirst(), bytes);
    assertThatThrownBy(() -> cluster.start(0, "boot")).hasMessageContaining("is damaged at byte");
    assertThat(Files.readAllBytes(journals.getFirst())).isEqualTo(bytes);
    assertThat(spending.spentElsewhere(cluster.node(1).ledger())).isZero();
  }
}
