package io.strowger.core.batch;

import io.strowger.core.decode.Problems;
import io.strowger.spi.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A batch that is decoded from a whole body, as {@link BatchUpload} does while it is read. */
record WholeBatch(BatchCreate head, List<BatchCreate.Item> requests) {
  /**
   * @param problems receives the errors in the structure of the batch
   * @return null when its structure has errors
   */
  static @Nullable WholeBatch decode(int maxRequests, Json.Obj body, Problems problems) {
    var decoder = new BatchDecoder(maxRequests, problems);
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
    BatchCreate head = decoder.end(body);
    return head == null ? null : new WholeBatch(head, items);
  }

  /** Decodes a batch and checks that each body suits the path it is for. */
  static WholeBatch accept(Json.Obj body) {
    var problems = new Problems();
    WholeBatch batch = decode(BatchDecoder.MAX_REQUESTS, body, problems);
    if (batch == null) {
      throw BatchRefusal.malformed(problems).toException();
    }
    for (int i = 0; i < batch.requests.size(); i++) {
      BatchShapes.check(batch.head.endpoint(), i, batch.requests.get(i).body(), problems);
    }
    if (!problems.isEmpty()) {
      throw BatchRefusal.unusable(problems).toException();
    }
    return batch;
  }
}
