package io.strowger.host.show;

import io.strowger.core.dialect.ErrorBodies;
import io.strowger.core.dialect.ErrorEnvelope;
import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.TraceEntry;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts a decision to the JSON that {@code explain --json} writes. */
public final class DecisionJson {
  private final DecisionView decision;
  private final Map<String, Endpoint> endpoints;
  private final List<Json> excluded = new ArrayList<>();
  private final List<Json> counted = new ArrayList<>();
  private final List<Json> narrowed = new ArrayList<>();
  private final List<Json> routed = new ArrayList<>();
  private final List<Json> notes = new ArrayList<>();

  private DecisionJson(DecisionView decision) {
    this.decision = decision;
    this.endpoints = decision.endpoints();
    decision.trace().forEach(this::add);
  }

  public static Json.Obj of(DecisionView decision) {
    return new DecisionJson(decision).toJson();
  }

  private void add(TraceEntry entry) {
    switch (entry) {
      case TraceEntry.Excluded(var id, var rule, var reason) ->
          excluded.add(
              endpointMembers(endpoints.get(id), id)
                  .put("rule", rule)
                  .put("reason", reason)
                  .build());
      case TraceEntry.ExcludedCount(var rule, var count) ->
          counted.add(Json.object().put("rule", rule).put("endpoints", count).build());
      case TraceEntry.Narrowed(var model, var rule, var kept, var removed) ->
          narrowed.add(
              Json.object()
                  .put("model", model)
                  .put("rule", rule)
                  .put("kept", kept)
                  .put("set_aside", removed)
                  .build());
      case TraceEntry.Routed(var plugin, var model, var reason, var data) ->
          routed.add(
              Json.object()
                  .put("plugin", plugin)
                  .put("model", model)
                  .put("reason", reason)
                  .put("data", data)
                  .build());
      case TraceEntry.Note(var source, var text) ->
          notes.add(Json.object().put("source", source).put("text", text).build());
      case TraceEntry.Translated translated -> {}
      case TraceEntry.Stage stage -> {}
      case TraceEntry.Ranked ranked -> {}
      case TraceEntry.Attempted attempted -> {}
      case TraceEntry.Skipped skipped -> {}
    }
  }

  private Json.Obj toJson() {
    return Json.object()
        .put("seed", decision.inputs().seed())
        .put("catalog_version", decision.inputs().catalog().version())
        .put("statistics", decision.inputs().statistics().sequence())
        .put("strategy", decision.strategy())
        .put("attempts", attempts())
        .put("excluded", Json.array(excluded))
        .put("excluded_more", Json.array(counted))
        .put("narrowed", Json.array(narrowed))
        .put("routed", Json.array(routed))
        .put("notes", Json.array(notes))
        .put("error", error(decision.error()))
        .build();
  }

  private Json attempts() {
    var attempts = new ArrayList<Json>();
    for (PlannedAttempt candidate : decision.candidates()) {
      Endpoint endpoint = candidate.endpoint();
      Json.Obj.Builder attempt =
          endpointMembers(endpoint, endpoint.id())
              .put("rank", attempts.size())
              .putOrNull("byok", candidate.byokKey())
              .put("probe", candidate.probe());
      TraceEntry.Ranked ranked = decision.ranking(candidate);
      if (ranked != null) {
        attempt
            .put("by", ranked.criterion())
            .put("score", Json.of(BigDecimal.valueOf(ranked.score())));
      }
      EndpointStatistics statistics = decision.inputs().statistics().of(endpoint);
      if (!statistics.equals(EndpointStatistics.NONE)) {
        attempt.put("health", statistics.toJson());
      }
      attempts.add(attempt.build());
    }
    return Json.array(attempts);
  }

  /**
   * Returns a builder with the members that identify an endpoint; an id that is not in the catalog
   * is given as the model.
   */
  private static Json.Obj.Builder endpointMembers(@Nullable Endpoint endpoint, String id) {
    return endpoint == null
        ? Json.object().put("model", id).put("provider", Json.NULL).put("tag", Json.NULL)
        : Json.object()
            .put("model", endpoint.model())
            .put("provider", endpoint.provider().slug())
            .put("tag", endpoint.tag());
  }

  /** Returns the error object the request would get; JSON null when there is no error. */
  private static Json error(@Nullable GatewayError error) {
    Json body =
        error == null
            ? null
            : ErrorBodies.of(ErrorEnvelope.GATEWAY, error, null, null).get("error");
    return body == null ? Json.NULL : body;
  }
}
