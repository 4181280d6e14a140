package io.strowger.core.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A lazy value")
class LazyValueTest {
  private final AtomicInteger computations = new AtomicInteger();

  @Test
  @DisplayName("is computed once for all threads")
  void once() {
    var lazy = new LazyValue<>(computations::incrementAndGet);
    assertThat(computations).hasValue(0);
    Set<Integer> seen = ConcurrentHashMap.newKeySet();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 8; i++) {
        threads.submit(() -> seen.add(lazy.get()));
      }
    }
    assertThat(seen).containsExactly(1);
  }

  @Test
  @DisplayName("is computed again after a failure")
  void again() {
    var lazy =
        new LazyValue<>(
            () -> {
              if (computations.incrementAndGet() == 1) {
                throw new IllegalStateException("not yet");
              }
              return "made";
            });
    assertThatThrownBy(lazy::get).isInstanceOf(IllegalStateException.class);
    assertThat(lazy.get()).isEqualTo("made");
  }
}
