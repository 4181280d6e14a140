package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.batch.BatchCreate;
import io.strowger.core.batch.BatchDecoder;
import io.strowger.core.batch.BatchShapes;
import io.strowger.core.decode.Problems;
import io.strowger.spi.json.Json;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of batches, given anything,")
class BatchFuzz {
  static final Target<BatchCreate> TARGET = Target.of(BatchFuzz.class, BatchFuzz::accept);

  @FuzzTest
  @DisplayName("reads it or names what is wrong with which member")
  void decodes(byte[] input) {
    TARGET.check(input);
  }

  /** Both steps that judge a batch before it is accepted; the second only of what is good. */
  private static @Nullable BatchCreate accept(Json.Obj body, Problems problems) {
    BatchCreate batch = new BatchDecoder().decode(body, problems);
    if (batch != null && problems.isEmpty()) {
      BatchShapes.check(batch, problems);
    }
    return batch;
  }
}
