package io.strowger.core.administration;

import io.strowger.core.authentication.ApiKey;
import io.strowger.core.store.DocumentChangeListener;
import io.strowger.core.store.DocumentRepository;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.DocumentStore.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The hashes keys had before they were rotated. Every former hash is a document whose group is the
 * identity of the key, its first hash; the document of the identity holds the current hash. All of
 * them are in memory, so that an unknown key needs no second lookup in the store. Safe on any
 * thread.
 */
final class KeyAliases implements DocumentChangeListener {
  static final String KIND = "key-former";
  private static final String CURRENT = "current";

  private final DocumentRepository repository;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable Map<String, Alias>
      aliases; // null until first read; replaced, never modified

  /**
   * A former hash of a key, or its identity.
   *
   * @param current the current hash of the key; null unless the alias is the identity
   */
  private record Alias(String identity, @Nullable String current) {}

  KeyAliases(DocumentRepository repository) {
    this.repository = Objects.requireNonNull(repository, "repository");
  }

  /** Returns the current hash of the key with this former hash; null when no key had it. */
  @Nullable String current(String formerHash) {
    Map<String, Alias> byHash = loadedAliases();
    Alias alias = byHash.get(formerHash);
    Alias identity = alias == null ? null : byHash.get(alias.identity());
    return identity == null ? null : identity.current();
  }

  /**
   * Returns all hashes of the key with this hash; only this one when the key has no other, or while
   * no alias has been read.
   */
  Set<String> hashesOfSameKey(String hash) {
    var hashes = new HashSet<String>(Set.of(hash));
    Map<String, Alias> byHash = aliases;
    if (byHash != null && !byHash.isEmpty()) {
      Alias alias = byHash.get(hash);
      byHash.forEach(
          (former, formerAlias) -> {
            Alias identity = byHash.get(formerAlias.identity());
            String current = identity == null ? null : identity.current();
            boolean isSameKey = alias != null && alias.identity().equals(formerAlias.identity());
            if (isSameKey || hash.equals(current)) {
              hashes.add(former);
              hashes.add(current == null ? former : current);
            }
          });
    }
    return hashes;
  }

  /** Returns the same as {@link #current}, read from the store, for use before a write. */
  @Nullable String currentFromStore(String formerHash) {
    Document alias = repository.find(formerHash);
    Document identity = alias == null ? null : repository.find(alias.group());
    return identity == null ? null : identity.body().text(CURRENT);
  }

  /** Returns the writes for a key that gets another hash. */
  List<Write> rotation(ApiKey before, String hash, Instant at) {
    String identity = before.id().hex();
    Json.Obj body = Json.object().put(CURRENT, hash).build();
    Document first = repository.find(identity);
    if (first == null) {
      return List.of(new Write.Insert(repository.newDocument(identity, identity, body)));
    }
    return List.of(
        new Write.Replace(first.next(at, body)),
        new Write.Insert(repository.newDocument(before.hash().hex(), identity, Json.Obj.EMPTY)));
  }

  /** Returns the writes that remove the aliases of a key. */
  List<Write> removals(ApiKey key) {
    var writes = new ArrayList<Write>();
    for (Document former : repository.findAll(key.id().hex())) {
      writes.add(new Write.Remove(KIND, former.id(), former.version()));
    }
    return writes;
  }

  private Map<String, Alias> loadedAliases() {
    Map<String, Alias> current = aliases;
    if (current != null) {
      return current;
    }
    lock.lock();
    try {
      Map<String, Alias> latest = aliases; // under load many threads may get here at once
      return latest == null ? load() : latest;
    } finally {
      lock.unlock();
    }
  }

  /** Reads all aliases from the store. The caller holds the lock. */
  private Map<String, Alias> load() {
    var byHash = new HashMap<String, Alias>();
    repository.findAll(null).forEach(document -> byHash.put(document.id(), read(document)));
    aliases = byHash;
    return byHash;
  }

  private static Alias read(Document document) {
    return new Alias(document.group(), document.body().text(CURRENT));
  }

  @Override
  public Set<String> kinds() {
    return Set.of(KIND);
  }

  @Override
  public void invalidate(DocumentStore.Ref changed) {
    lock.lock();
    try {
      Map<String, Alias> before = aliases;
      if (before != null) {
        var next = new HashMap<>(before);
        Document document = repository.find(changed.id());
        if (document == null) {
          next.remove(changed.id());
        } else {
          next.put(changed.id(), read(document));
        }
        aliases = next;
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void dropAll() {
    lock.lock();
    try {
      if (aliases != null) {
        load();
      }
    } finally {
      lock.unlock();
    }
  }
}
