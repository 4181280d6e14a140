package io.strowger.core;

import io.strowger.core.decode.Problems;
import io.strowger.core.dialect.StrategyName;
import io.strowger.core.dialect.UnsupportedFeatures;
import io.strowger.core.dialect.chat.ChatDecoder;
import io.strowger.core.dialect.messages.MessagesDecoder;
import io.strowger.core.dialect.responses.ResponsesDecoder;
import io.strowger.core.health.Statistics;
import io.strowger.core.meter.PromptSize;
import io.strowger.core.pipeline.Engine;
import io.strowger.core.pipeline.RoutingQueryFactory;
import io.strowger.core.pipeline.Snapshot;
import io.strowger.core.plan.PluginFailureException;
import io.strowger.core.registry.PluginRegistry;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes dry-run decisions over the engine's current snapshot. */
final class GatewayRouting implements Routing {
  private static final Logger log = LoggerFactory.getLogger(GatewayRouting.class);

  private final Engine engine;
  private final JsonCodec codec;
  private final int maxProblems;

  GatewayRouting(Engine engine, JsonCodec codec, int maxProblems) {
    this.engine = engine;
    this.codec = codec;
    this.maxProblems = maxProblems;
  }

  @Override
  public Explanation explain(Dialect dialect, byte[] body, long seed) {
    var problems = new Problems(maxProblems);
    Json.Obj document = parseObject(body);
    Snapshot snapshot = snapshot(); // reading and deciding must use the same plugins
    PluginRegistry plugins = snapshot.pluginRegistry();
    InferenceRequest request =
        switch (dialect) {
          case CHAT -> new ChatDecoder(plugins).decode(document, problems);
          case MESSAGES -> new MessagesDecoder(plugins).decode(document, problems);
          case RESPONSES -> new ResponsesDecoder(plugins).decode(document, problems);
          case GEMINI ->
              throw new IllegalArgumentException(
                  "callers cannot send requests in the dialect " + dialect);
        };
    UnsupportedFeatures.check(document, plugins, problems);
    problems.throwIfAny();
    return explainOrThrow(request, seed, snapshot);
  }

  private Json.Obj parseObject(byte[] body) {
    String problem;
    try {
      Json document = codec.parse(body);
      if (document instanceof Json.Obj object) {
        return object;
      }
      problem = "must be an object";
    } catch (JsonCodec.MalformedJsonException e) {
      problem = Objects.requireNonNullElse(e.getMessage(), "is not JSON");
    }
    throw GatewayError.of(
            ErrorCode.INVALID_REQUEST, List.of(new Problem(JsonPointer.ROOT, problem, "")))
        .toException();
  }

  @Override
  public Explanation explain(InferenceRequest request, long seed) {
    return explainOrThrow(request, seed, snapshot());
  }

  private Explanation explainOrThrow(InferenceRequest request, long seed, Snapshot snapshot) {
    try {
      return explain(request, seed, snapshot);
    } catch (PluginFailureException failure) {
      throw toException(failure);
    }
  }

  private static GatewayException toException(PluginFailureException failure) {
    log.error("a dry-run routing decision failed", failure);
    return GatewayError.of(
            ErrorCode.INTERNAL, "the router " + failure.plugin() + " failed; see the log")
        .toException();
  }

  private Explanation explain(InferenceRequest request, long seed, Snapshot snapshot) {
    List<ModelRef> models = RoutingQueryFactory.models(request, snapshot.accountPolicy(), null);
    if (models.isEmpty()) {
      throw RoutingQueryFactory.NO_MODEL.toException();
    }
    Statistics statistics = snapshot.health().published();
    RoutingQuery query =
        RoutingQueryFactory.of(request, models, PromptSize.of(request), snapshot, null)
            .statisticsSequence(statistics.sequence())
            .at(engine.ambient().now())
            .seed(seed)
            .build();
    RoutePlan plan = snapshot.planner().plan(query, statistics);
    var trace = new ArrayList<TraceEntry>(plan.trace());
    trace.addAll(engine.notes(request, models, snapshot));
    return new Explanation(
        snapshot.catalog(),
        statistics,
        query,
        plan,
        StrategyName.of(query.models(), snapshot.catalog(), firstAttempt(plan), trace),
        trace);
  }

  /** Returns the first attempt of a plan; null when it is a refusal. */
  private static @Nullable PlannedAttempt firstAttempt(RoutePlan plan) {
    return plan instanceof RoutePlan.Attempts attempts ? attempts.candidates().get(0) : null;
  }

  @Override
  public RoutePlan replay(RoutingQuery query) {
    Snapshot snapshot = snapshot();
    try {
      return snapshot.planner().plan(query, snapshot.health().published());
    } catch (PluginFailureException failure) {
      throw toException(failure);
    }
  }

  private Snapshot snapshot() {
    Snapshot snapshot = engine.current().get();
    if (snapshot == null) {
      throw GatewayError.of(ErrorCode.UNAVAILABLE, "the gateway is closed").toException();
    }
    return snapshot;
  }
}
