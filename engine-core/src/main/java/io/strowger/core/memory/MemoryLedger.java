package io.strowger.core.memory;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Counter;
import io.strowger.spi.store.Hold;
import io.strowger.spi.store.Ledger;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A ledger that forgets when the process ends, and its holds with it, so deadlines of holds play no
 * part here.
 *
 * <p>One lock per account, taken in the order the accounts came into being, whatever order a caller
 * names them in: no deadlock, and settled + held is compared and raised in one step.
 */
public final class MemoryLedger implements Ledger {
  private record Key(String owner, String window) {}

  private final ConcurrentHashMap<Key, Account> accounts = new ConcurrentHashMap<>();
  private final AtomicLong born = new AtomicLong();

  private static final class Account {
    private final long order;
    private final ReentrantLock lock = new ReentrantLock();
    private long settled;
    private long held;
    private long overrun;

    Account(long order) {
      this.order = order;
    }

    /** What the limit leaves; call under the lock. */
    long room(Usd limit) {
      return limit.nanos() - settled - held;
    }
  }

  private final class Held implements Hold {
    private final Account[] sorted;
    private final Usd amount;
    private final AtomicBoolean ended = new AtomicBoolean();

    Held(Account[] sorted, Usd amount) {
      this.sorted = sorted;
      this.amount = amount;
    }

    @Override
    public Usd amount() {
      return amount;
    }

    @Override
    public void settle(Usd actual) {
      if (actual.nanos() < 0) {
        throw new IllegalArgumentException("a bill must be at least 0, was " + actual);
      }
      if (ended.compareAndSet(false, true)) {
        book(sorted, amount.nanos(), actual.nanos());
      }
    }

    @Override
    public void release() {
      settle(Usd.ZERO);
    }
  }

  @Override
  public Outcome hold(List<Counter> all, Usd atMost, Instant deadline) {
    long nanos = atMost.nanos();
    if (nanos < 0) {
      throw new IllegalArgumentException("a hold must be at least 0, was " + atMost);
    }
    Account[] given = accounts(all);
    Account[] sorted = lock(given);
    try {
      for (int i = 0; i < given.length; i++) {
        Usd limit = all.get(i).limit();
        if (limit != null && given[i].room(limit) < nanos) {
          return new Outcome.Refused(all.get(i), new Usd(given[i].room(limit)));
        }
      }
      for (Account account : sorted) {
        account.held = Math.addExact(account.held, nanos);
      }
    } finally {
      unlock(sorted);
    }
    return new Outcome.Granted(new Held(sorted, atMost));
  }

  private static void book(Account[] sorted, long held, long bill) {
    for (Account account : sorted) {
      account.lock.lock();
    }
    try {
      for (Account account : sorted) {
        account.held -= held;
        account.settled = Math.addExact(account.settled, bill);
        account.overrun += Math.max(0, bill - held);
      }
    } finally {
      unlock(sorted);
    }
  }

  private Account[] accounts(List<Counter> all) {
    Account[] found = new Account[all.size()];
    for (int i = 0; i < found.length; i++) {
      found[i] = account(all.get(i).owner(), all.get(i).window());
    }
    return found;
  }

  private Account account(String owner, String window) {
    var key = new Key(owner, window);
    Account account = accounts.get(key);
    return account != null
        ? account
        : accounts.computeIfAbsent(key, k -> new Account(born.getAndIncrement()));
  }

  /** Takes all locks, oldest account first, and returns the accounts in that order. */
  private static Account[] lock(Account[] given) {
    Account[] sorted = given.clone();
    for (int i = 1; i < sorted.length; i++) {
      for (int j = i; j > 0 && sorted[j - 1].order > sorted[j].order; j--) {
        Account younger = sorted[j - 1];
        sorted[j - 1] = sorted[j];
        sorted[j] = younger;
      }
    }
    for (Account account : sorted) {
      account.lock.lock();
    }
    return sorted;
  }

  private static void unlock(Account[] sorted) {
    for (Account account : sorted) {
      account.lock.unlock();
    }
  }

  @Override
  public @Nullable Usd remaining(List<Counter> all) {
    long least = Long.MAX_VALUE;
    for (Counter counter : all) {
      Usd limit = counter.limit();
      if (limit != null) {
        Account account = account(counter.owner(), counter.window());
        account.lock.lock();
        try {
          least = Math.min(least, account.room(limit));
        } finally {
          account.lock.unlock();
        }
      }
    }
    return least == Long.MAX_VALUE ? null : new Usd(least);
  }

  @Override
  public Balance balance(String owner, String window) {
    Account account = accounts.get(new Key(owner, window));
    if (account == null) {
      return new Balance(Usd.ZERO, Usd.ZERO, Usd.ZERO);
    }
    account.lock.lock();
    try {
      return new Balance(new Usd(account.settled), new Usd(account.held), new Usd(account.overrun));
    } finally {
      account.lock.unlock();
    }
  }
}
