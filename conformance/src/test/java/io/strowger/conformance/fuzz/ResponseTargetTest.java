package io.strowger.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.conformance.dialects.Upstream;
import io.strowger.conformance.fuzz.ResponseTarget.Circumstances;
import io.strowger.conformance.fuzz.ResponseTarget.Ending;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The fuzz target for responses")
class ResponseTargetTest {
  private static final int INPUTS = 300;

  private final ResponseTarget target = new ResponseTarget();

  @AfterEach
  void close() {
    target.close();
  }

  static List<Path> seeds() {
    URI folder =
        URI.create(
            Objects.requireNonNull(ResponseFuzz.class.getResource("ResponseFuzzInputs"))
                .toString());
    try (Stream<Path> files = Files.list(Path.of(folder))) {
      return files.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A seed whose name begins with {@code valid-DIALECT} is an answer in that dialect; all others
   * are in none.
   */
  @Tag("full")
  @ParameterizedTest
  @MethodSource("seeds")
  @DisplayName(
      "reads valid seeds as answers of their dialect and all others as failures if the upstream"
          + " disconnects, and keeps the laws in all circumstances")
  void everySeed(Path seed) throws IOException {
    String name = seed.getFileName().toString();
    byte[] response = Files.readAllBytes(seed);
    for (Circumstances circumstances : Circumstances.all()) {
      boolean answered = target.check(response, circumstances);
      if (circumstances.ending() == Ending.DISCONNECTS) {
        assertThat(answered)
            .as("%s", circumstances)
            .isEqualTo(
                name.startsWith("valid-" + nameOf(circumstances.dialect()))
                    && name.contains("stream") == circumstances.streaming());
      }
    }
  }

  private static String nameOf(Upstream dialect) {
    return dialect.name().toLowerCase(Locale.ROOT);
  }

  @Test
  @DisplayName("turns seeds with a few changed bytes into both answers and failures")
  void reachesBoth() throws IOException {
    var random = new SplittableRandom(7);
    List<Path> seeds = seeds();
    int answers = 0;
    for (int i = 0; i < INPUTS; i++) {
      byte[] response = Files.readAllBytes(seeds.get(random.nextInt(seeds.size())));
      answers += target.check(changed(response, random)) ? 1 : 0;
    }
    assertThat(answers).isBetween(1, INPUTS / 2); // few are read in the right dialect
  }

  private static byte[] changed(byte[] response, SplittableRandom random) {
    byte[] other =
        random.nextInt(4) > 0
            ? response.clone()
            : Arrays.copyOf(response, random.nextInt(response.length + 1));
    for (int i = random.nextInt(3); i > 0 && other.length > 0; i--) {
      other[random.nextInt(other.length)] = (byte) random.nextInt(256);
    }
    return other;
  }
}
