package io.strowger.core.memory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.tck.GenerationStoreContract;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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

  private void save(int number, Instant at, int rowBytes, byte @Nullable [] content) {
    generations.save(new Generation("g" + number, "o", at, new byte[rowBytes], content));
  }

  private int[] kept(int count) {
    return IntStream.range(0, count).filter(i -> generations.find("g" + i) != null).toArray();
  }

  @Test
  @DisplayName("forgets the oldest records when all together use too much memory")
  void forgets() {
    int rowBytes = 1 << 10;
    int fit = (int) (MemoryGenerations.MAX_BYTES / (rowBytes + 20));
    int many = 3 * fit;
    for (int i = 0; i < many; i++) {
      save(i, NOON, rowBytes, null);
    }
    int[] kept = kept(many);
    assertThat(kept.length).isBetween(fit * 9 / 10, fit);
    assertThat(kept).containsExactly(IntStream.range(many - kept.length, many).toArray());
  }

  @Test
  @DisplayName("forgets earlier when the content is large, but never the newest record")
  void forgetsWhatIsLarge() {
    byte[] content = new byte[(int) MemoryGenerations.MAX_BYTES / 10];
    for (int i = 0; i < 20; i++) {
      save(i, NOON, 1, content);
    }
    assertThat(kept(20)).containsExactly(IntStream.range(11, 20).toArray());
    save(20, NOON, 1, new byte[(int) MemoryGenerations.MAX_BYTES + 1]);
    assertThat(kept(21)).containsExactly(20);
    save(21, NOON, 1, null);
    assertThat(kept(22)).containsExactly(21);
  }

  @Test
  @DisplayName(
      "finds the newest of several records with the same id, wherever the others are stored")
  void replaced() {
    for (int rowBytes = 0; rowBytes < 10; rowBytes++) {
      save(1, NOON, rowBytes, null);
    }
    assertThat(rowOf(1)).hasSize(9);
    save(1, NOON, 10, new byte[MemoryGenerations.SEGMENT_BYTES]);
    assertThat(rowOf(1)).hasSize(10);
    save(1, NOON, 11, null);
    assertThat(rowOf(1)).hasSize(11);
  }

  private byte[] rowOf(int number) {
    return requireNonNull(generations.find("g" + number)).row();
  }

  @Test
  @DisplayName("finds records whose ids have the same hash")
  void sameHash() {
    List<String> ids = List.of("AaAa", "BBBB", "AaBB", "BBAa");
    for (String id : ids) {
      generations.save(new Generation(id, "o", NOON, id.getBytes(UTF_8), null));
    }
    for (String id : ids) {
      assertThat(requireNonNull(generations.find(id)).row()).asString(UTF_8).isEqualTo(id);
    }
    assertThat(generations.find("C#BB")).isNull();
  }

  @Test
  @DisplayName("forgets records that are more than an hour older than the newest")
  void old() {
    save(0, NOON, 1, null);
    save(1, NOON.plusSeconds(1), 1, null);
    save(2, NOON.plus(MemoryGenerations.RETENTION), 1, null);
    assertThat(kept(3)).containsExactly(0, 1, 2);
    save(3, NOON.plus(MemoryGenerations.RETENTION).plusMillis(1), 1, null);
    assertThat(kept(4)).containsExactly(1, 2, 3);
  }

  @Test
  @DisplayName("finds a record that was saved after the clock was set back")
  void setBack() {
    save(0, NOON.plus(MemoryGenerations.RETENTION.multipliedBy(3)), 1, null);
    save(1, NOON, 1, null);
    assertThat(kept(2)).containsExactly(0, 1);
  }

  @Test
  @DisplayName(
      "neither blocks nor loses the newest record when threads save very different sizes at once")
  void sizesTogether() throws Exception {
    byte[] large = new byte[MemoryGenerations.SEGMENT_BYTES];
    var smallSaved = new AtomicInteger();
    var largeSaved = new AtomicBoolean();
    var threads = new ArrayList<FutureTask<Integer>>(); // each returns what it saved last
    for (int thread = 0; thread < 3; thread++) {
      threads.add(
          start(
              () -> {
                int last = 0;
                while (!largeSaved.get()) {
                  last = smallSaved.incrementAndGet();
                  save(last, NOON, 1, null);
                }
                return last;
              }));
    }
    threads.add(
        start(
            () -> {
              for (int i = 1; i <= 1_000; i++) {
                save(-i, NOON, 1, large);
              }
              largeSaved.set(true);
              return -1_000;
            }));
    var savedLast = new ArrayList<Integer>();
    for (FutureTask<Integer> thread : threads) {
      savedLast.add(thread.get(30, TimeUnit.SECONDS)); // throws what the thread threw
    }
    assertThat(savedLast).anyMatch(number -> generations.find("g" + number) != null);
    assertThat(generations.find("never saved")).isNull();
  }

  /** Starts a daemon thread, so that a thread that never returns does not keep the JVM running. */
  private static FutureTask<Integer> start(Callable<Integer> task) {
    var result = new FutureTask<>(task);
    Thread.ofPlatform().daemon().start(result);
    return result;
  }

  @Test
  @DisplayName("forgets the oldest records when several threads save, and never the newest")
  void together() throws Exception {
    int each = 500;
    byte[] content = new byte[(int) MemoryGenerations.MAX_BYTES / 100];
    var saves = new ArrayList<Future<?>>();
    try (var threads = Executors.newFixedThreadPool(4)) {
      for (int thread = 0; thread < 4; thread++) {
        int first = thread * each;
        saves.add(
            threads.submit(
                () ->
                    IntStream.range(first, first + each).forEach(i -> save(i, NOON, 1, content))));
      }
    }
    for (Future<?> save : saves) {
      save.get(); // throws what the thread threw
    }
    save(4 * each, NOON, 1, content);
    assertThat(kept(4 * each + 1)).hasSizeBetween(60, 100).contains(4 * each);
    save(4 * each + 1, NOON, 1, new byte[(int) MemoryGenerations.MAX_BYTES]);
    assertThat(kept(4 * each + 2)).containsExactly(4 * each + 1);
  }
}
