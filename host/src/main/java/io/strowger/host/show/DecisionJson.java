package io.strowger.host.show;

import io.strowger.core.encode.Envelope;
import io.strowger.core.encode.ErrorBodies;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.Candidate;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A decision as {@code explain --json} writes it. */
public final class DecisionJson {
  private DecisionJson() {}

  public static Json.Obj of(Decision decision) {
    Map<String, Endpoint> endpoints = decision.endpoints();
    var excluded = new ArrayList<Json>();
    var narrowed = new ArrayList<Json>();
    var notes = new ArrayList<Json>();
    for (TraceEntry entry : decision.trace()) {
      switch (entry) {
        case TraceEntry.Excluded(var id, var rule, var reason) ->
            excluded.add(
                place(endpoints.get(id), id).put("rule", rule).put("reason", reason).build());
        case TraceEntry.Narrowed(var model, var rule, var kept, var setAside) ->
            narrowed.add(
                Json.object()
                    .put("model", model)
                    .put("rule", rule)
                    .put("kept", kept)
                    .put("set_aside", setAside)
                    .build());
        case TraceEntry.Note(var source, var text) ->
            notes.add(Json.object().put("source", source).put("text", text).build());
        case TraceEntry.Ranked ranked -> {}
        case TraceEntry.Attempted attempted -> {}
        case TraceEntry.Routed routed -> {}
        case TraceEntry.Skipped skipped -> {}
      }
    }
    return Json.object()
        .put("seed", decision.seed())
        .put("catalog_version", decision.catalog().version())
        .put("strategy", decision.strategy())
        .put("attempts", attempts(decision.candidates()))
        .put("excluded", Json.array(excluded))
        .put("narrowed", Json.array(narrowed))
        .put("notes", Json.array(notes))
        .put("error", error(decision.error()))
        .build();
  }

  private static Json attempts(List<Candidate> candidates) {
    var attempts = new ArrayList<Json>();
    for (Candidate candidate : candidates) {
      attempts.add(
          place(candidate.endpoint(), candidate.endpoint().id())
              .put("rank", attempts.size())
              .putOrNull("byok", candidate.byokKey())
              .build());
    }
    return Json.array(attempts);
  }

  /** Which endpoint; an id the catalog does not know is given as it is. */
  private static Json.Obj.Builder place(@Nullable Endpoint endpoint, String id) {
    return endpoint == null
        ? Json.object().put("model", id).put("provider", Json.NULL).put("tag", Json.NULL)
        : Json.object()
            .put("model", endpoint.model())
            .put("provider", endpoint.provider().slug())
            .put("tag", endpoint.tag());
  }

  /** The error object the request would get. */
  private static Json error(@Nullable GatewayError error) {
    Json body =
        error == null ? null : ErrorBodies.of(Envelope.GATEWAY, error, null, null).get("error");
    return body == null ? Json.NULL : body;
  }
}
