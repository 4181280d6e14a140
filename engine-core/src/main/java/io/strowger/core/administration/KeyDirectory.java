package io.strowger.core.administration;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.strowger.core.authentication.ApiKey;
import io.strowger.core.authentication.Authenticator;
import io.strowger.core.authentication.Caller;
import io.strowger.core.store.DocumentCache;
import io.strowger.core.store.DocumentChangeListener;
import io.strowger.core.store.StoreWatch;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.KeyId;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the current state of keys for requests. A change by this node is seen at once, a change by
 * another within {@link StoreWatch#POLL_INTERVAL}. A key that was found before is found without the
 * store, even while the store is down. Safe on any thread.
 */
public final class KeyDirectory implements Authenticator.Directory, DocumentChangeListener {
  private static final int MAX_KEYS = 100_000;
  private static final Set<String> SINGLE_KEY_KINDS =
      Set.of(Keys.KIND, KeyAliases.KIND, GuardrailAssignments.KEY_KIND);

  private final DocumentCache<ApiKey> keys;
  private final KeyAliases aliases;
  private final Set<String> kinds;
  private final Function<ApiKey, Caller> callerFactory;
  private final LookupBudget lookups;
  private final Cache<KeyId, Authenticator.LiveKey> liveKeys =
      Caffeine.newBuilder().maximumSize(MAX_KEYS).executor(Runnable::run).build();
  private final AtomicLong changeCount = new AtomicLong();

  /** Keys that were found before. A change does not make a key unknown, so none is dropped. */
  private final Cache<KeyId, Boolean> knownKeys =
      Caffeine.newBuilder().maximumSize(MAX_KEYS).executor(Runnable::run).build();

  /**
   * @param watch reports changes of documents
   * @param aliases the former hashes of keys; registered with the watch before this
   * @param kinds the kinds of documents that callers are built from, keys included
   * @param callerFactory builds the caller of a key, from caches that were created before this
   */
  public KeyDirectory(
      StoreWatch watch,
      Ambient ambient,
      KeyAliases aliases,
      Set<String> kinds,
      Function<ApiKey, Caller> callerFactory) {
    this.aliases = Objects.requireNonNull(aliases, "aliases");
    this.keys = watch.newCache(Keys.KIND, KeyDocument::read, MAX_KEYS);
    this.kinds =
        Stream.concat(kinds.stream(), Stream.of(KeyAliases.KIND)).collect(Collectors.toSet());
    this.callerFactory = Objects.requireNonNull(callerFactory, "callerFactory");
    this.lookups = new LookupBudget(ambient);
    watch.addListener(this);
  }

  /**
   * @throws io.strowger.spi.error.GatewayException 503 when too many unknown keys were looked up
   *     recently
   * @throws io.strowger.spi.store.StoreUnavailableException when the store is down and the key is
   *     not cached
   */
  @Override
  public Authenticator.@Nullable LiveKey find(KeyId id) {
    Authenticator.LiveKey liveKey = liveKeys.getIfPresent(id);
    return liveKey == null ? load(id) : liveKey;
  }

  @Override
  public boolean knows(KeyId id) {
    return knownKeys.getIfPresent(id) != null;
  }

  private Authenticator.@Nullable LiveKey load(KeyId id) {
    String hex = id.hex();
    if (!knows(id) && !keys.isCached(hex) && !lookups.tryTake()) {
      throw GatewayError.of(ErrorCode.UNAVAILABLE).withRetryAfter(1).toException();
    }
    long before = changeCount.get();
    ApiKey key = key(hex);
    if (key == null) {
      return null;
    }
    var liveKey =
        new Authenticator.LiveKey(
            id, callerFactory.apply(key), key.setting().disabled(), key.validUntil(id));
    knownKeys.put(id, true);
    liveKeys.put(id, liveKey);
    if (changeCount.get() != before) {
      liveKeys.invalidate(id); // may be outdated: a document changed meanwhile
    }
    return liveKey;
  }

  /**
   * Returns the caller of a key, for work that continues after its request, even if the key was
   * rotated since.
   *
   * @param id {@link ApiKey#id()}
   * @param at the current time
   * @return the caller; null when the key is gone, is disabled or has expired
   * @throws io.strowger.spi.store.StoreUnavailableException when the store is down and the key is
   *     not cached
   */
  @Nullable Caller currentCaller(KeyId id, Instant at) {
    ApiKey key = keys.find(id.hex());
    if (key == null || key.setting().disabled()) {
      return null;
    }
    Instant expires = key.origin().expiresAt();
    return expires == null || at.isBefore(expires) ? callerFactory.apply(key) : null;
  }

  private @Nullable ApiKey key(String hash) {
    ApiKey key = keys.find(hash);
    if (key != null) {
      return key;
    }
    String current = aliases.current(hash);
    return current == null ? null : keys.find(current);
  }

  @Override
  public Set<String> kinds() {
    return kinds;
  }

  /** Drops the key whose hash names the document; a document of another kind drops all keys. */
  @Override
  public void invalidate(DocumentStore.Ref changed) {
    changeCount.incrementAndGet();
    if (SINGLE_KEY_KINDS.contains(changed.kind())) {
      aliases
          .hashesOfSameKey(changed.id())
          .forEach(hash -> liveKeys.invalidate(KeyDocument.keyId(hash)));
    } else {
      liveKeys.invalidateAll();
    }
  }

  /** Drops all keys, because any caller may have changed. */
  @Override
  public void dropAll() {
    changeCount.incrementAndGet();
    liveKeys.invalidateAll();
  }

  /**
   * Limits the lookups in the store for keys that this node has not found before: enough for a node
   * that starts under load, but a bound for a client that guesses keys. Safe on any thread.
   */
  private static final class LookupBudget {
    /** The time in which one more lookup becomes available, in nanoseconds: 2,000 a second. */
    private static final long NANOS_PER_LOOKUP = Duration.ofSeconds(1).toNanos() / 2_000;

    /** The most that can be saved up, in nanoseconds: ten seconds, which is 20,000 lookups. */
    private static final long MAX_SAVED_NANOS = Duration.ofSeconds(10).toNanos();

    private final Ambient ambient;
    private final AtomicLong spentUntil; // on Ambient.nanoTime()

    LookupBudget(Ambient ambient) {
      this.ambient = ambient;
      this.spentUntil = new AtomicLong(ambient.nanoTime() - MAX_SAVED_NANOS);
    }

    /** Uses up one lookup; returns false when none is available. */
    boolean tryTake() {
      long now = ambient.nanoTime();
      while (true) {
        long until = spentUntil.get();
        long next = Math.max(until - now, -MAX_SAVED_NANOS) + NANOS_PER_LOOKUP;
        if (next > 0) {
          return false;
        }
        if (spentUntil.compareAndSet(until, now + next)) {
          return true;
        }
      }
    }
  }
}
