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
  private static final int HEAP_DIVISOR = 8;
  private static final int MAX_PAGE = 1000;

  /** The estimated bytes that a request takes in addition to its texts; the same for a result. */
  private static final int OVERHEAD = 200;

  private static final int MAX_LEASED = 100;
  private static final int MAX_AT_ONCE = 1000;

  private static final Comparator<Batch> NEWEST_FIRST =
      Comparator.comparing(Batch::createdAt).thenComparing(Batch::id).reversed();

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Entry> entries = new HashMap<>();
  private final GenerationStore generations;
  private final long maxBytes;
  private final LeaseQueue queue = new LeaseQueue();
  private long bytes;
  private long serveCount;
  private long leaseCount;

  /** Creates a store that takes an eighth of the largest heap this process may have. */
  public MemoryBatches(GenerationStore generations) {
    this(generations, Runtime.getRuntime().maxMemory() / HEAP_DIVISOR);
  }

  /**
   * @param generations the records, which show whether a claimed bill was made
   * @param maxBytes the bytes of requests and results beyond which no more requests are accepted;
   *     at twice that number, no request is leased
   */
  public MemoryBatches(GenerationStore generations, long maxBytes) {
    this.generations = generations;
    this.maxBytes = maxBytes;
  }

  /** A batch with its requests. Guarded by the lock. */
  private static final class Entry {
    private Batch batch;
    private final NavigableMap<Integer, Item> items = new TreeMap<>();
    private final NavigableMap<Integer, Item> openItems = new TreeMap<>(); // those without a result
    private int completedCount;
    private int failedCount;
    private UsageAndCost usageAndCost = UsageAndCost.NONE;
    private long lastServed;
    private Instant stepLeaseUntil = Instant.MIN;

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
      return new Counts(batch.counts().total(), completedCount, failedCount);
    }

    boolean isDue(Instant now) {
      return !batch.dueAt().isAfter(now);
    }

    boolean hasStep(Instant now) {
      return !stepLeaseUntil.isAfter(now)
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
    private @Nullable String generationId; // null when nothing was claimed
    private long claimedNanoUsd;

    Item(Request request) {
      this.request = request;
    }

    long bytes() {
      Result current = result;
      return OVERHEAD
          + 2L * request.customId().length()
          + request.body().length
          + (current == null ? 0 : OVERHEAD + current.body().length);
    }

    boolean isLeased(Instant now) {
      return token != null && readyAt.isAfter(now);
    }
  }

  private <T extends @Nullable Object> T withLock(Supplier<T> work) {
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
      throw new IllegalArgumentException(
          "a new batch must be receiving and of version 1, was " + batch);
    }
    return withLock(
        () -> {
          var entry = new Entry(batch);
          entry.lastServed = ++serveCount; // after all waiting batches
          return entries.putIfAbsent(batch.id(), entry) == null;
        });
  }

  @Override
  public void addRequests(String batch, List<Request> requests) {
    withLock(
        () -> {
          Entry entry = entries.get(batch);
          if (entry == null || entry.batch.phase() != Phase.RECEIVING) {
            throw new StoreRefusedException(
                "batch " + batch + " accepts no more requests: create another batch", null);
          }
          long newBytes = requests.stream().mapToLong(request -> new Item(request).bytes()).sum();
          if (newBytes > maxBytes - bytes) {
            throw new StoreRefusedException(
                "the requests of batches in memory are limited to "
                    + maxBytes
                    + " bytes in all: give the gateway a data directory, or delete batches that"
                    + " have ended",
                null);
          }
          requests.forEach(request -> add(entry, request));
          return entry;
        });
  }

  private void add(Entry entry, Request request) {
    var item = new Item(request);
    if (entry.items.putIfAbsent(request.number(), item) == null) {
      entry.openItems.put(request.number(), item);
      bytes += item.bytes();
    }
  }

  @Override
  public boolean replace(Batch next) {
    return withLock(
        () -> {
          Entry entry = entries.get(next.id());
          if (entry == null || entry.batch.version() != next.version() - 1) {
            return false;
          }
          entry.batch = next;
          entry.stepLeaseUntil = Instant.MIN;
          return true;
        });
  }

  @Override
  public @Nullable Batch find(String id) {
    return withLock(
        () -> {
          Entry entry = entries.get(id);
          return entry == null ? null : entry.batch();
        });
  }

  @Override
  public List<Batch> list(Filter filter) {
    return withLock(
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
  public List<Request> requests(String batch, int from, long pageBytes) {
    return withLock(
        () -> {
          var page = new ArrayList<Request>();
          long left = pageBytes;
          for (Item item : items(batch, from)) {
            left -= item.request.body().length;
            if (page.size() == MAX_PAGE || left < 0 && !page.isEmpty()) {
              break;
            }
            page.add(item.request);
          }
          return page;
        });
  }

  @Override
  public List<AnsweredRequest> results(String batch, int from, long pageBytes) {
    return withLock(
        () -> {
          var page = new ArrayList<AnsweredRequest>();
          long left = pageBytes;
          for (Item item : items(batch, from)) {
            Result result = item.result;
            if (result == null) {
              continue;
            }
            left -= result.body().length;
            if (page.size() == MAX_PAGE || left < 0 && !page.isEmpty()) {
              break;
            }
            page.add(new AnsweredRequest(item.request.number(), item.request.customId(), result));
          }
          return page;
        });
  }

  private Collection<Item> items(String batch, int from) {
    Entry entry = entries.get(batch);
    return entry == null ? List.of() : entry.items.tailMap(from, true).values();
  }

  @Override
  public UsageAndCost usageAndCost(String batch) {
    return withLock(
        () -> {
          Entry entry = entries.get(batch);
          return entry == null ? UsageAndCost.NONE : entry.usageAndCost;
        });
  }

  @Override
  public int removeContent(String batch, int max, boolean removeBatch) {
    checkMax(max, MAX_AT_ONCE);
    return withLock(
        () -> {
          Entry entry = entries.get(batch);
          if (entry == null || entry.batch.phase() != Phase.REMOVED) {
            return 0;
          }
          int removed = 0;
          while (removed < max && !entry.items.isEmpty()) {
            Item item = entry.items.pollFirstEntry().getValue();
            entry.openItems.remove(item.request.number());
            bytes -= item.bytes();
            removed++;
          }
          if (removeBatch && removed < max) {
            entries.remove(batch);
          }
          return removed;
        });
  }

  @Override
  public BatchQueue queue() {
    return queue;
  }

  private static void checkMax(int max, int bound) {
    if (max < 1 || max > bound) {
      throw new IllegalArgumentException("max must be 1 to " + bound + ", was " + max);
    }
  }

  /** A leased request, with the claim of an earlier lease. */
  private record LeasedItem(
      BatchQueue.Lease lease,
      Batch batch,
      Request request,
      int attempts,
      @Nullable String generationId,
      long claimedNanoUsd) {}

  /** Leases steps and requests to workers. */
  private final class LeaseQueue implements BatchQueue {
    @Override
    public @Nullable Batch leaseStep(Instant now, Instant until) {
      return withLock(
          () -> {
            Entry next =
                entries.values().stream()
                    .filter(entry -> entry.hasStep(now))
                    .min(
                        Comparator.<Entry, Boolean>comparing(entry -> !entry.isDue(now))
                            .thenComparing(entry -> entry.batch.phase() == Phase.STEP)
                            .thenComparingLong(entry -> entry.lastServed))
                    .orElse(null);
            if (next == null) {
              return null;
            }
            next.stepLeaseUntil = until;
            return next.batch();
          });
    }

    @Override
    public void renewStep(String batch, Instant until) {
      withLock(
          () -> {
            Entry entry = entries.get(batch);
            if (entry != null && entry.stepLeaseUntil != Instant.MIN) {
              entry.stepLeaseUntil = until;
            }
            return entry;
          });
    }

    @Override
    public List<LeasedRequest> lease(
        int max, Instant now, Instant until, Instant patience, LeaseOrder order) {
      checkMax(max, MAX_LEASED);
      // records are looked up without the lock
      return withLock(() -> leaseItems(max, now, until, order)).stream()
          .map(this::toLeased)
          .toList();
    }

    private List<LeasedItem> leaseItems(int max, Instant now, Instant until, LeaseOrder order) {
      if (bytes >= 2 * maxBytes) {
        return List.of(); // there is no room for their results
      }
      List<Entry> candidates =
          entries.values().stream()
              .filter(entry -> entry.batch.phase() == Phase.OPEN && !entry.isDue(now))
              .filter(entry -> !order.excludedBatches().contains(entry.batch.id()))
              .sorted(
                  Comparator.<Entry, Boolean>comparing(
                          entry -> order.lastWorkspaces().contains(entry.batch.workspace()))
                      .thenComparingLong(entry -> entry.lastServed)
                      .thenComparing(entry -> entry.batch, NEWEST_FIRST.reversed()))
              .toList();
      for (Entry entry : candidates) {
        List<LeasedItem> leasedItems = leaseItems(entry, max, now, until);
        if (!leasedItems.isEmpty()) {
          entry.lastServed = ++serveCount;
          return leasedItems;
        }
      }
      return List.of();
    }

    private List<LeasedItem> leaseItems(Entry entry, int max, Instant now, Instant until) {
      var leasedItems = new ArrayList<LeasedItem>();
      Batch batch = entry.batch();
      for (Item item : entry.openItems.values()) {
        if (leasedItems.size() == max) {
          break;
        }
        if (!item.readyAt.isAfter(now)) {
          String token = String.valueOf(++leaseCount);
          item.token = token;
          item.readyAt = until;
          var lease = new Lease(batch.id(), item.request.number(), token);
          leasedItems.add(
              new LeasedItem(
                  lease,
                  batch,
                  item.request,
                  item.attempts,
                  item.generationId,
                  item.claimedNanoUsd));
        }
      }
      return leasedItems;
    }

    private LeasedRequest toLeased(LeasedItem item) {
      String generationId = item.generationId;
      BillingStatus billed =
          generationId != null && (generationId.isEmpty() || generations.find(generationId) != null)
              ? BillingStatus.BILLED
              : BillingStatus.NOT_BILLED;
      return new LeasedRequest(
          item.lease, item.batch, item.request, item.attempts, billed, item.claimedNanoUsd);
    }

    /** Returns the request of a lease; null when the lease is lost. */
    private @Nullable Item findLeased(Lease lease) {
      Entry entry = entries.get(lease.batch());
      Item item = entry == null ? null : entry.openItems.get(lease.number());
      return item == null || !lease.token().equals(item.token) ? null : item;
    }

    @Override
    public Set<Lease> renew(Collection<Lease> leases, Instant until) {
      return withLock(
          () -> {
            var renewed = new HashSet<Lease>();
            for (Lease lease : leases) {
              Item item = findLeased(lease);
              if (item != null) {
                item.readyAt = until;
                renewed.add(lease);
              }
            }
            return renewed;
          });
    }

    @Override
    public boolean claim(Lease lease, String generation, Usd amount) {
      return withLock(
          () -> {
            Item item = findLeased(lease);
            if (item == null) {
              return false;
            }
            item.generationId = generation;
            item.claimedNanoUsd = amount.nanos();
            return true;
          });
    }

    @Override
    public boolean finish(Lease lease, Result result) {
      return withLock(
          () -> {
            Item item = findLeased(lease);
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
      entry.openItems.remove(item.request.number());
      entry.completedCount += result.completed() ? 1 : 0;
      entry.failedCount += result.completed() ? 0 : 1;
      entry.usageAndCost = entry.usageAndCost.plus(result.usageAndCost());
    }

    @Override
    public void postpone(Lease lease, Instant readyAt, boolean attempted) {
      withLock(
          () -> {
            Item item = findLeased(lease);
            if (item != null) {
              item.readyAt = readyAt;
              item.token = null;
              item.attempts += attempted ? 1 : 0;
            }
            return item;
          });
    }

    @Override
    public int finishRemaining(String batch, Result result, Instant now, int max) {
      checkMax(max, MAX_AT_ONCE);
      return withLock(
          () -> {
            Entry entry = entries.get(batch);
            if (entry == null || entry.batch.phase() == Phase.OPEN) {
              return 0;
            }
            List<Item> items =
                entry.openItems.values().stream()
                    .filter(item -> !item.isLeased(now))
                    .limit(max)
                    .toList();
            items.forEach(item -> finish(entry, item, result));
            return items.size();
          });
    }

    @Override
    public int countWithoutResult(String batch) {
      return withLock(
          () -> {
            Entry entry = entries.get(batch);
            return entry == null ? 0 : entry.openItems.size();
          });
    }
  }
}
