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

@DisplayName("A request of a batch whose bill was claimed by a node that no longer runs")
class ClaimedRequestsTest {
  @RegisterExtension static final ServerExtension SERVER = new ServerExtension();

  private static final Instant NOON = TestAccount.NOON;
  private static final Instant ENDS = NOON.plusSeconds(60);
  private static final Instant NEVER = Instant.parse("2200-01-01T00:00:00Z");

  /** A cutoff before all claims, so that each is waited for. */
  private static final Instant BEFORE_CLAIMS = NOON;

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

  /** Claims both requests on node 0, which bills the first. */
  private void claim(boolean withContent) {
    BatchQueue queue = cluster.node(0).batches().queue();
    for (LeasedRequest leased : queue.lease(2, ENDS, ENDS, BEFORE_CLAIMS, LeaseOrder.ROUND_ROBIN)) {
      String generation = "gen-batch-" + withContent + leased.lease().number();
      assertThat(queue.claim(leased.lease(), generation, new Usd(7))).isTrue();
    }
    byte[] content = withContent ? new byte[] {'{', '}'} : null;
    var record =
        new Generation("gen-batch-" + withContent + 0, "owner", NOON, new byte[] {1}, content);
    LedgerStore ledger = cluster.node(0).ledger();
    ledger.append(spending.posting(7, record));
  }

  private List<BillingStatus> leasedStatuses(int node, Instant claimCutoff) {
    BatchQueue queue = cluster.node(node).batches().queue();
    List<LeasedRequest> leased = queue.lease(9, ENDS, ENDS, claimCutoff, LeaseOrder.ROUND_ROBIN);
    assertThat(leased).allMatch(each -> each.claimedNanoUsd() == 7);
    return leased.stream().map(LeasedRequest::billingStatus).toList();
  }

  @Test
  @DisplayName("waits for the journal of the node, and is then known to be billed or not")
  void recovered() {
    for (boolean withContent : new boolean[] {false, true}) {
      claim(withContent);
      cluster.node(0).kill();
      assertThat(leasedStatuses(1, BEFORE_CLAIMS)).as("the journal may have the bill").isEmpty();
      cluster.node(0); // reads the journal of the killed process
      assertThat(leasedStatuses(1, BEFORE_CLAIMS))
          .containsExactly(BillingStatus.BILLED, BillingStatus.NOT_BILLED);
      assertThat(leasedStatuses(0, BEFORE_CLAIMS))
          .as("the next node")
          .containsExactly(BillingStatus.BILLED, BillingStatus.NOT_BILLED);
    }
  }

  @Test
  @DisplayName("is leased after the cutoff, and it is unknown whether it was billed")
  void lost() {
    claim(false);
    cluster.node(0).kill();
    assertThat(leasedStatuses(1, ENDS)).isEmpty();
    assertThat(leasedStatuses(1, ENDS.plusNanos(1000)))
        .containsExactly(BillingStatus.UNKNOWN, BillingStatus.UNKNOWN);
  }

  @Test
  @DisplayName(
      "is known to be billed if its record has arrived, even if the rest of the journal has not")
  void arrived() {
    claim(false);
    assertThat(cluster.node(0).flush()).isTrue();
    cluster.node(0).kill();
    assertThat(leasedStatuses(1, BEFORE_CLAIMS)).isEmpty();
    assertThat(leasedStatuses(1, ENDS.plusSeconds(1)))
        .containsExactly(BillingStatus.BILLED, BillingStatus.UNKNOWN);
  }

  @Test
  @DisplayName("is known at once to be billed or not if the node ended properly")
  void closed() {
    claim(true);
    cluster.node(0).close();
    assertThat(leasedStatuses(1, BEFORE_CLAIMS))
        .containsExactly(BillingStatus.BILLED, BillingStatus.NOT_BILLED);
  }

  @Test
  @DisplayName("is known to be billed or not, while its node lives, only to that node")
  void alive() {
    claim(false);
    assertThat(leasedStatuses(1, BEFORE_CLAIMS)).isEmpty();
    assertThat(leasedStatuses(0, BEFORE_CLAIMS))
        .containsExactly(BillingStatus.BILLED, BillingStatus.NOT_BILLED);
  }

  @Test
  @DisplayName(
      "is not known to be billed after a power loss, even if an operator released the node")
  void powerLost() {
    claim(false);
    String gone = cluster.node(0).id();
    cluster.node(0).kill();
    cluster.start(0, "another boot");
    assertThat(leasedStatuses(1, BEFORE_CLAIMS)).as("the last moments may be missing").isEmpty();
    assertThat(cluster.node(1).ledger().release(gone)).isTrue();
    assertThat(leasedStatuses(1, BEFORE_CLAIMS)).isEmpty();
    assertThat(leasedStatuses(1, ENDS.plusSeconds(1)))
        .containsExactly(BillingStatus.BILLED, BillingStatus.UNKNOWN);
  }

  @Test
  @DisplayName("waits until the records of its node have arrived, which come after the lines")
  void recordsLate() {
    claim(true);
    cluster.node(0).kill();
    var faults = new FaultyJournalSink();
    faults.refuse("gen-batch");
    cluster.start(0, "boot", faults).kill();
    assertThat(leasedStatuses(1, BEFORE_CLAIMS)).isEmpty();
    cluster.start(0, "boot", new FaultyJournalSink());
    assertThat(leasedStatuses(1, BEFORE_CLAIMS))
        .containsExactly(BillingStatus.BILLED, BillingStatus.NOT_BILLED);
  }
}
