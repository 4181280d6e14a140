package io.strowger.core.batch;

import io.strowger.core.decode.DecodingContext;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collects the members of a batch other than its requests, and checks their order. */
final class BatchDraft {
  private final Json.Obj body;
  private @Nullable BatchEndpoint endpoint;
  private @Nullable String model;
  private ProviderPreferences provider = ProviderPreferences.NONE;

  BatchDraft(Json.Obj body) {
    this.body = body;
  }

  void endpoint(String path) {
    endpoint = BatchEndpoint.at(path).orElseThrow();
  }

  void model(String name) {
    model = name;
  }

  void provider(ProviderPreferences preferences) {
    provider = preferences;
  }

  /**
   * Checks that endpoint and model come before the requests, because a batch may be read as a
   * stream. A JSON object keeps its members in the order of the bytes.
   */
  void order(DecodingContext context) {
    int at = body.indexOf("requests");
    boolean endpointLate = at >= 0 && body.indexOf("endpoint") > at;
    boolean modelLate = at >= 0 && body.indexOf("model") > at;
    if (endpointLate || modelLate) {
      String late =
          endpointLate && modelLate ? "endpoint and model" : endpointLate ? "endpoint" : "model";
      context
          .problems()
          .add(
              context.at().child("requests"),
              "must come after endpoint and model: write it last",
              "before " + late);
    }
  }

  BatchCreate batch() {
    return new BatchCreate(
        Objects.requireNonNull(endpoint),
        ModelRef.parse(Objects.requireNonNull(model)),
        List.of(),
        provider);
  }
}
