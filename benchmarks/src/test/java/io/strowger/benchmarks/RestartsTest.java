package io.strowger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The measurement of restarts")
class RestartsTest {
  @Test
  @DisplayName("reports how long a start took after a close and after a kill")
  void report() throws Exception {
    var output = new ByteArrayOutputStream();
    Restarts.run(new String[] {"300"}, new PrintStream(output, true, StandardCharsets.UTF_8));
    assertThat(output.toString(StandardCharsets.UTF_8))
        .containsPattern("300 requests, closed: open again after [0-9.]+ s .at most 3.")
        .containsPattern("300 requests, killed: open again after [0-9.]+ s .at most 5.");
  }
}
