package io.strowger.stores.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.stores.journal.JournalItem;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Records that the database does not accept")
@SuppressWarnings("NullAway.Init") // before each
class GenerationRecordSinkTest {
  @TempDir private Path directory;
  private final TestAccount spending = TestAccount.fresh();
  private Cluster cluster;

  @BeforeEach
  void open() {
    cluster = Cluster.open("jdbc:h2:file:" + directory.resolve("books"), null, directory);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private static void appendRecord(Cluster.Node node, String id) {
    byte[] record = Json.Obj.EMPTY.toBytes();
    node.journal()
        .append(
            new JournalItem.Generation(
                new Generation(id, "owner", TestAccount.NOON, record, null)));
  }

  @Test
  @DisplayName("do not delay lines of the books, and are written once they are accepted")
  void linesFirst() {
    Cluster.Node node = cluster.node(0);
    node.faults().refuse("gen");
    appendRecord(node, "gen-1");
    spending.spend(node.ledger(), 3);
    appendRecord(node, "gen-2");
    assertThat(node.flush()).isFalse();
    var other = cluster.node(1).ledger();
    assertThat(spending.spentElsewhere(other)).isEqualTo(3);
    spending.spend(node.ledger(), 4);
    assertThat(node.flush()).isFalse();
    assertThat(spending.spentElsewhere(other)).isEqualTo(7);
    node.faults().endFailures();
    assertThat(node.flush()).isTrue();
    assertThat(node.faults().deliveredIds()).containsExactly("gen-1", "gen-2");
    assertThat(node.faults().skippedIds()).isEmpty();
  }

  @Test
  @DisplayName("do not make the append of their lines fail, since it would be repeated")
  void underWay() {
    Cluster.Node node = cluster.node(0);
    node.faults().failOnAppended();
    for (byte[] content : new byte[][] {null, {1}}) {
      String id = "gen-" + (content == null ? "without" : "with");
      var record = new Generation(id, "owner", TestAccount.NOON, new byte[] {1}, content);
      node.ledger().append(spending.posting(5, record));
    }
    node.faults().endFailures();
    assertThat(node.flush()).isTrue();
    assertThat(spending.spentElsewhere(cluster.node(1).ledger())).isEqualTo(10);
    assertThat(node.generations().find("gen-with")).isNotNull();
    assertThat(node.generations().find("gen-without")).isNotNull();
  }

  @Test
  @DisplayName(
      "of requests that began in many seconds and ended together share rows, and are found")
  void manySeconds() {
    Cluster.Node node = cluster.node(0);
    for (int i = 0; i < 160; i++) {
      String id = "gen-" + (1_600_000_000 + i) + "-slow";
      var record = new Generation(id, "owner", TestAccount.NOON, new byte[] {1}, null);
      node.ledger().append(spending.posting(5, record));
    }
    assertThat(node.flush()).isTrue();
    int rows =
        cluster
            .database()
            .query(
                "count",
                handle ->
                    handle
                        .createQuery("SELECT COUNT(*) FROM settled_block")
                        .mapTo(Integer.class)
                        .one());
    assertThat(rows).isBetween(1, 12);
    for (int i = 0; i < 160; i++) {
      String id = "gen-" + (1_600_000_000 + i) + "-slow";
      assertThat(cluster.node(1).generations().find(id)).as(id).isNotNull();
    }
  }

  @Test
  @DisplayName("do not delay other records: one that fails alone again and again is skipped")
  void poison() {
    Cluster.Node node = cluster.node(0);
    node.faults().refuse("bad");
    IntStream.range(0, 700).forEach(i -> appendRecord(node, i == 300 ? "bad" : "gen-" + i));
    for (int i = 0; i < 60 && !node.flush(); i++) {
      spending.spend(node.ledger(), 1);
    }
    assertThat(node.faults().skippedIds()).containsExactly("bad");
    assertThat(node.faults().deliveredIds())
        .containsExactlyElementsOf(
            IntStream.range(0, 700).filter(i -> i != 300).mapToObj(i -> "gen-" + i).toList());
    assertThat(node.flush()).isTrue();
  }

  @Test
  @DisplayName("are not skipped while none is accepted, as with a full disk")
  void takesNone() {
    Cluster.Node node = cluster.node(0);
    node.faults().refuse("gen");
    IntStream.range(0, 3).forEach(i -> appendRecord(node, "gen-" + i));
    for (int i = 0; i < 30; i++) {
      assertThat(node.flush()).isFalse();
    }
    node.faults().endFailures();
    assertThat(node.flush()).isTrue();
    assertThat(node.faults().deliveredIds()).containsExactly("gen-0", "gen-1", "gen-2");
    assertThat(node.faults().skippedIds()).isEmpty();
  }

  @Test
  @DisplayName("are skipped only if one after them was accepted")
  void last() {
    Cluster.Node node = cluster.node(0);
    node.faults().refuse("bad");
    appendRecord(node, "bad-1");
    appendRecord(node, "bad-2");
    for (int i = 0; i < 30; i++) {
      assertThat(node.flush()).isFalse();
    }
    assertThat(node.faults().skippedIds()).isEmpty();
    appendRecord(node, "gen-1");
    appendRecord(node, "bad-3");
    for (int i = 0; i < 80 && node.faults().deliveredIds().isEmpty(); i++) {
      node.flush();
    }
    assertThat(node.faults().deliveredIds()).containsExactly("gen-1");
    assertThat(node.faults().skippedIds()).containsExactly("bad-1", "bad-2");
  }

  @Test
  @DisplayName("are not skipped while the database accepts nothing at all")
  void outage() {
    Cluster.Node node = cluster.node(0);
    appendRecord(node, "gen-1");
    cluster.database().inTransaction("hide", handle -> rename(handle, "ledger_node", "hidden"));
    for (int i = 0; i < 20; i++) {
      assertThat(node.flush()).isFalse();
    }
    cluster.database().inTransaction("show", handle -> rename(handle, "hidden", "ledger_node"));
    assertThat(node.flush()).isTrue();
    assertThat(node.faults().deliveredIds()).containsExactly("gen-1");
    assertThat(node.faults().skippedIds()).isEmpty();
  }

  private static int rename(Handle handle, String from, String to) {
    return handle.execute("ALTER TABLE " + from + " RENAME TO " + to);
  }

  @Test
  @DisplayName(
      "do not delay a start: lines arrive, slices are freed, and the next start writes them")
  void start() {
    Cluster.Node node = cluster.node(0);
    spending.requestSlice(node.ledger(), 100, 60);
    appendRecord(node, "bad-1");
    spending.spend(node.ledger(), 10);
    node.kill();
    var faults = new FaultyJournalSink();
    faults.refuse("bad");
    cluster.start(0, "boot", faults).kill();
    var other = cluster.node(1).ledger();
    assertThat(spending.spentElsewhere(other)).isEqualTo(10);
    assertThat(spending.requestSlice(other, 100, 100)).isEqualTo(90);
    assertThat(recordedUpTo()).isZero();
    cluster.start(0, "boot", new FaultyJournalSink());
    assertThat(recordedUpTo()).isPositive();
    assertThat(cluster.node(0).generations().find("bad-1")).isNotNull();
  }

  /** Returns the highest number up to which the records of a journal have arrived. */
  private long recordedUpTo() {
    return cluster
        .database()
        .query(
            "look",
            handle ->
                handle
                    .createQuery("SELECT max(recorded) FROM ledger_node")
                    .mapTo(Long.class)
                    .one());
  }

  @Test
  @DisplayName("or has kept for too long are found by age, through an index")
  void byAge() {
    String plan =
        cluster
            .database()
            .query(
                "explain",
                handle ->
                    handle
                        .createQuery("EXPLAIN " + JournalBlocks.OLDEST)
                        .bind("before", TestAccount.NOON.atOffset(ZoneOffset.UTC))
                        .bind("most", 500)
                        .mapTo(String.class)
                        .one());
    assertThat(plan)
        .contains("settled_block_came: came_at < ")
        .contains("index sorted")
        .doesNotContain("FOR UPDATE");
  }
}
