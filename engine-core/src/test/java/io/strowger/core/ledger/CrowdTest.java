package io.strowger.core.ledger;

import static io.strowger.core.ledger.LedgerFixture.account;
import static io.strowger.core.ledger.LedgerFixture.budget;
import static io.strowger.core.ledger.LedgerFixture.key;
import static io.strowger.core.ledger.LedgerFixture.lifetime;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ledger.Ledger.Outcome;
import io.strowger.spi.store.Period;
import io.strowger.spi.store.Posting;
import io.strowger.tck.TestAmbient;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A crowd of concurrent holds, before the store has granted anything,")
@Timeout(60)
class CrowdTest {
  private static final Posting.Account ALL = new Posting.Account("key:a", "all");
  private static final int HOLDS = 200;

  private final TestAmbient ambient = TestAmbient.at("2026-11-22T12:00:00Z");
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final InMemoryCluster.Node node = cluster.startNode();
  private final LedgerFixture fixture = new LedgerFixture(node, ambient);

  @Test
  @DisplayName(
      "is served by at most three requests to the store, however small a share of the limit is")
  void served() throws InterruptedException {
    assertThat(grantedOf(HOLDS, 10, key(lifetime(10L * HOLDS)))).isEqualTo(HOLDS);
    assertThat(node.sliceRequests).hasSizeLessThanOrEqualTo(3);
    assertThat(node.grantOf(ALL)).isEqualTo(10L * HOLDS);
    fixture.close();
  }

  @Test
  @DisplayName("sends its requests for several budgets to the store at the same time")
  void concurrentRequests() throws InterruptedException {
    Payer key = key(lifetime(100_000), budget(Period.DAILY, 90_000));
    node.hang();
    Thread first = startWaiting(() -> fixture.granted(10, key, account(lifetime(80_000))));
    while (node.sliceRequests.size() < 3) { // no request is answered yet
      Thread.onSpinWait();
    }
    Set<String> requestedWindows =
        node.sliceRequests.stream()
            .map(ask -> ask.account().payer() + " " + ask.account().window())
            .collect(Collectors.toSet());
    assertThat(requestedWindows)
        .containsExactlyInAnyOrder("key:a all", "key:a 2026-11-22", "account:default all");
    node.resume();
    first.join();
    fixture.close();
  }

  @Test
  @DisplayName("is granted as much as the limit leaves, and the other holds are refused")
  void limited() throws InterruptedException {
    assertThat(grantedOf(HOLDS, 10, key(lifetime(10L * HOLDS / 2)))).isEqualTo(HOLDS / 2);
    assertThat(cluster.granted(ALL, false)).isEqualTo(10L * HOLDS / 2);
    fixture.close();
  }

  @Test
  @DisplayName("leaves no demand behind: the next request asks only for what one hold needs")
  void noDemandLeft() throws InterruptedException {
    assertThat(grantedOf(HOLDS, 10, key(lifetime(1_000_000)))).isEqualTo(HOLDS);
    int before = node.sliceRequests.size();
    fixture.granted(200_000, key(lifetime(1_000_000)));
    assertThat(node.sliceRequests).hasSizeGreaterThan(before);
    long spent = 200_000 + 10L * HOLDS;
    assertThat(node.sliceRequests.getLast().desiredGrant().nanos())
        .isLessThanOrEqualTo(spent + 200_000);
    fixture.close();
  }

  /**
   * Starts all holds while the store does not answer, lets it answer, and returns the granted
   * holds.
   */
  private long grantedOf(int holds, long each, Payer key) throws InterruptedException {
    Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
    List<Thread> crowd = new ArrayList<>();
    node.hang();
    for (int i = 0; i < holds; i++) {
      crowd.add(startWaiting(() -> outcomes.add(fixture.hold(each, key))));
    }
    node.resume();
    for (Thread hold : crowd) {
      hold.join();
    }
    assertThat(outcomes).hasSize(holds);
    assertThat(outcomes).noneMatch(Outcome.Unavailable.class::isInstance);
    return outcomes.stream().filter(Outcome.Granted.class::isInstance).count();
  }

  /** Starts a hold and returns when the hold waits for the store's answer. */
  private Thread startWaiting(Runnable hold) {
    Thread thread = Thread.ofPlatform().start(hold);
    while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
      Thread.onSpinWait();
    }
    return thread;
  }
}
