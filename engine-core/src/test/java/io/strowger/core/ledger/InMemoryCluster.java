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
 * What nodes share, kept in plain maps: what each was granted, and the lines each wrote. Nodes come
 * and go; the lines of one that is gone stay, and what it was granted counts as spent until its
 * journal is read.
 */
final class InMemoryCluster {
  private record Grant(Posting.Account account, boolean withByok) {}

  private final List<Node> nodes = Collections.synchronizedList(new ArrayList<>());

  /** A node begins. */
  synchronized Node open() {
    var node = new Node();
    nodes.add(node);
    return node;
  }

  /** The node that began last. */
  Node last() {
    return nodes.getLast();
  }

  /** All lines in an account, by whomever. */
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

  /** Ids of lines in an account that are there twice. */
  synchronized Set<String> doubles() {
    var seen = new HashSet<String>();
    var twice = new HashSet<String>();
    for (Node node : nodes) {
      for (Posting posting : node.journal) {
        for (LedgerEntry entry : posting.entries()) {
          String id = entry.generation() + "#" + entry.number();
          if (!seen.add(id)) {
            twice.add(id);
          }
        }
      }
    }
    return twice;
  }

  /** What all nodes were granted of a budget and did not give back, or spent for good. */
  synchronized long granted(Posting.Account account, boolean withByok) {
    return grantedBut(null, new Grant(account, withByok));
  }

  private long grantedBut(@Nullable Node asking, Grant budget) {
    long sum = 0;
    for (Node node : nodes) {
      if (node != asking) {
        sum +=
            node.read
                ? settled(budget.account(), other -> other == node)
                    .budgetAmount(budget.withByok())
                    .nanos()
                : node.granted.getOrDefault(budget, 0L);
      }
    }
    return sum;
  }

  /** The books of one node, as long as it lives. */
  final class Node implements LedgerStore {
    final List<SliceRequest> asked = Collections.synchronizedList(new ArrayList<>());
    private final Map<Grant, Long> granted = new HashMap<>();
    private final List<Posting> journal = new ArrayList<>();
    private boolean read; // gone, and its journal was read
    volatile boolean down; // the database is away
    volatile boolean mute; // it grants, and nobody hears of it
    private volatile CountDownLatch answering = new CountDownLatch(0);
    volatile boolean full; // nothing can be written

    /** The node is gone for good, and somebody read its journal. */
    void bury() {
      synchronized (InMemoryCluster.this) {
        read = true;
        down = true;
        full = true;
      }
    }

    @Override
    public Slice requestSlice(SliceRequest ask) {
      asked.add(ask);
      await();
      check(down);
      synchronized (InMemoryCluster.this) {
        var budget = new Grant(ask.account(), ask.includeByok());
        long before = granted.getOrDefault(budget, 0L);
        long most = ask.limit().nanos() - grantedBut(this, budget);
        long more = ask.minGrant().nanos() <= most ? Math.min(ask.desiredGrant().nanos(), most) : 0;
        long now = Math.max(before, more);
        granted.put(budget, now);
        check(mute);
        return new Slice(new Usd(now), new Usd(most - now));
      }
    }

    /** The database answers nothing, and refuses nothing. */
    void hang() {
      answering = new CountDownLatch(1);
    }

    void goOn() {
      answering.countDown();
    }

    private void await() {
      try {
        answering.await();
      } catch (InterruptedException e) {
        throw new StoreUnavailableException("interrupted", e);
      }
    }

    private static void check(boolean broken) {
      if (broken) {
        throw new StoreUnavailableException("the test says so", null);
      }
    }

    @Override
    public void returnUnused(Posting.Account account, boolean withByok, Usd keep) {
      await();
      check(down);
      synchronized (InMemoryCluster.this) {
        granted.computeIfPresent(
            new Grant(account, withByok), (budget, all) -> Math.min(all, keep.nanos()));
      }
    }

    @Override
    public void append(Posting posting) {
      check(full);
      synchronized (InMemoryCluster.this) {
        journal.add(posting);
      }
    }

    @Override
    public Map<Posting.Account, SpendingElsewhere> spendingElsewhere(
        Collection<Posting.Account> accounts) {
      check(down);
      Map<Posting.Account, SpendingElsewhere> found = new HashMap<>();
      synchronized (InMemoryCluster.this) {
        accounts.forEach(account -> found.put(account, elsewhere(account)));
      }
      return found;
    }

    private SpendingElsewhere elsewhere(Posting.Account account) {
      Charge charge = settled(account, node -> node != this);
      return new SpendingElsewhere(charge, charge.equals(Charge.ZERO) ? null : Instant.EPOCH);
    }

    long granted(Posting.Account account) {
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
