package io.strowger.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.tck.GenerationStoreContract;
import java.time.Instant;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The generation store in memory")
class MemoryGenerationsTest extends GenerationStoreContract {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private final MemoryGenerations generations = new MemoryGenerations();

  @Override
  protected GenerationStore store() {
    return generations;
  }

  private void save(int number, Instant at, int row, byte @Nullable [] content) {
    generations.save(new Generation("g" + number, "o", at, new byte[row], content));
  }

  private int[] kept(int of) {
    return IntStream.range(0, of).filter(i -> generations.find("g" + i) != null).toArray();
  }

  @Test
  @DisplayName("forgets the oldest when all of them take too much room")
  void forgets() {
    int row = 1 << 10;
    int most = (int) (MemoryGenerations.MOST_BYTES / (row + MemoryGenerations.OVERHEAD));
    int many = most + 1000;
    for (int i = 0; i < many; i++) {
      save(i, NOON, row, null);
    }
    assertThat(kept(many)).containsExactly(IntStream.range(many - most, many).toArray());
  }

  @Test
  @DisplayName("forgets sooner when much was said, but never the last")
  void forgetsWhatIsLarge() {
    byte[] said = new byte[(int) MemoryGenerations.MOST_BYTES / 10];
    for (int i = 0; i < 20; i++) {
      save(i, NOON, 1, said);
    }
    assertThat(kept(20)).containsExactly(IntStream.range(11, 20).toArray());
    save(20, NOON, 1, new byte[(int) MemoryGenerations.MOST_BYTES + 1]);
    assertThat(kept(21)).containsExactly(20);
    save(21, NOON, 1, null);
    assertThat(kept(22)).containsExactly(21);
  }

  @Test
  @DisplayName("counts a record that takes the place of another once")
  void replaced() {
    byte[] said = new byte[(int) MemoryGenerations.MOST_BYTES / 3];
    save(0, NOON, 1, null);
    for (int i = 0; i < 10; i++) {
      save(1, NOON, 1, said);
    }
    assertThat(kept(2)).containsExactly(0, 1);
  }

  @Test
  @DisplayName("keeps a record that was saved again when the one that equals it goes")
  void again() {
    save(0, NOON, 1, null);
    save(1, NOON, 1, null);
    save(1, NOON, 1, null); // equal, and another
    save(2, NOON.plusSeconds(1), (int) MemoryGenerations.MOST_BYTES - 700, null);
    assertThat(kept(3)).containsExactly(1, 2);
  }

  @Test
  @DisplayName("forgets what came an hour before the last")
  void old() {
    save(0, NOON, 1, null);
    save(1, NOON.plusSeconds(1), 1, null);
    save(2, NOON.plus(MemoryGenerations.KEPT), 1, null);
    assertThat(kept(3)).containsExactly(0, 1, 2);
    save(3, NOON.plus(MemoryGenerations.KEPT).plusMillis(1), 1, null);
    assertThat(kept(4)).containsExactly(1, 2, 3);
  }
}
