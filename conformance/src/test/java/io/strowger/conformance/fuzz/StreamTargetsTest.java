package io.strowger.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A fuzz target for streams")
class StreamTargetsTest {
  private static final int INPUTS = 400;

  static Stream<StreamTarget> targets() {
    return Stream.of(
        ChatStreamFuzz.TARGET,
        MessagesStreamFuzz.TARGET,
        ResponsesStreamFuzz.TARGET,
        GeminiStreamFuzz.TARGET);
  }

  @ParameterizedTest
  @MethodSource("targets")
  @DisplayName("turns random bytes into both complete and broken answers, read in bounded memory")
  void reachesBoth(StreamTarget target) {
    var random = new SplittableRandom(7);
    int complete = 0;
    for (int i = 0; i < INPUTS; i++) {
      var input = new byte[1 + random.nextInt(40)];
      random.nextBytes(input);
      complete += target.check(input) ? 1 : 0;
      target.checkMemory(input);
    }
    assertThat(complete).isBetween(INPUTS / 10, INPUTS - INPUTS / 10);
  }
}
