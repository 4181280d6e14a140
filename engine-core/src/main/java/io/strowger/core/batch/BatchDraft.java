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
    endpoint = BatchEndpoint.forPath(path).orElseThrow();
  }

  void model(String name) {
    model = name;
  }

  void provider(ProviderPreferences preferences) {
    provider = preferences;
  }

  /**
   * Checks that endpoint and model come before the requests, because a batch may be read as a
   * stream. {@link Json.Obj} keeps the members in the order in which the body has them.
   */
  void checkOrder(DecodingContext context) {
    int requestsIndex = body.indexOf("requests");
    boolean endpointLate = requestsIndex >= 0 && body.indexOf("endpoint") > requestsIndex;
    boolean modelLate = requestsIndex >= 0 && body.indexOf("model") > requestsIndex;
    if (endpointLate || modelLate) {
      String misplaced =
          endpointLate && modelLate ? "endpoint and model" : endpointLate ? "endpoint" : "model";
      context
          .problems()
          .add(
              context.pointer().child("requests"),
              "must come after endpoint and model: write it last",
              "before " + misplaced);
    }
  }

  BatchCreate toBatch() {
    return new BatchCreate(
        Objects.requireNonNull(endpoint),
        ModelRef.parse(Objects.requireNonNull(model)),
        List.of(),
        provider);
  }
}
