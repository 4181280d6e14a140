package io.strowger.benchmarks.quality;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ProgressPrinterTest {
  private static final long HALF_SECOND = 500_000_000;

  @Test
  @DisplayName("Progress prints nothing in the first second, and then a line each second")
  void eachSecond() {
    var out = new ByteArrayOutputStream();
    var clock = new AtomicLong();
    var err = new PrintStream(out, true, StandardCharsets.UTF_8);
    var progress = new ProgressPrinter(err, clock::get, 5_000);
    for (int i = 0; i < 5; i++) {
      clock.addAndGet(HALF_SECOND);
      progress.decided();
    }
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("deciding: 2 of 5,000", "deciding: 4 of 5,000");
  }
}
