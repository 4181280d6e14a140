package io.strowger.core.memory;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.GenerationStore;
import org.jspecify.annotations.Nullable;

/** Records of the last requests, forgotten when the process ends and when there are too many. */
public final class MemoryGenerations implements GenerationStore {
  /** So many are kept. */
  static final int MOST = 10_000;

  private final Cache<String, Generation> kept =
      Caffeine.newBuilder().maximumSize(MOST).executor(Runnable::run).build();

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
