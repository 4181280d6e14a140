package io.strowger.core.memory;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.BatchQueue;
import io.strowger.spi.store.BatchStore;
import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.StoreRefusedException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Batches of a single node, lost when the process ends. New requests are refused once requests and
 * results take an eighth of the heap, and no request is leased once they take a quarter, until
 * other batches are removed. There is one lock, under which no thread waits for anything else.
 */
public final class MemoryBatches implements BatchStore {
  private static final int HEAP_SHARE = 8;
  private static final int PAGE = 1000;

  /** The estimated bytes that a request takes in addition to its texts; the same for a result. */
  private static final int OVERHEAD = 200;

  private static final int MAX_LEASED = 100;
  private static final int MAX_AT_ONCE = 1000;

  private static final Comparator<Batch> NEWEST_FIRST =
      Comparator.comparing(Batch::createdAt).thenComparing(Batch::id).reversed();

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Entry> entries = new HashMap<>();
  private final GenerationStore generations;
  private final long mostBytes;
  private final Queue queue = new Queue();
  private long bytes;
  private long turns;
  private long leases;

  /** Creates a store that takes an eighth of the largest heap this process may have. */
  public MemoryBatches(GenerationStore generations) {
    this(generations, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  }

  /**
   * @param generations the records, which show whether a claimed bill was made
   * @param mostBytes the bytes of requests and results beyond which no more requests are accepted;
   *     at twice that number, no request is leased
   */
  public MemoryBatches(GenerationStore generations, long mostBytes) {
    this.generations = generations;
    this.mostBytes = mostBytes;
  }

  /** A batch with its requests. Guarded by the lock. */
  private static final class Entry {
    private Batch batch;
    private final NavigableMap<Integer, Item> items = new TreeMap<>();
    private final NavigableMap<Integer, Item> open = new TreeMap<>(); // those without a result
    private int completed;
    private int failed;
    private UsageAndCost usageAndCost = UsageAndCost.NONE;
    private long turn;
    private Instant stepUntil = Instant.MIN;

    Entry(Batch batch) {
      this.batch = batch;
    }

    Batch batch() {
      return new Batch(
          batch.id(),
          batch.workspace(),
          batch.phase(),
          batch.status(),
          batch.createdAt(),
          batch.dueAt(),
          batch.version(),
          counts(),
          batch.body());
    }

    Counts counts() {
      return new Counts(batch.counts().total(), completed, failed);
    }

    boolean isDue(Instant now) {
      return !batch.dueAt().isAfter(now);
    }

    boolean hasStep(Instant now) {
      return !stepUntil.isAfter(now)
          && (batch.phase() == Phase.STEP
              || batch.phase() == Phase.OPEN && counts().isDone()
              || isDue(now));
    }
  }

  /** A request. */
  private static final class Item {
    private final Request request;
    private @Nullable Result result;
    private @Nullable String token;
    private Instant readyAt = Instant.MIN;
    private int attempts;
    private @Nullable String generation; // null when nothing was claimed
    private long claimed;

    Item(Request request) {
      this.request = request;
    }

    long bytes() {
      Result has = result;
      return OVERHEAD
          + 2L * request.customId().length()
          + request.body().length
          + (has == null ? 0 : OVERHEAD + has.body().length);
    }

    boolean isLeased(Instant now) {
      return token != null && readyAt.isAfter(now);
    }
  }

  private <T extends @Nullable Object> T locked(Supplier<T> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean add(Batch batch) {
    if (batch.phase() != Phase.RECEIVING || batch.version() != 1) {
      throw new IllegalArgumentException("must be receiving and of version 1, was " + batch);
    }
    return locked(
        () -> {
          var entry = new Entry(batch);
          entry.turn = ++turns; // behind all waiting batches
          return entries.putIfAbsent(batch.id(), entry) == null;
        });
  }

  @Override
  public void addRequests(String batch, List<Request> requests) {
    locked(
        () -> {
          Entry entry = entries.get(batch);
          if (entry == null || entry.batch.phase() != Phase.RECEIVING) {
            throw new StoreRefusedException(
                "batch " + batch + " takes no requests any more: make another", null);
          }
          long more = requests.stream().mapToLong(request -> new Item(request).bytes()).sum();
          if (more > mostBytes - bytes) {
            throw new StoreRefusedException(
                "requests of batches that are kept in memory take no more than "
                    + mostBytes
                    + " bytes in all: give the gateway a data directory, or wait until others are"
                    + " over",
                null);
          }
          requests.forEach(request -> add(entry, request));
          return entry;
        });
  }

  private void add(Entry entry, Request request) {
    var item = new Item(request);
    if (entry.items.putIfAbsent(request.number(), item) == null) {
      entry.open.put(request.number(), item);
      bytes += item.bytes();
    }
  }

  @Override
  public boolean replace(Batch next) {
    return locked(
        () -> {
          Entry entry = entries.get(next.id());
          if (entry == null || entry.batch.version() != next.version() - 1) {
            return false;
          }
          entry.batch = next;
          entry.stepUntil = Instant.MIN;
          return true;
        });
  }

  @Override
  public @Nullable Batch find(String id) {
    return locked(
        () -> {
          Entry entry = entries.get(id);
          return entry == null ? null : entry.batch();
        });
  }

  @Override
  public List<Batch> list(Filter filter) {
    return locked(
        () -> {
          Entry after = filter.after() == null ? null : entries.get(filter.after());
          if (filter.after() != null
              && (after == null || !after.batch.workspace().equals(filter.workspace()))) {
            return List.of();
          }
          return entries.values().stream()
              .filter(entry -> isListed(entry.batch, filter))
              .filter(entry -> after == null || NEWEST_FIRST.compare(after.batch, entry.batch) < 0)
              .map(Entry::batch)
              .sorted(NEWEST_FIRST)
              .limit(filter.limit())
              .toList();
        });
  }

  private static boolean isListed(Batch batch, Filter filter) {
    Instant after = filter.createdAfter();
    Instant before = filter.createdBefore();
    return batch.workspace().equals(filter.workspace())
        && batch.phase() != Phase.RECEIVING
        && batch.phase() != Phase.REMOVED
        && (filter.statuses().isEmpty() || filter.statuses().contains(batch.status()))
        && (after == null || batch.createdAt().isAfter(after))
        && (before == null || batch.createdAt().isBefore(before));
  }

  @Override
  public List<Request> requests(String batch, int from, long mostBytes) {
    return locked(
        () -> {
          var page = new ArrayList<Request>();
          long left = mostBytes;
          for (Item item : items(batch, from)) {
            left -= item.request.body().length;
            if (page.size() == PAGE || left < 0 && !page.isEmpty()) {
              break;
            }
            page.add(item.request);
          }
          return page;
        });
  }

  @Override
  public List<Answered> results(String batch, int from, long mostBytes) {
    return locked(
        () -> {
          var page = new ArrayList<Answered>();
          long left = mostBytes;
          for (Item item : items(batch, from)) {
            Result result = item.result;
            if (result == null) {
              continue;
            }
            left -= result.body().length;
            if (page.size() == PAGE || left < 0 && !page.isEmpty()) {
              break;
            }
            page.add(new Answered(item.request.number(), item.request.customId(), result));
          }
          return page;
        });
  }

  private Collection<Item> items(String batch, int from) {
    Entry entry = entries.get(batch);
    return entry == null ? List.of() : entry.items.tailMap(from, true).values();
  }

  @Override
  public UsageAndCost figures(String batch) {
    return locked(
        () -> {
          Entry entry = entries.get(batch);
          return entry == null ? UsageAndCost.NONE : entry.usageAndCost;
        });
  }

  @Override
  public int removeContent(String batch, int most, boolean whole) {
    check(most, MAX_AT_ONCE);
    return locked(
        () -> {
          Entry entry = entries.get(batch);
          if (entry == null || entry.batch.phase() != Phase.REMOVED) {
            return 0;
          }
          int removed = 0;
          while (removed < most && !entry.items.isEmpty()) {
            Item item = entry.items.pollFirstEntry().getValue();
            entry.open.remove(item.request.number());
            bytes -= item.bytes();
            removed++;
          }
          if (whole && removed < most) {
            entries.remove(batch);
          }
          return removed;
        });
  }

  @Override
  public BatchQueue queue() {
    return queue;
  }

  private static void check(int most, int allowed) {
    if (most < 1 || most > allowed) {
      throw new IllegalArgumentException("must be 1 to " + allowed + ", was " + most);
    }
  }

  /** A leased request, with the claim of an earlier lease. */
  private record Taken(
      BatchQueue.Lease lease,
      Batch batch,
      Request request,
      int attempts,
      @Nullable String generation,
      long claimed) {}

  /** Leases steps and requests to workers. */
  private final class Queue implements BatchQueue {
    @Override
    public @Nullable Batch leaseStep(Instant now, Instant until) {
      return locked(
          () -> {
            Entry next =
                entries.values().stream()
                    .filter(entry -> entry.hasStep(now))
                    .min(
                        Comparator.<Entry, Boolean>comparing(entry -> !entry.isDue(now))
                            .thenComparing(entry -> entry.batch.phase() == Phase.STEP)
                            .thenComparingLong(entry -> entry.turn))
                    .orElse(null);
            if (next == null) {
              return null;
            }
            next.stepUntil = until;
            return next.batch();
          });
    }

    @Override
    public void renewStep(String batch, Instant until) {
      locked(
          () -> {
            Entry entry = entries.get(batch);
            if (entry != null && entry.stepUntil != Instant.MIN) {
              entry.stepUntil = until;
            }
            return entry;
          });
    }

    @Override
    public List<Leased> lease(int most, Instant now, Instant until, Instant patience, Order order) {
      check(most, MAX_LEASED);
      // records are looked up without the lock
      return locked(() -> take(most, now, until, order)).stream().map(this::leased).toList();
    }

    private List<Taken> take(int most, Instant now, Instant until, Order order) {
      if (bytes >= 2 * mostBytes) {
        return List.of(); // there is no room for their results
      }
      List<Entry> inTurn =
          entries.values().stream()
              .filter(entry -> entry.batch.phase() == Phase.OPEN && !entry.isDue(now))
              .filter(entry -> !order.without().contains(entry.batch.id()))
              .sorted(
                  Comparator.<Entry, Boolean>comparing(
                          entry -> order.last().contains(entry.batch.workspace()))
                      .thenComparingLong(entry -> entry.turn)
                      .thenComparing(entry -> entry.batch, NEWEST_FIRST.reversed()))
              .toList();
      for (Entry entry : inTurn) {
        List<Taken> taken = take(entry, most, now, until);
        if (!taken.isEmpty()) {
          entry.turn = ++turns;
          return taken;
        }
      }
      return List.of();
    }

    private List<Taken> take(Entry entry, int most, Instant now, Instant until) {
      var taken = new ArrayList<Taken>();
      Batch batch = entry.batch();
      for (Item item : entry.open.values()) {
        if (taken.size() == most) {
          break;
        }
        if (!item.readyAt.isAfter(now)) {
          String token = String.valueOf(++leases);
          item.token = token;
          item.readyAt = until;
          var lease = new Lease(batch.id(), item.request.number(), token);
          taken.add(
              new Taken(lease, batch, item.request, item.attempts, item.generation, item.claimed));
        }
      }
      return taken;
    }

    private Leased leased(Taken taken) {
      String claimed = taken.generation;
      Billed billed =
          claimed != null && (claimed.isEmpty() || generations.find(claimed) != null)
              ? Billed.YES
              : Billed.NO;
      return new Leased(
          taken.lease, taken.batch, taken.request, taken.attempts, billed, taken.claimed);
    }

    /** Returns the request of a lease; null when the lease is lost. */
    private @Nullable Item held(Lease lease) {
      Entry entry = entries.get(lease.batch());
      Item item = entry == null ? null : entry.open.get(lease.number());
      return item == null || !lease.token().equals(item.token) ? null : item;
    }

    @Override
    public Set<Lease> renew(Collection<Lease> leases, Instant until) {
      return locked(
          () -> {
            var renewed = new HashSet<Lease>();
            for (Lease lease : leases) {
              Item item = held(lease);
              if (item != null) {
                item.readyAt = until;
                renewed.add(lease);
              }
            }
            return renewed;
          });
    }

    @Override
    public boolean claim(Lease lease, String generation, Usd billed) {
      return locked(
          () -> {
            Item item = held(lease);
            if (item == null) {
              return false;
            }
            item.generation = generation;
            item.claimed = billed.nanos();
            return true;
          });
    }

    @Override
    public boolean finish(Lease lease, Result result) {
      return locked(
          () -> {
            Item item = held(lease);
            Entry entry = entries.get(lease.batch());
            if (item == null || entry == null) {
              return false;
            }
            finish(entry, item, result);
            return true;
          });
    }

    private void finish(Entry entry, Item item, Result result) {
      bytes -= item.bytes();
      item.result = result;
      item.token = null;
      bytes += item.bytes();
      entry.open.remove(item.request.number());
      entry.completed += result.completed() ? 1 : 0;
      entry.failed += result.completed() ? 0 : 1;
      entry.usageAndCost = entry.usageAndCost.plus(result.figures());
    }

    @Override
    public void postpone(Lease lease, Instant readyAt, boolean attempted) {
      locked(
          () -> {
            Item item = held(lease);
            if (item != null) {
              item.readyAt = readyAt;
              item.token = null;
              item.attempts += attempted ? 1 : 0;
            }
            return item;
          });
    }

    @Override
    public int finishRest(String batch, Result result, Instant now, int most) {
      check(most, MAX_AT_ONCE);
      return locked(
          () -> {
            Entry entry = entries.get(batch);
            if (entry == null || entry.batch.phase() == Phase.OPEN) {
              return 0;
            }
            List<Item> rest =
                entry.open.values().stream()
                    .filter(item -> !item.isLeased(now))
                    .limit(most)
                    .toList();
            rest.forEach(item -> finish(entry, item, result));
            return rest.size();
          });
    }

    @Override
    public int open(String batch) {
      return locked(
          () -> {
            Entry entry = entries.get(batch);
            return entry == null ? 0 : entry.open.size();
          });
    }
  }
}
