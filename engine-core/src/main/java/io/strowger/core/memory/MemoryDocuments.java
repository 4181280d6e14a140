package io.strowger.core.memory;

import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Resources that are forgotten when the process ends. One lock; nothing is done under it but maps.
 */
public final class MemoryDocuments implements DocumentStore {
  private static final int CHANGES_KEPT = 10_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Ref, Document> documents = new HashMap<>();
  private final List<Ref> changed = new ArrayList<>(); // the last ones
  private long latest;

  @Override
  public boolean write(List<Write> writes) {
    lock.lock();
    try {
      Map<Ref, @Nullable Document> after = new HashMap<>();
      for (Write write : writes) {
        Ref ref = ref(write);
        Document now = after.containsKey(ref) ? after.get(ref) : documents.get(ref);
        if (!fits(write, now)) {
          return false;
        }
        after.put(ref, written(write));
      }
      after.forEach(this::put);
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
    };
  }

  private static boolean fits(Write write, @Nullable Document now) {
    return switch (write) {
      case Write.Insert(Document document) -> now == null && document.version() == 1;
      case Write.Replace(Document document) ->
          now != null && now.version() == document.version() - 1;
      case Write.Remove(String kind, String id, long version) ->
          now != null && now.version() == version;
    };
  }

  private static @Nullable Document written(Write write) {
    return switch (write) {
      case Write.Insert(Document document) -> detached(document);
      case Write.Replace(Document document) -> detached(document);
      case Write.Remove gone -> null;
    };
  }

  /** A body that came with a request would keep all of the request. */
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
