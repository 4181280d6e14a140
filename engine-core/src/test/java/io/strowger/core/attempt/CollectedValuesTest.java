package io.strowger.core.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import java.util.Collections;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The budget for collected output")
class CollectedValuesTest {
  @Test
  @DisplayName("counts the JSON values in frames, which take more memory than their text")
  void values() {
    var budget = new OutputBudget(4 << 20);
    Json.Arr ones = Json.array(Collections.nCopies(10_000, Json.of(1)));
    Json.Obj frame = Json.object().put("x", Json.object().put("y", ones).build()).build();
    try (OutputBudget.Share share = budget.newShare()) {
      var collected = new CollectedOutput(share);
      int frames = 0;
      while (collected.tryAdd(new Event.OtherContent(frame))) {
        frames++;
      }
      assertThat(frames).as("number of frames with 20 KB of text").isBetween(2, 8);
    }
    assertThat(budget.reserved()).isZero();
  }
}
