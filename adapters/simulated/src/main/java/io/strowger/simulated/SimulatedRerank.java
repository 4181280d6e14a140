package io.strowger.simulated;

import io.strowger.spi.json.Json;
import io.strowger.spi.model.RerankRequest;
import io.strowger.spi.model.Usage;
import io.strowger.spi.provider.UnaryAnswer;
import io.strowger.spi.provider.UnaryCall;
import io.strowger.spi.provider.UnaryProvider;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Objects;

/** Makes scores up: each follows from the query and its document and from nothing else. */
final class SimulatedRerank implements UnaryProvider {
  private static final int STEPS = 1000;
  private static final int DOCUMENTS_PER_UNIT = 100;

  @Override
  public UnaryAnswer answer(UnaryCall call) {
    if (!(call.request() instanceof RerankRequest request)) {
      throw new IllegalArgumentException("this adapter serves rerank requests only");
    }
    var results = new ArrayList<Json>();
    for (int i = 0; i < request.documents().size(); i++) {
      results.add(result(i, Objects.hash(request.query(), request.documents().get(i).toJson())));
    }
    int units = Math.ceilDiv(request.documents().size(), DOCUMENTS_PER_UNIT);
    return new UnaryAnswer(
        Json.object().put("results", Json.array(results)).build(),
        Usage.builder().searchUnits(units).build(),
        () -> {});
  }

  static Json.Obj result(int index, int seed) {
    return Json.object()
        .put("index", index)
        .put("relevance_score", Json.of(BigDecimal.valueOf(Math.floorMod(seed, STEPS), 3)))
        .build();
  }

  @Override
  public void close() {
    // holds nothing
  }
}
