package io.strowger.core.memory;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.GenerationStore;
import org.jspecify.annotations.Nullable;

/** Records of the last requests, forgotten when the process ends and when there are too many. */
public final class MemoryGenerations implements GenerationStore {
  /** So many are kept where nothing is kept of what was said. */
  static final int MOST = 10_000;

  /** What was said counts as one record for each of these bytes: in all about 80 MB are kept. */
  static final int CONTENT_BYTES = 8_192;

  private final Cache<String, Generation> kept =
      Caffeine.newBuilder()
          .maximumWeight(MOST)
          .weigher(MemoryGenerations::weight)
          .executor(Runnable::run)
          .build();

  private static int weight(String id, Generation generation) {
    Json.Obj content = generation.content();
    return content == null ? 1 : 1 + content.toBytes().length / CONTENT_BYTES;
  }

  @Override
  public void save(Generation generation) {
    Json.Obj content = generation.content();
    kept.put(
        generation.id(),
        new Generation(
            generation.id(),
            generation.owner(),
            generation.at(),
            generation.record().detached(),
            content == null ? null : content.detached()));
  }

  @Override
  public @Nullable Generation find(String id) {
    return kept.getIfPresent(id);
  }
}
