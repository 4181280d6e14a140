package io.strowger.core.ledger;

import static io.strowger.core.ledger.Till.account;
import static io.strowger.core.ledger.Till.all;
import static io.strowger.core.ledger.Till.key;
import static io.strowger.core.ledger.Till.per;
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

@DisplayName("A crowd of holds that comes at once, before anything was granted,")
@Timeout(60)
class CrowdTest {
  private static final Posting.Account ALL = new Posting.Account("key:a", "all");
  private static final int HOLDS = 200;

  private final TestAmbient ambient = TestAmbient.at("2026-11-22T12:00:00Z");
  private final InMemoryCluster cluster = new InMemoryCluster();
  private final InMemoryCluster.Node node = cluster.open();
  private final Till till = new Till(node, ambient);

  @Test
  @DisplayName("is served by three questions to the store, however small a share of the limit is")
  void served() throws InterruptedException {
    assertThat(grantedOf(HOLDS, 10, key(all(10L * HOLDS)))).isEqualTo(HOLDS);
    assertThat(node.asked).hasSizeLessThanOrEqualTo(3);
    assertThat(node.granted(ALL)).isEqualTo(10L * HOLDS);
    till.close();
  }

  @Test
  @DisplayName("has its questions about several budgets asked at the same time")
  void together() throws InterruptedException {
    Payer key = key(all(100_000), per(Period.DAILY, 90_000));
    node.hang();
    Thread first = waiting(() -> till.granted(10, key, account(all(80_000))));
    while (node.asked.size() < 3) { // before any is answered
      Thread.onSpinWait();
    }
    Set<String> windows =
        node.asked.stream()
            .map(ask -> ask.account().payer() + " " + ask.account().window())
            .collect(Collectors.toSet());
    assertThat(windows)
        .containsExactlyInAnyOrder("key:a all", "key:a 2026-11-22", "account:default all");
    node.goOn();
    first.join();
    till.close();
  }

  @Test
  @DisplayName("is granted what the limit leaves, and the rest of it is refused")
  void limited() throws InterruptedException {
    assertThat(grantedOf(HOLDS, 10, key(all(10L * HOLDS / 2)))).isEqualTo(HOLDS / 2);
    assertThat(cluster.granted(ALL, false)).isEqualTo(10L * HOLDS / 2);
    till.close();
  }

  @Test
  @DisplayName("leaves nothing behind: what is asked for next is what one hold needs")
  void forgotten() throws InterruptedException {
    assertThat(grantedOf(HOLDS, 10, key(all(1_000_000)))).isEqualTo(HOLDS);
    int before = node.asked.size();
    till.granted(200_000, key(all(1_000_000)));
    assertThat(node.asked).hasSizeGreaterThan(before);
    long spent = 200_000 + 10L * HOLDS;
    assertThat(node.asked.getLast().desiredGrant().nanos()).isLessThanOrEqualTo(spent + 200_000);
    till.close();
  }

  /** One asks; all others come while the store is silent, and then it answers. */
  private long grantedOf(int holds, long each, Payer key) throws InterruptedException {
    Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
    List<Thread> crowd = new ArrayList<>();
    node.hang();
    for (int i = 0; i < holds; i++) {
      crowd.add(waiting(() -> outcomes.add(till.hold(each, key))));
    }
    node.goOn();
    for (Thread hold : crowd) {
      hold.join();
    }
    assertThat(outcomes).hasSize(holds);
    assertThat(outcomes).noneMatch(Outcome.Unavailable.class::isInstance);
    return outcomes.stream().filter(Outcome.Granted.class::isInstance).count();
  }

  /** Starts a hold, and goes on when it waits and its questions are asked. */
  private Thread waiting(Runnable hold) {
    Thread thread = Thread.ofPlatform().start(hold);
    while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
      Thread.onSpinWait();
    }
    return thread;
  }
}
