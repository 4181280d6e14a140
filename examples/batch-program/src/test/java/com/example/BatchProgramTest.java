package com.example;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.BatchProgram.Outcome;
import io.strowger.spi.catalog.Usd;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("The batch program")
class BatchProgramTest {
  private static List<String> questions() throws Exception {
    return Files.readAllLines(Path.of("questions.txt"));
  }

  private static Usd total(List<Outcome> outcomes) {
    return outcomes.stream().map(Outcome::cost).reduce(Usd.ZERO, Usd::plus);
  }

  @Test
  @DisplayName("answers every question, and reports each endpoint and cost")
  void all() throws Exception {
    List<Outcome> outcomes = BatchProgram.askAll(questions(), "0.05");
    assertThat(outcomes).hasSize(100).allMatch(Outcome::answered);
    assertThat(outcomes).extracting(Outcome::question).isEqualTo(questions());
    assertThat(outcomes)
        .allSatisfy(
            outcome -> assertThat(outcome.line()).containsPattern("acme/large@(alpha|beta), "));
    assertThat(total(outcomes).nanos()).isBetween(1L, 50_000_000L);
  }

  @Test
  @DisplayName("never exceeds its limit: questions that could are refused before they are sent")
  void limit() throws Exception {
    List<Outcome> outcomes = BatchProgram.askAll(questions(), "0.001");
    assertThat(total(outcomes).nanos()).isBetween(1L, 1_000_000L);
    assertThat(outcomes)
        .filteredOn(outcome -> !outcome.answered())
        .isNotEmpty()
        .allSatisfy(outcome -> assertThat(outcome.line()).startsWith("PAYMENT_REQUIRED"));
  }

  @Test
  @DisplayName("runs from the command line")
  void main() throws Exception {
    BatchProgram.main(new String[0]);
  }
}
