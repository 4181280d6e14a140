package io.strowger.conformance.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.strowger.core.batch.BatchCreate;
import io.strowger.core.batch.BatchDecoder;
import io.strowger.core.batch.BatchShapes;
import io.strowger.core.decode.Problems;
import io.strowger.spi.json.Json;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The decoder of batch bodies, given any body,")
class BatchFuzz {
  static final Target<BatchCreate> TARGET = Target.of(BatchFuzz.class, BatchFuzz::decodeAndCheck);

  @FuzzTest
  @DisplayName("decodes it or reports which member is wrong and why")
  void decodes(byte[] input) {
    TARGET.check(input);
  }

  /** Decodes a batch, and checks its requests if the decoder found no problem. */
  private static @Nullable BatchCreate decodeAndCheck(Json.Obj body, Problems problems) {
    var decoder = new BatchDecoder(BatchDecoder.MAX_REQUESTS, problems);
    var items = new ArrayList<BatchCreate.Item>();
    if (body.get("requests") instanceof Json.Arr requests) {
      decoder.begin(body);
      for (Json request : requests) {
        BatchCreate.Item item = decoder.decodeRequest(request);
        if (item != null) {
          items.add(item);
        }
      }
    }
    BatchCreate batch = decoder.end(body);
    if (batch != null && problems.isEmpty()) {
      for (int i = 0; i < items.size(); i++) {
        BatchShapes.check(batch.endpoint(), i, items.get(i).body(), problems);
      }
    }
    return batch;
  }
}
