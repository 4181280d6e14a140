package io.strowger.core;

import io.strowger.core.decode.PluginChecks;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.Unbuilt;
import io.strowger.core.decode.chat.ChatDecoder;
import io.strowger.core.flow.Engine;
import io.strowger.core.flow.Question;
import io.strowger.core.flow.Snapshot;
import io.strowger.core.health.Statistics;
import io.strowger.core.meter.PromptSize;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.routing.RoutePlan;
import io.strowger.spi.routing.RoutingQuery;
import java.util.List;
import java.util.Objects;

/** Decides with the engine's own snapshot. */
final class GatewayRouting implements Routing {
  private final Engine engine;
  private final JsonCodec codec;
  private final PluginChecks plugins;
  private final ChatDecoder decoder;
  private final int mostProblems;

  GatewayRouting(Engine engine, JsonCodec codec, PluginChecks plugins, int mostProblems) {
    this.engine = engine;
    this.codec = codec;
    this.plugins = plugins;
    this.decoder = new ChatDecoder(plugins);
    this.mostProblems = mostProblems;
  }

  @Override
  public Explanation explain(byte[] body, long seed) {
    var problems = new Problems(mostProblems);
    Json.Obj document = object(body);
    InferenceRequest request = decoder.decode(document, problems);
    Unbuilt.check(document, plugins, problems);
    problems.throwIfAny();
    return explain(request, seed);
  }

  private Json.Obj object(byte[] body) {
    String wrong;
    try {
      Json document = codec.parse(body);
      if (document instanceof Json.Obj object) {
        return object;
      }
      wrong = "must be an object";
    } catch (JsonCodec.MalformedJson e) {
      wrong = Objects.requireNonNullElse(e.getMessage(), "is not JSON");
    }
    throw GatewayError.of(
            ErrorCode.INVALID_REQUEST, List.of(new Problem(JsonPointer.ROOT, wrong, "")))
        .toException();
  }

  @Override
  public Explanation explain(InferenceRequest request, long seed) {
    Snapshot snapshot = snapshot();
    Statistics statistics = snapshot.board().published();
    RoutingQuery query =
        Question.of(request, PromptSize.of(request), snapshot, null)
            .statistics(statistics.sequence())
            .at(engine.ambient().now())
            .seed(seed)
            .build();
    return new Explanation(query, snapshot.planner().plan(query, statistics));
  }

  @Override
  public RoutePlan replay(RoutingQuery query) {
    Snapshot snapshot = snapshot();
    return snapshot.planner().plan(query, snapshot.board().published());
  }

  private Snapshot snapshot() {
    Snapshot snapshot = engine.current().get();
    if (snapshot == null) {
      throw GatewayError.of(ErrorCode.UNAVAILABLE, "the gateway is closed").toException();
    }
    return snapshot;
  }
}
