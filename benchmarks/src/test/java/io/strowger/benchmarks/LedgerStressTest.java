package io.strowger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The ledger under stress")
class LedgerStressTest {
  @Test
  @DisplayName("grants nothing beyond a limit and loses no nanodollar")
  void sound() throws InterruptedException {
    LedgerStress.Result result = new LedgerStress(16, 800_000).run();
    assertThat(result.isSound()).as(result.toString()).isTrue();
  }
}
