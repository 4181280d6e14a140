package io.strowger.core.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.model.StopReason;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Complete answers, by what was asked and by whom. Bounded in number and in bytes; what is used
 * least goes first, and what is older than it may be is not there. Two equal requests under way at
 * once are two: nobody waits for anybody.
 *
 * <p>Keeps events and not bytes: ids, times and money of a second answer are its own, and the
 * encoder that wrote the first one writes them where they belong. Nothing of a request's body is
 * kept. In memory, for one process. Safe on any thread. Resources fact sheet, section 9.
 */
public final class ResponseCache {
  /** One answer takes at most this share of the cache. */
  private static final int SHARE = 8;

  private final Ambient ambient;
  private final long mostBytes;
  private final Cache<CacheKey, CachedAnswer> answers;
  private final AtomicLong underWay = new AtomicLong(); // bytes of what is being taken down

  /**
   * @param entries most answers; 0: none are kept
   * @param bytes about how much memory they may take together, at least 1
   */
  public ResponseCache(Ambient ambient, int entries, long bytes) {
    this.ambient = ambient;
    this.mostBytes = entries == 0 ? 0 : bytes;
    long least = entries == 0 ? bytes : Math.max(1, bytes / entries);
    this.answers =
        Caffeine.newBuilder()
            .maximumWeight(mostBytes)
            .weigher((CacheKey key, CachedAnswer answer) -> weight(answer, least))
            .expireAfter(
                Expiry.writing(
                    (CacheKey key, CachedAnswer answer) -> Duration.ofSeconds(answer.ttlSeconds())))
            .ticker(ambient::nanoTime)
            .executor(Runnable::run) // no thread of its own
            .build();
  }

  /** So heavy that no more fit than there may be. */
  private static int weight(CachedAnswer answer, long least) {
    return (int) Math.min(Integer.MAX_VALUE, Math.max(answer.bytes(), least));
  }

  /** Whether anything is ever kept. */
  public boolean isOn() {
    return mostBytes > 0;
  }

  /** The answer; null when there is none. */
  public @Nullable CachedAnswer find(CacheKey key) {
    return answers.getIfPresent(key);
  }

  /** Forgets the answer, if there is one. */
  public void forget(CacheKey key) {
    answers.invalidate(key);
  }

  /**
   * Begins to take an answer down; close the recording. All that are under way together take no
   * more than the cache itself may.
   */
  public Recording recording() {
    return new Recording(mostBytes / SHARE, underWay, mostBytes);
  }

  /**
   * Keeps an answer; not one that did not end well, nor one that could not be taken down.
   *
   * @param sourceId generation id of the request it is the answer to
   * @param by who gave it
   */
  public void keep(CacheKey key, Recording recorded, String sourceId, Endpoint by, int ttlSeconds) {
    StopReason reason = recorded.reason();
    if (reason != null && reason != StopReason.ERROR) {
      answers.put(
          key,
          new CachedAnswer(
              sourceId,
              by,
              recorded.events(),
              reason,
              ttlSeconds,
              ambient.nanoTime(),
              recorded.bytes()));
    }
  }

  /** What there is to say of an answer that was found. */
  public CacheStatus status(CachedAnswer found) {
    long age = Duration.ofNanos(ambient.nanoTime() - found.storedNanos()).toSeconds();
    return new CacheStatus(found.sourceId(), age, Math.max(0, found.ttlSeconds() - age));
  }

  /** How many answers there are, about. */
  long size() {
    answers.cleanUp();
    return answers.estimatedSize();
  }
}
