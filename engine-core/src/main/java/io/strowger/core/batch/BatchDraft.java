package io.strowger.core.batch;

import io.strowger.core.decode.DecodingContext;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collects what a batch says beside its requests, and judges what crosses its members. */
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
   * A batch may be read as a stream, which has to know what its requests are for before the first
   * one comes. The order is that of the bytes, which an object keeps.
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
