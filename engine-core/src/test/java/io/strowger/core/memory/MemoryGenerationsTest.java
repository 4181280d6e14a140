package io.strowger.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.store.GenerationStore;
import io.strowger.tck.GenerationStoreContract;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The generation store in memory")
class MemoryGenerationsTest extends GenerationStoreContract {
  private final MemoryGenerations generations = new MemoryGenerations();

  @Override
  protected GenerationStore store() {
    return generations;
  }

  @Test
  @DisplayName("forgets some when there are too many")
  void forgets() {
    int many = MemoryGenerations.MOST + 1000;
    for (int i = 0; i < many; i++) {
      var generation =
          new GenerationStore.Generation("g" + i, "o", Instant.EPOCH, Json.Obj.EMPTY, null);
      generations.save(generation);
    }
    int kept = 0;
    for (int i = 0; i < many; i++) {
      kept += generations.find("g" + i) == null ? 0 : 1;
    }
    assertThat(kept).isEqualTo(MemoryGenerations.MOST);
  }

  @Test
  @DisplayName("forgets sooner when much was said, so that what it keeps has a size")
  void forgetsWhatIsLarge() {
    int hundred = 100 * MemoryGenerations.CONTENT_BYTES;
    Json.Obj said = Json.object().put("output", "x".repeat(hundred)).build();
    for (int i = 0; i < 200; i++) {
      generations.save(
          new GenerationStore.Generation("g" + i, "o", Instant.EPOCH, Json.Obj.EMPTY, said));
    }
    int kept = 0;
    for (int i = 0; i < 200; i++) {
      kept += generations.find("g" + i) == null ? 0 : 1;
    }
    assertThat(kept).isBetween(1, MemoryGenerations.MOST / 100);
  }
}
