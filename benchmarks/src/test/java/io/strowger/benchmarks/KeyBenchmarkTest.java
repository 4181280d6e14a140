package io.strowger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The benchmark of keys")
class KeyBenchmarkTest {
  @Test
  @DisplayName("admits and charges every key")
  void memory() {
    var shared = new KeyBenchmark.Shared();
    shared.keyCount = 3;
    shared.setUp();
    var threadState = new KeyBenchmark.ThreadState();
    var benchmark = new KeyBenchmark();
    for (String name : List.of("k1", "k2", "k0", "k1")) {
      assertThat(benchmark.admitHoldSettle(shared, threadState).name()).isEqualTo(name);
    }
    assertThat(benchmark.sha256Key(shared, threadState)).hasSize(32);
    shared.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgresql"})
  @DisplayName("does the same with a database, and leaves no file behind")
  void stored(String store) throws Exception {
    List<Path> before = files();
    var shared = new StoredKeyBenchmark.Shared();
    shared.store = store;
    shared.open();
    assertThat(files()).isNotEqualTo(before);
    assertThat(new StoredKeyBenchmark().admitHoldSettle(shared))
        .isEqualTo(StoredKeyBenchmark.REQUESTS * 29 / 10); // "k0" to "k99"
    shared.close();
    assertThat(files()).isEqualTo(before);
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("strowger-bench"))
          .sorted()
          .toList();
    }
  }
}
