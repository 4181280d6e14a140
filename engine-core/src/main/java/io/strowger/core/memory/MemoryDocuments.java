package io.strowger.core.memory;

import io.strowger.spi.store.AuditEntry;
import io.strowger.spi.store.AuditStore;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Documents and the audit log in memory, lost when the process ends. There is one lock. */
public final class MemoryDocuments implements DocumentStore {
  private static final int MAX_CHANGES = 10_000;

  /** The number of entries of the audit log that are kept, the latest ones. */
  static final int MAX_AUDIT_ENTRIES = 10_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Ref, Document> documents = new HashMap<>();
  private final List<Ref> changes = new ArrayList<>(); // the latest, in order
  private final ArrayDeque<AuditEntry> auditEntries = new ArrayDeque<>(); // newest first
  private long latestChange;

  @Override
  public boolean write(List<Write> writes) {
    lock.lock();
    try {
      Map<Ref, @Nullable Document> updates = new HashMap<>();
      List<AuditEntry> newEntries = new ArrayList<>();
      for (Write write : writes) {
        if (write instanceof Write.Append(AuditEntry entry)) {
          newEntries.add(entry);
          continue;
        }
        Ref ref = ref(write);
        Document current = updates.containsKey(ref) ? updates.get(ref) : documents.get(ref);
        if (!fits(write, current)) {
          return false;
        }
        updates.put(ref, toDocument(write));
      }
      updates.forEach(this::put);
      newEntries.forEach(this::append);
      return true;
    } finally {
      lock.unlock();
    }
  }

  private static Ref ref(Write write) {
    return switch (write) {
      case Write.Insert(Document document) -> new Ref(document.kind(), document.id());
      case Write.Replace(Document document) -> new Ref(document.kind(), document.id());
      case Write.Remove(String kind, String id, long version) -> new Ref(kind, id);
      case Write.Append(AuditEntry entry) -> throw new IllegalArgumentException("no document");
    };
  }

  private static boolean fits(Write write, @Nullable Document current) {
    return switch (write) {
      case Write.Insert(Document document) -> current == null && document.version() == 1;
      case Write.Replace(Document document) ->
          current != null && current.version() == document.version() - 1;
      case Write.Remove(String kind, String id, long version) ->
          current != null && current.version() == version;
      case Write.Append(AuditEntry entry) -> true;
    };
  }

  private static @Nullable Document toDocument(Write write) {
    return switch (write) {
      case Write.Insert(Document document) -> detach(document);
      case Write.Replace(Document document) -> detach(document);
      case Write.Remove remove -> null;
      case Write.Append append -> null;
    };
  }

  /** Returns a copy with a detached body, which does not keep a whole request reachable. */
  private static Document detach(Document document) {
    return new Document(
        document.kind(),
        document.id(),
        document.group(),
        document.hidden(),
        document.version(),
        document.createdAt(),
        document.updatedAt(),
        document.body().detached());
  }

  private void append(AuditEntry entry) {
    auditEntries.addFirst(
        new AuditEntry(entry.id(), entry.workspace(), entry.at(), entry.body().detached()));
    if (auditEntries.size() > MAX_AUDIT_ENTRIES) {
      auditEntries.removeLast();
    }
  }

  /** Returns the audit log to which {@link #write} appends. */
  public AuditStore audit() {
    return this::auditPage;
  }

  private AuditStore.Page auditPage(AuditStore.Filter filter) {
    List<AuditEntry> matches;
    lock.lock();
    try {
      matches = auditEntries.stream().filter(entry -> admits(filter, entry)).toList();
    } finally {
      lock.unlock();
    }
    return new AuditStore.Page(
        matches.stream().skip(filter.offset()).limit(filter.limit()).toList(), matches.size());
  }

  private static boolean admits(AuditStore.Filter filter, AuditEntry entry) {
    String workspace = filter.workspace();
    Instant after = filter.after();
    Instant before = filter.before();
    return (workspace == null || workspace.equals(entry.workspace()))
        && (after == null || entry.at().isAfter(after))
        && (before == null || entry.at().isBefore(before));
  }

  private void put(Ref ref, @Nullable Document document) {
    if (document == null) {
      documents.remove(ref);
    } else {
      documents.put(ref, document);
    }
    changes.add(ref);
    latestChange++;
    if (changes.size() > 2 * MAX_CHANGES) {
      changes.subList(0, MAX_CHANGES).clear();
    }
  }

  @Override
  public @Nullable Document find(String kind, String id) {
    lock.lock();
    try {
      return documents.get(new Ref(kind, id));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Page list(Filter filter) {
    List<Document> candidates;
    lock.lock();
    try {
      candidates = new ArrayList<>(documents.values());
    } finally {
      lock.unlock();
    }
    List<Document> matches =
        candidates.stream().filter(d -> admits(filter, d)).sorted(order(filter)).toList();
    return new Page(
        matches.stream().skip(filter.offset()).limit(filter.limit()).toList(), matches.size());
  }

  private static boolean admits(Filter filter, Document document) {
    String group = filter.group();
    return document.kind().equals(filter.kind())
        && (group == null || document.group().equals(group))
        && (filter.hidden() || !document.hidden());
  }

  private static Comparator<Document> order(Filter filter) {
    Comparator<Document> order =
        switch (filter.order()) {
          case OLDEST_FIRST -> Comparator.comparing(Document::createdAt);
          case NEWEST_FIRST -> Comparator.comparing(Document::createdAt).reversed();
          case LAST_UPDATED_FIRST -> Comparator.comparing(Document::updatedAt).reversed();
        };
    return order.thenComparing(Document::id);
  }

  @Override
  public Changes changes(long after) {
    lock.lock();
    try {
      long missedCount = after < 0 ? 0 : latestChange - after;
      boolean allChanged = missedCount < 0 || missedCount > changes.size();
      List<Ref> since =
          allChanged
              ? List.of()
              : changes.subList(changes.size() - (int) missedCount, changes.size());
      return new Changes(latestChange, since, allChanged);
    } finally {
      lock.unlock();
    }
  }
}
