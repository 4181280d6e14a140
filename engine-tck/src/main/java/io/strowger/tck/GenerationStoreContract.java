package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.GenerationStore.Generation;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The contract test of {@link GenerationStore}. The author of a store extends this class and
 * returns a store from {@link #store}. All tests may share it, since each test uses ids of its own.
 */
public abstract class GenerationStoreContract {
  private final String prefix = "gen-" + UUID.randomUUID() + "-";

  /** Returns an open store. */
  protected abstract GenerationStore store();

  /**
   * Returns a store with the same records, as another node sees them or as they are after a
   * restart; {@link #store} itself if the store keeps them in memory.
   */
  protected GenerationStore reopened() {
    return store();
  }

  private Generation generation(String id, byte @Nullable [] content) {
    return new Generation(
        prefix + id,
        "owner of " + id,
        Instant.parse("2026-11-21T12:00:00.123456789Z"),
        row(id),
        content);
  }

  /** Returns a row that contains every value of a byte. */
  private static byte[] row(String id) {
    byte[] name = id.getBytes(StandardCharsets.UTF_8);
    byte[] row = Arrays.copyOf(name, name.length + 256);
    for (int i = 0; i < 256; i++) {
      row[name.length + i] = (byte) i;
    }
    return row;
  }

  private static byte[] content(String said) {
    return Json.object().put("said", said).put("odd", "a\0b \ud800 \u4e2d").build().toBytes();
  }

  @Test
  @DisplayName("finds what was saved, at once and later")
  void finds() {
    Generation plain = generation("plain", null);
    Generation kept = generation("kept", content("hello"));
    store().save(plain);
    assertThat(store().find(plain.id())).isEqualTo(plain);
    store().save(kept);
    assertThat(store().find(kept.id())).isEqualTo(kept);
    assertThat(reopened().find(plain.id())).isEqualTo(plain);
    assertThat(reopened().find(kept.id())).isEqualTo(kept);
  }

  @Test
  @DisplayName("finds nothing under an id that was not saved or that no record can have")
  void findsNothing() {
    store().save(generation("a", null));
    for (String id : List.of("b", "A", "a ", "a\0", "a\ud800", "a".repeat(10_000))) {
      assertThat(store().find(prefix + id)).as(id).isNull();
    }
    assertThat(store().find("")).isNull();
  }

  @Test
  @DisplayName("keeps the record that was saved last under an id")
  void replaces() {
    store().save(generation("a", null));
    for (int i = 0; i < 50; i++) {
      store().save(generation("a", content("again " + i)));
    }
    assertThat(store().find(prefix + "a")).isEqualTo(generation("a", content("again 49")));
    assertThat(reopened().find(prefix + "a")).isEqualTo(generation("a", content("again 49")));
  }

  @Test
  @DisplayName("keeps content of some megabytes")
  void large() {
    Generation large = generation("large", content("\u4e2dx".repeat(1_000_000)));
    store().save(large);
    assertThat(store().find(large.id())).isEqualTo(large);
    assertThat(reopened().find(large.id())).isEqualTo(large);
  }

  @Test
  @DisplayName("keeps an empty row and one of the largest size")
  void sizes() {
    for (int size : new int[] {0, 100_000}) {
      var generation = new Generation(prefix + size, "owner", Instant.EPOCH, new byte[size], null);
      store().save(generation);
      assertThat(store().find(generation.id())).isEqualTo(generation);
      assertThat(reopened().find(generation.id())).isEqualTo(generation);
    }
  }

  @Test
  @DisplayName("finds every record that many threads saved at once")
  void many() throws Exception {
    List<Callable<List<Generation>>> savers =
        IntStream.range(0, 16).<Callable<List<Generation>>>mapToObj(i -> () -> saveAll(i)).toList();
    var all = new ArrayList<Generation>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var saver : threads.invokeAll(savers)) {
        all.addAll(saver.get());
      }
    }
    assertThat(all).hasSize(1600);
    GenerationStore later = reopened();
    for (Generation generation : all) {
      assertThat(later.find(generation.id())).isEqualTo(generation);
    }
  }

  private List<Generation> saveAll(int saver) {
    var generations = new ArrayList<Generation>();
    for (int i = 0; i < 100; i++) {
      Generation generation = generation(saver + "-" + i, i % 10 == 0 ? content("x") : null);
      store().save(generation);
      assertThat(store().find(generation.id())).isEqualTo(generation);
      generations.add(generation);
    }
    return generations;
  }
}
