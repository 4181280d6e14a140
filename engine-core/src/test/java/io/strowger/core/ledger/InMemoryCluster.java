package io.strowger.core.ledger;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Posting;
import io.strowger.spi.store.StoreUnavailableException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The state that nodes share, kept in plain maps: the grants of each node and the lines that each
 * wrote. Nodes are started and killed; the lines of a killed node stay.
 */
final class InMemoryCluster {
  private record Grant(Posting.Account account, boolean withByok) {}

  private final List<Node> nodes = Collections.synchronizedList(new ArrayList<>());

  /** Starts a node. */
  synchronized Node startNode() {
    var node = new Node();
    nodes.add(node);
    return node;
  }

  /** Returns the node that was started last. */
  Node newestNode() {
    return nodes.getLast();
  }

  /** Returns the sum of the lines in an account, of all nodes. */
  synchronized Charge settled(Posting.Account account) {
    return settled(account, node -> true);
  }

  private Charge settled(Posting.Account account, Predicate<Node> of) {
    Charge sum = Charge.ZERO;
    for (Node node : nodes) {
      for (Posting posting : of.test(node) ? node.journal : List.<Posting>of()) {
        sum = posting.accounts().contains(account) ? sum.plus(posting.total()) : sum;
      }
    }
    return sum;
  }

  /** Returns the ids of lines that were written more than once. */
  synchronized Set<String> duplicateLines() {
    var seenIds = new HashSet<String>();
    var duplicates = new HashSet<String>();
    for (Node node : nodes) {
      for (Posting posting : node.journal) {
        for (LedgerEntry entry : posting.entries()) {
          String id = entry.generation() + "#" + entry.number();
          if (!seenIds.add(id)) {
            duplicates.add(id);
          }
        }
      }
    }
    return duplicates;
  }

  /**
   * Returns the sum that all nodes were granted of a budget and have not returned; for a killed
   * node, the sum of its lines.
   */
  synchronized long granted(Posting.Account account, boolean withByok) {
    return grantedExcept(null, new Grant(account, withByok));
  }

  private long grantedExcept(@Nullable Node asking, Grant budget) {
    long sum = 0;
    for (Node node : nodes) {
      if (node != asking) {
        sum +=
            node.killed
                ? settled(budget.account(), other -> other == node)
                    .budgetAmount(budget.withByok())
                    .nanos()
                : node.granted.getOrDefault(budget, 0L);
      }
    }
    return sum;
  }

  /** The ledger store of one node. */
  final class Node implements LedgerStore {
    final List<SliceRequest> sliceRequests = Collections.synchronizedList(new ArrayList<>());
    private final Map<Grant, Long> granted = new HashMap<>();
    private final List<Posting> journal = new ArrayList<>();
    private boolean killed; // its lines are counted instead of its grants
    volatile boolean down; // the database cannot be reached
    volatile boolean losesAnswers; // the database grants, but its answer is lost
    private volatile CountDownLatch answersAllowed = new CountDownLatch(0);
    volatile boolean full; // the disk is full, so nothing can be written

    /** Ends the node for good; other nodes count its lines instead of its grants. */
    void kill() {
      synchronized (InMemoryCluster.this) {
        killed = true;
        down = true;
        full = true;
      }
    }

    @Override
    public Slice requestSlice(SliceRequest ask) {
      sliceRequests.add(ask);
      await();
      failIf(down);
      synchronized (InMemoryCluster.this) {
        var budget = new Grant(ask.account(), ask.includeByok());
        long alreadyGranted = granted.getOrDefault(budget, 0L);
        long limit = ask.limit().nanos() - grantedExcept(this, budget);
        long more =
            ask.minGrant().nanos() <= limit ? Math.min(ask.desiredGrant().nanos(), limit) : 0;
        long now = Math.max(alreadyGranted, more);
        granted.put(budget, now);
        failIf(losesAnswers);
        return new Slice(new Usd(now), new Usd(limit - now));
      }
    }

    /** Makes the store neither answer nor fail, until {@link #resume}. */
    void hang() {
      answersAllowed = new CountDownLatch(1);
    }

    void resume() {
      answersAllowed.countDown();
    }

    private void await() {
      try {
        answersAllowed.await();
      } catch (InterruptedException e) {
        throw new StoreUnavailableException("interrupted", e);
      }
    }

    private static void failIf(boolean broken) {
      if (broken) {
        throw new StoreUnavailableException("planted by the test", null);
      }
    }

    @Override
    public void returnUnused(Posting.Account account, boolean includeByok, Usd retained) {
      await();
      failIf(down);
      synchronized (InMemoryCluster.this) {
        granted.computeIfPresent(
            new Grant(account, includeByok), (budget, all) -> Math.min(all, retained.nanos()));
      }
    }

    @Override
    public void append(Posting posting) {
      failIf(full);
      synchronized (InMemoryCluster.this) {
        journal.add(posting);
      }
    }

    @Override
    public Map<Posting.Account, SpendingElsewhere> spendingElsewhere(
        Collection<Posting.Account> accounts) {
      failIf(down);
      Map<Posting.Account, SpendingElsewhere> found = new HashMap<>();
      synchronized (InMemoryCluster.this) {
        accounts.forEach(account -> found.put(account, spendingOfOthers(account)));
      }
      return found;
    }

    private SpendingElsewhere spendingOfOthers(Posting.Account account) {
      Charge charge = settled(account, node -> node != this);
      return new SpendingElsewhere(charge, charge.equals(Charge.ZERO) ? null : Instant.EPOCH);
    }

    long grantOf(Posting.Account account) {
      synchronized (InMemoryCluster.this) {
        return granted.getOrDefault(new Grant(account, false), 0L);
      }
    }

    @Override
    public List<LostNode> lostNodes() {
      return List.of();
    }

    @Override
    public boolean release(String node) {
      return false;
    }
  }
}
