package io.strowger.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A fuzz target")
class TargetsTest {
  private static final int INPUTS = 1_000;

  static Stream<Target<?>> targets() {
    return Targets.all().stream();
  }

  @ParameterizedTest
  @MethodSource("targets")
  @DisplayName("has several valid bodies as seeds")
  void seedsAreValid(Target<?> target) {
    Map<String, Json.Obj> seeds = target.seeds().documents();
    assertThat(seeds).hasSizeGreaterThan(2);
    assertThat(seeds)
        .allSatisfy((file, body) -> assertThat(target.problems(body)).as(file).isEmpty());
  }

  @ParameterizedTest
  @MethodSource("targets")
  @DisplayName("turns random bytes into both valid and invalid bodies")
  void reachesBoth(Target<?> target) {
    var random = new SplittableRandom(7);
    int valid = 0;
    for (int i = 0; i < INPUTS; i++) {
      var input = new byte[1 + random.nextInt(40)];
      random.nextBytes(input);
      valid += target.check(input) ? 1 : 0;
    }
    assertThat(valid).isBetween(INPUTS / 50, INPUTS - INPUTS / 10);
  }
}
