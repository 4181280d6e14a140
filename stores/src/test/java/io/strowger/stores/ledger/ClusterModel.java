package io.strowger.stores.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Charge;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A model of one to four nodes that spend one budget, to which the books are compared. Each node
 * spends no more than it was granted, as with the ledger.
 */
final class ClusterModel implements AutoCloseable {
  static final long LIMIT = 1000;

  enum Action {
    LEASE,
    SPEND,
    SPEND_MORE,
    GIVE_BACK,
    FLUSH,
    FLUSH_FAILS,
    FLUSH_UNANSWERED,
    KILL,
    POWER_LOSS,
    DIRECTORY_LOST,
    CLOSE,
    RELEASE
  }

  /** An action on a node; some actions use the amount, which is from 0 to 400. */
  record Step(Action action, int node, long amount) {}

  private final TestAccount spending = TestAccount.fresh();
  private final Cluster cluster;
  private final Map<Integer, Long> granted = new HashMap<>(); // as each live node knows
  private final Map<Integer, Long> spent = new HashMap<>(); // by each live node
  private final Map<Integer, Integer> boots = new HashMap<>();
  private final Map<Integer, Long> unflushed =
      new HashMap<>(); // part of spent, only in the journal
  private final Set<Integer> failed = new HashSet<>(); // nodes whose last flush failed
  private long spentByEnded; // by nodes that have ended
  private long lost; // part of that, lost with a journal

  ClusterModel(Cluster cluster) {
    this.cluster = cluster;
  }

  private Cluster.Node node(int number) {
    granted.putIfAbsent(number, 0L);
    spent.putIfAbsent(number, 0L);
    return cluster.node(number, boot(number));
  }

  private String boot(int number) {
    return "boot-" + boots.getOrDefault(number, 0);
  }

  private long spent(int number) {
    return spent.getOrDefault(number, 0L);
  }

  private long granted(int number) {
    return granted.getOrDefault(number, 0L);
  }

  void apply(Step step) {
    int number = step.node();
    Cluster.Node node = node(number);
    switch (step.action()) {
      case LEASE -> {
        long got = spending.requestSlice(node.ledger(), LIMIT, spent(number) + step.amount());
        assertThat(got).isGreaterThanOrEqualTo(granted(number));
        granted.put(number, got);
      }
      case SPEND -> spend(number, Math.min(step.amount(), granted(number) - spent(number)));
      case SPEND_MORE -> spend(number, (granted(number) - spent(number)) / 2);
      case GIVE_BACK -> {
        long keep = Math.min(granted(number), spent(number) + step.amount() / 8);
        node.ledger().returnUnused(spending.account(), false, new Usd(keep));
        granted.put(number, keep);
      }
      case FLUSH -> {
        flush(number, node);
        unflushed.remove(number);
      }
      case FLUSH_FAILS -> {
        failed.add(number);
        node.faults().failBeforeCommit();
        node.flush();
        node.faults().endFailures();
      }
      case FLUSH_UNANSWERED -> {
        if (failed.contains(number)) {
          flush(number, node); // a failed item is sent alone, so those after it would not be sent
        }
        failed.add(number);
        node.faults().failAfterCommit();
        node.flush();
        node.faults().endFailures();
        unflushed.remove(number);
      }
      case KILL -> end(number, node::kill);
      case POWER_LOSS -> {
        end(number, node::kill);
        boots.merge(number, 1, Integer::sum);
      }
      case DIRECTORY_LOST -> {
        lost += unflushed.getOrDefault(number, 0L);
        end(number, node::kill);
        erase(cluster.path(number));
      }
      case CLOSE -> end(number, node::close);
      case RELEASE -> node.ledger().lostNodes().forEach(gone -> node.ledger().release(gone.id()));
    }
  }

  private void flush(int number, Cluster.Node node) {
    assertThat(node.flush()).isTrue();
    failed.remove(number);
  }

  private void spend(int number, long amount) {
    if (amount > 0) {
      spending.spend(node(number).ledger(), amount);
      spent.merge(number, amount, Long::sum);
      unflushed.merge(number, amount, Long::sum);
    }
  }

  private void end(int number, Runnable action) {
    action.run();
    spentByEnded += spent(number);
    granted.remove(number);
    spent.remove(number);
    unflushed.remove(number);
    failed.remove(number);
  }

  void check() {
    long maxSpent = spentByEnded + granted.values().stream().mapToLong(Long::longValue).sum();
    assertThat(maxSpent).as("what may be spent in all").isLessThanOrEqualTo(LIMIT);
  }

  void checkAtEnd() {
    long known = spentByEnded - lost + spent.values().stream().mapToLong(Long::longValue).sum();
    for (int number = 0; number < 4; number++) {
      Cluster.Node node = node(number); // reads the journals that are left
      assertThat(node.flush()).isTrue();
    }
    Cluster.Node observer = cluster.node(4);
    assertThat(spending.spentElsewhere(observer.ledger()))
        .as("the sum of the books")
        .isEqualTo(known);
    assertThat(lines()).as("the sum of the lines").isEqualTo(known);
    for (int number = 0; number < 4; number++) {
      node(number).close();
    }
    letTimePass();
    observer.ledger().lostNodes().forEach(gone -> observer.ledger().release(gone.id()));
    assertThat(observer.ledger().lostNodes()).isEmpty();
    assertThat(spending.requestSlice(observer.ledger(), LIMIT, LIMIT)).isEqualTo(LIMIT - known);
  }

  private void letTimePass() {
    cluster
        .database()
        .inTransaction(
            "let time pass",
            handle ->
                handle.execute(
                    "UPDATE ledger_node SET seen_at = CURRENT_TIMESTAMP - INTERVAL '31' SECOND"));
  }

  private long lines() {
    Charge sum = Charge.ZERO;
    for (LedgerLines.Line line : cluster.lines()) {
      boolean counts =
          line.accounts().stream()
              .anyMatch(account -> account.payer().equals(spending.account().payer()));
      sum = counts ? sum.plus(line.entry().charge()) : sum;
    }
    return sum.credits().nanos();
  }

  @Override
  public void close() {
    cluster.close();
  }

  static void erase(Path directory) {
    try (var files = Files.walk(directory)) {
      for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
