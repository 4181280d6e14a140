package io.strowger.core.decode.batch;

import io.strowger.core.decode.Problems;
import io.strowger.core.decode.Reading;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import java.util.HashMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collects a batch while its body is read, and judges what crosses its members. */
final class BatchDraft {
  private final Json.Obj body;
  private @Nullable BatchEndpoint endpoint;
  private @Nullable String model;
  private Json.Arr requests = Json.array();
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

  /** Those that could be read as an array, good or not. */
  void requests(Json.Arr items) {
    requests = items;
  }

  void provider(ProviderPreferences preferences) {
    provider = preferences;
  }

  /**
   * A batch may be read as a stream, which has to know what its requests are for before the first
   * one comes. The order is that of the bytes, which an object keeps.
   */
  void order(Reading reading) {
    int at = body.indexOf("requests");
    boolean endpointLate = at >= 0 && body.indexOf("endpoint") > at;
    boolean modelLate = at >= 0 && body.indexOf("model") > at;
    if (endpointLate || modelLate) {
      String late =
          endpointLate && modelLate ? "endpoint and model" : endpointLate ? "endpoint" : "model";
      reading
          .problems()
          .add(
              reading.at().child("requests"),
              "must come after endpoint and model: write it last",
              "before " + late);
    }
  }

  /** Results are matched by {@code custom_id}. The second of two is named, with the first. */
  void oneOfEachId(Reading reading) {
    JsonPointer all = reading.at().child("requests");
    var first = new HashMap<String, Integer>();
    for (int i = 0; i < requests.size(); i++) {
      String id = requests.get(i) instanceof Json.Obj request ? request.text("custom_id") : null;
      Integer before = id == null || id.isEmpty() ? null : first.putIfAbsent(id, i);
      if (before != null) {
        reading
            .problems()
            .add(
                all.child(i).child("custom_id"),
                "must differ from " + all.child(before).child("custom_id"),
                Json.of(Objects.requireNonNull(id)));
      }
    }
  }

  /** {@code model} of a body is absent, or that of the batch. */
  void oneModel(Reading reading) {
    if (model == null) {
      return;
    }
    for (int i = 0; i < requests.size(); i++) {
      Json.Obj request = requests.get(i) instanceof Json.Obj object ? object.object("body") : null;
      Json own = request == null ? null : request.get("model");
      if (own != null && !(own instanceof Json.Str name && name.is(model))) {
        reading
            .problems()
            .add(
                reading.at().child("requests").child(i).child("body").child("model"),
                "must be absent or that of the batch, " + Problems.shown(Json.of(model)),
                own);
      }
    }
  }

  BatchCreate batch() {
    return new BatchCreate(
        Objects.requireNonNull(endpoint),
        ModelRef.parse(Objects.requireNonNull(model)),
        requests.stream().map(BatchDraft::item).toList(),
        provider);
  }

  private static BatchCreate.Item item(Json good) {
    var request = (Json.Obj) good;
    return new BatchCreate.Item(
        Objects.requireNonNull(request.text("custom_id")),
        Objects.requireNonNull(request.object("body")));
  }
}
