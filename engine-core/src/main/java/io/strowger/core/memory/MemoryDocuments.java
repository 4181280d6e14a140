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

/** Documents and the audit log in memory, lost when the process ends. One lock, held briefly. */
public final class MemoryDocuments implements DocumentStore {
  private static final int CHANGES_KEPT = 10_000;

  /** The number of entries of the audit log that are kept, the latest ones. */
  static final int ENTRIES_KEPT = 10_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Ref, Document> documents = new HashMap<>();
  private final List<Ref> changed = new ArrayList<>(); // the latest, in order
  private final ArrayDeque<AuditEntry> entries = new ArrayDeque<>(); // newest first
  private long latest;

  @Override
  public boolean write(List<Write> writes) {
    lock.lock();
    try {
      Map<Ref, @Nullable Document> after = new HashMap<>();
      List<AuditEntry> appended = new ArrayList<>();
      for (Write write : writes) {
        if (write instanceof Write.Append(AuditEntry entry)) {
          appended.add(entry);
          continue;
        }
        Ref ref = ref(write);
        Document now = after.containsKey(ref) ? after.get(ref) : documents.get(ref);
        if (!fits(write, now)) {
          return false;
        }
        after.put(ref, written(write));
      }
      after.forEach(this::put);
      appended.forEach(this::append);
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

  private static boolean fits(Write write, @Nullable Document now) {
    return switch (write) {
      case Write.Insert(Document document) -> now == null && document.version() == 1;
      case Write.Replace(Document document) ->
          now != null && now.version() == document.version() - 1;
      case Write.Remove(String kind, String id, long version) ->
          now != null && now.version() == version;
      case Write.Append(AuditEntry entry) -> true;
    };
  }

  private static @Nullable Document written(Write write) {
    return switch (write) {
      case Write.Insert(Document document) -> detached(document);
      case Write.Replace(Document document) -> detached(document);
      case Write.Remove gone -> null;
      case Write.Append noDocument -> null;
    };
  }

  /** Returns a copy with a detached body, which does not keep a whole request reachable. */
  private static Document detached(Document document) {
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
    entries.addFirst(
        new AuditEntry(entry.id(), entry.workspace(), entry.at(), entry.body().detached()));
    if (entries.size() > ENTRIES_KEPT) {
      entries.removeLast();
    }
  }

  /** Returns the audit log to which {@link #write} appends. */
  public AuditStore audit() {
    return this::entries;
  }

  private AuditStore.Page entries(AuditStore.Filter filter) {
    List<AuditEntry> all;
    lock.lock();
    try {
      all = entries.stream().filter(entry -> admits(filter, entry)).toList();
    } finally {
      lock.unlock();
    }
    return new AuditStore.Page(
        all.stream().skip(filter.offset()).limit(filter.limit()).toList(), all.size());
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
    changed.add(ref);
    latest++;
    if (changed.size() > 2 * CHANGES_KEPT) {
      changed.subList(0, CHANGES_KEPT).clear();
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
    List<Document> all;
    lock.lock();
    try {
      all = new ArrayList<>(documents.values());
    } finally {
      lock.unlock();
    }
    List<Document> listed =
        all.stream().filter(d -> admits(filter, d)).sorted(order(filter)).toList();
    return new Page(
        listed.stream().skip(filter.offset()).limit(filter.limit()).toList(), listed.size());
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
          case CREATED_FIRST -> Comparator.comparing(Document::createdAt);
          case CREATED_LAST -> Comparator.comparing(Document::createdAt).reversed();
          case UPDATED_LAST -> Comparator.comparing(Document::updatedAt).reversed();
        };
    return order.thenComparing(Document::id);
  }

  @Override
  public Changes changes(long after) {
    lock.lock();
    try {
      long missed = after < 0 ? 0 : latest - after;
      boolean all = missed < 0 || missed > changed.size();
      List<Ref> since =
          all ? List.of() : changed.subList(changed.size() - (int) missed, changed.size());
      return new Changes(latest, since, all);
    } finally {
      lock.unlock();
    }
  }
}
