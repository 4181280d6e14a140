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
 * Caches complete answers by request and caller. Bounded in number and in bytes: answers that are
 * used least are removed first, and expired answers are never returned. Equal requests that run at
 * the same time do not wait for each other.
 *
 * <p>Stores events, not bytes: a replayed answer has an id, times and a cost of its own, which the
 * encoder of the dialect writes where they belong. Nothing of a request's body is kept. In memory,
 * for one process. Safe on any thread. Resources fact sheet, section 9.
 */
public final class ResponseCache {
  /** The most bytes of one answer are the bytes of the cache divided by this number. */
  private static final int ANSWER_FRACTION = 8;

  private final Ambient ambient;
  private final long maxBytes;
  private final Cache<CacheKey, CachedAnswer> answers;
  private final AtomicLong bytesInProgress =
      new AtomicLong(); // bytes of all recordings in progress

  /**
   * @param entries the most answers; 0 turns the cache off
   * @param bytes the approximate memory that all answers may take together, at least 1
   */
  public ResponseCache(Ambient ambient, int entries, long bytes) {
    this.ambient = ambient;
    this.maxBytes = entries == 0 ? 0 : bytes;
    long minWeight = entries == 0 ? bytes : Math.max(1, bytes / entries);
    this.answers =
        Caffeine.newBuilder()
            .maximumWeight(maxBytes)
            .weigher((CacheKey key, CachedAnswer answer) -> weight(answer, minWeight))
            .expireAfter(
                Expiry.writing(
                    (CacheKey key, CachedAnswer answer) -> Duration.ofSeconds(answer.ttlSeconds())))
            .ticker(ambient::nanoTime)
            .executor(Runnable::run) // no thread of its own
            .build();
  }

  /**
   * Returns the weight of an answer: its bytes, but at least the weight that bounds the number of
   * answers.
   */
  private static int weight(CachedAnswer answer, long minWeight) {
    return (int) Math.min(Integer.MAX_VALUE, Math.max(answer.bytes(), minWeight));
  }

  /** Returns whether answers are stored at all. */
  public boolean isOn() {
    return maxBytes > 0;
  }

  /** Returns the answer; null when there is none. */
  public @Nullable CachedAnswer find(CacheKey key) {
    return answers.getIfPresent(key);
  }

  /** Removes the answer, if there is one. */
  public void remove(CacheKey key) {
    answers.invalidate(key);
  }

  /**
   * Begins to record an answer; the recording must be closed. All recordings in progress together
   * take no more memory than the cache may.
   */
  public Recording startRecording() {
    return new Recording(maxBytes / ANSWER_FRACTION, bytesInProgress, maxBytes);
  }

  /**
   * Stores an answer, unless it failed or could not be recorded.
   *
   * @param sourceId generation id of the request it is the answer to
   * @param endpoint the endpoint that answered
   */
  public void store(
      CacheKey key, Recording recording, String sourceId, Endpoint endpoint, int ttlSeconds) {
    StopReason reason = recording.reason();
    if (reason != null && reason != StopReason.ERROR) {
      answers.put(
          key,
          new CachedAnswer(
              sourceId,
              endpoint,
              recording.events(),
              reason,
              ttlSeconds,
              ambient.nanoTime(),
              recording.bytes()));
    }
  }

  /** Returns the status of an answer that was found. */
  public CacheStatus status(CachedAnswer answer) {
    long age = Duration.ofNanos(ambient.nanoTime() - answer.storedNanos()).toSeconds();
    return new CacheStatus(answer.sourceId(), age, Math.max(0, answer.ttlSeconds() - age));
  }

  /** Returns the approximate number of answers. */
  long size() {
    answers.cleanUp();
    return answers.estimatedSize();
  }
}
