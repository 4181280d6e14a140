package io.strowger.stores.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.BatchQueue;
import io.strowger.spi.store.BatchQueue.BillingStatus;
import io.strowger.spi.store.BatchQueue.LeaseOrder;
import io.strowger.spi.store.BatchQueue.LeasedRequest;
import io.strowger.spi.store.BatchStore;
import io.strowger.spi.store.BatchStore.Batch;
import io.strowger.spi.store.BatchStore.Counts;
import io.strowger.spi.store.BatchStore.Phase;
import io.strowger.spi.store.BatchStore.Request;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.LedgerStore;
import io.strowger.stores.ServerExtension;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A request of a batch whose bill was claimed by a node that is gone")
class ClaimedRequestsTest {
  @RegisterExtension static final ServerExtension SERVER = new ServerExtension();

  private static final Instant NOON = TestAccount.NOON;
  private static final Instant ENDS = NOON.plusSeconds(60);
  private static final Instant NEVER = Instant.parse("2200-01-01T00:00:00Z");

  /** So early that nobody's patience is at its end. */
  private static final Instant PATIENT = NOON;

  @TempDir private Path directory;
  private final TestAccount spending = TestAccount.fresh();
  private Cluster cluster;

  @BeforeEach
  void open() {
    cluster = Cluster.open(SERVER.url(SERVER.freshDatabase()), ServerExtension.USER, directory);
    BatchStore store = cluster.node(0).batches();
    var batch =
        new Batch(
            "batch",
            "workspace",
            Phase.RECEIVING,
            "validating",
            NOON,
            NEVER,
            1,
            Counts.NONE,
            Json.Obj.EMPTY);
    store.add(batch);
    store.addRequests(
        "batch", List.of(new Request(0, "a", new byte[1]), new Request(1, "b", new byte[1])));
    store.replace(batch.next(Phase.OPEN, "in_progress", NEVER, Json.Obj.EMPTY).withTotal(2));
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  /** Node 0 claims both requests and bills the first. */
  private void claim(boolean withContent) {
    BatchQueue queue = cluster.node(0).batches().queue();
    for (LeasedRequest leased : queue.lease(2, ENDS, ENDS, PATIENT, LeaseOrder.ROUND_ROBIN)) {
      String generation = "gen-batch-" + withContent + leased.lease().number();
      assertThat(queue.claim(leased.lease(), generation, new Usd(7))).isTrue();
    }
    byte[] content = withContent ? new byte[] {'{', '}'} : null;
    var record =
        new Generation("gen-batch-" + withContent + 0, "owner", NOON, new byte[] {1}, content);
    LedgerStore ledger = cluster.node(0).ledger();
    ledger.append(spending.posting(7, record));
  }

  private List<BillingStatus> leased(int node, Instant patience) {
    BatchQueue queue = cluster.node(node).batches().queue();
    List<LeasedRequest> leased = queue.lease(9, ENDS, ENDS, patience, LeaseOrder.ROUND_ROBIN);
    assertThat(leased).allMatch(each -> each.claimedNanos() == 7);
    return leased.stream().map(LeasedRequest::billingStatus).toList();
  }

  @Test
  @DisplayName("waits for what the node wrote down, and is then known to be billed or not")
  void recovered() {
    for (boolean withContent : new boolean[] {false, true}) {
      claim(withContent);
      cluster.node(0).kill();
      assertThat(leased(1, PATIENT)).as("its journal may have it").isEmpty();
      cluster.node(0); // reads the journal of the one before
      assertThat(leased(1, PATIENT))
          .containsExactly(BillingStatus.BILLED, BillingStatus.NOT_BILLED);
      assertThat(leased(0, PATIENT))
          .as("the next node")
          .containsExactly(BillingStatus.BILLED, BillingStatus.NOT_BILLED);
    }
  }

  @Test
  @DisplayName("is leased when patience ends, and nobody knows whether it was billed")
  void lost() {
    claim(false);
    cluster.node(0).kill();
    assertThat(leased(1, ENDS)).isEmpty();
    assertThat(leased(1, ENDS.plusNanos(1000)))
        .containsExactly(BillingStatus.UNKNOWN, BillingStatus.UNKNOWN);
  }

  @Test
  @DisplayName("is known to be billed where its record has arrived, though the node is not over")
  void arrived() {
    claim(false);
    assertThat(cluster.node(0).flush()).isTrue();
    cluster.node(0).kill();
    assertThat(leased(1, PATIENT)).isEmpty();
    assertThat(leased(1, ENDS.plusSeconds(1)))
        .containsExactly(BillingStatus.BILLED, BillingStatus.UNKNOWN);
  }

  @Test
  @DisplayName("is known at once when the node ended in good order")
  void closed() {
    claim(true);
    cluster.node(0).close();
    assertThat(leased(1, PATIENT)).containsExactly(BillingStatus.BILLED, BillingStatus.NOT_BILLED);
  }

  @Test
  @DisplayName("is known to the node itself while it lives, and not to others")
  void alive() {
    claim(false);
    assertThat(leased(1, PATIENT)).isEmpty();
    assertThat(leased(0, PATIENT)).containsExactly(BillingStatus.BILLED, BillingStatus.NOT_BILLED);
  }

  @Test
  @DisplayName("is not known after its machine lost power, nor when an operator gave the node up")
  void powerLost() {
    claim(false);
    String gone = cluster.node(0).id();
    cluster.node(0).kill();
    cluster.start(0, "another boot");
    assertThat(leased(1, PATIENT)).as("the last moments may be missing").isEmpty();
    assertThat(cluster.node(1).ledger().release(gone)).isTrue();
    assertThat(leased(1, PATIENT)).isEmpty();
    assertThat(leased(1, ENDS.plusSeconds(1)))
        .containsExactly(BillingStatus.BILLED, BillingStatus.UNKNOWN);
  }

  @Test
  @DisplayName("waits while records of its node have not arrived, which come after the lines")
  void recordsLate() {
    claim(true);
    cluster.node(0).kill();
    var faults = new FaultyJournalSink();
    faults.refuse("gen-batch");
    cluster.start(0, "boot", faults).kill();
    assertThat(leased(1, PATIENT)).isEmpty();
    cluster.start(0, "boot", new FaultyJournalSink());
    assertThat(leased(1, PATIENT)).containsExactly(BillingStatus.BILLED, BillingStatus.NOT_BILLED);
  }
}
