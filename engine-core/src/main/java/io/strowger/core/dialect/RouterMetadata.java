package io.strowger.core.dialect;

import io.strowger.core.inference.BudgetCap;
import io.strowger.core.inference.DeliveryState;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes {@code router_metadata}: how a request was routed, according to its trace, for a caller
 * who asked for it. Routing fact sheet, section 15; chat fact sheet, section 7; for the stages of
 * the pipeline, plugins fact sheet, section 1.
 */
public final class RouterMetadata {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Members of a router's data that go into {@code params} instead of its stage. */
  private static final List<String> PARAMS =
      List.of("version_group", "quality_floor", "throughput_floor");

  private RouterMetadata() {}

  public static Json.Obj of(DeliveryState deliveryState) {
    List<TraceEntry> trace =
        deliveryState.plan() == null ? List.of() : deliveryState.plan().trace();
    Map<String, Endpoint> available = availableEndpoints(deliveryState.plan());
    PlannedAttempt attempt = deliveryState.answeringAttempt();
    Json.Obj.Builder metadata =
        Json.object()
            .put("requested", deliveryState.requestedModel())
            .put("strategy", StrategyName.of(deliveryState, trace))
            .put("region", Json.NULL)
            .put("summary", summary(available.size(), deliveryState.endpoint()))
            .put("attempt", deliveryState.attemptNumber())
            .put("is_byok", attempt != null && attempt.byokKey() != null)
            .put("endpoints", endpoints(deliveryState.endpoint(), available, trace));
    putParams(trace, metadata);
    putOutputCap(deliveryState, metadata);
    putUnlessEmpty("attempts", attempts(deliveryState), metadata);
    List<Json> pipeline = pipeline(trace);
    addStages(deliveryState.attempts(), pipeline);
    putUnlessEmpty("pipeline", pipeline, metadata);
    putUnlessEmpty("inactive_plugins", inactivePlugins(deliveryState), metadata);
    if (deliveryState.generationNanos() >= 0) {
      metadata.put("generation_time", deliveryState.generationNanos() / NANOS_PER_MILLI);
    }
    return metadata.build();
  }

  /** Puts the answer's token limit, if it was set by the remaining budget. */
  private static void putOutputCap(DeliveryState deliveryState, Json.Obj.Builder metadata) {
    Endpoint endpoint = deliveryState.endpoint();
    int tokens = endpoint == null ? -1 : BudgetCap.tokens(deliveryState.attempts(), endpoint);
    if (tokens >= 0) {
      metadata.put(
          "output_cap", Json.object().put("tokens", tokens).put("reason", "budget").build());
    }
  }

  private static void putUnlessEmpty(String name, List<Json> list, Json.Obj.Builder metadata) {
    if (!list.isEmpty()) {
      metadata.put(name, Json.array(list));
    }
  }

  /** Returns the plan's endpoints by id. An endpoint that several keys can call occurs once. */
  private static Map<String, Endpoint> availableEndpoints(@Nullable RoutePlan plan) {
    var available = new LinkedHashMap<String, Endpoint>();
    if (plan instanceof RoutePlan.Attempts attempts) {
      for (PlannedAttempt candidate : attempts.candidates()) {
        available.put(candidate.endpoint().id(), candidate.endpoint());
      }
    }
    return available;
  }

  private static String summary(int available, @Nullable Endpoint endpoint) {
    String count = "available=" + available;
    return endpoint == null ? count : count + ", selected=" + endpoint.provider().name();
  }

  private static Json.Obj endpoints(
      @Nullable Endpoint selected, Map<String, Endpoint> available, List<TraceEntry> trace) {
    var list = new ArrayList<Json>(available.size());
    for (Endpoint endpoint : available.values()) {
      list.add(
          Json.object()
              .put("provider", endpoint.provider().name())
              .put("model", endpoint.model())
              .put("selected", selected != null && selected.id().equals(endpoint.id()))
              .build());
    }
    return Json.object()
        .put("total", available.size() + countUnavailable(trace))
        .put("available", Json.array(list))
        .build();
  }

  /** Returns the number of endpoints that a rule excluded or a narrower set aside. */
  private static long countUnavailable(List<TraceEntry> trace) {
    var excluded = new HashSet<String>();
    long setAside = 0;
    for (TraceEntry entry : trace) {
      if (entry instanceof TraceEntry.Excluded exclusion) {
        excluded.add(exclusion.endpoint());
      } else if (entry instanceof TraceEntry.Narrowed narrowed) {
        setAside += narrowed.setAside();
      }
    }
    return excluded.size() + setAside;
  }

  private static void putParams(List<TraceEntry> trace, Json.Obj.Builder metadata) {
    Json.Obj.Builder params = Json.object();
    for (String name : PARAMS) {
      for (TraceEntry entry : trace) {
        Json value = entry instanceof TraceEntry.Routed routed ? routed.data().get(name) : null;
        if (value != null) {
          params.put(name, value);
        }
      }
    }
    Json.Obj built = params.build();
    if (built.size() > 0) {
      metadata.put("params", built);
    }
  }

  /** Returns one stage for each router that made a choice. */
  private static List<Json> pipeline(List<TraceEntry> trace) {
    var stages = new ArrayList<Json>();
    for (TraceEntry entry : trace) {
      if (entry instanceof TraceEntry.Routed routed
          && !routed.reason().equals(TraceEntry.Routed.NO_OPINION)) {
        Json.Obj data = routed.data();
        for (String name : PARAMS) {
          data = data.without(name);
        }
        Json.Obj.Builder stage =
            Json.object()
                .put("type", "plugin")
                .put("name", routed.plugin())
                .put("summary", routed.reason());
        stages.add((data.size() == 0 ? stage : stage.put("data", data)).build());
      }
    }
    return stages;
  }

  /** Adds the stages that were recorded around the call. */
  private static void addStages(List<TraceEntry> entries, List<Json> pipeline) {
    for (TraceEntry entry : entries) {
      if (entry instanceof TraceEntry.Stage(var type, var name, var summary, var data)) {
        Json.Obj.Builder stage = Json.object().put("type", type).put("name", name);
        if (summary != null) {
          stage.put("summary", summary);
        }
        pipeline.add((data.size() == 0 ? stage : stage.put("data", data)).build());
      }
    }
  }

  /** Returns the plugins that were accepted but had no effect, and so have no stage. */
  private static List<Json> inactivePlugins(DeliveryState deliveryState) {
    var plugins = new ArrayList<Json>(deliveryState.inactivePlugins().size());
    for (TraceEntry.Note note : deliveryState.inactivePlugins()) {
      plugins.add(Json.object().put("id", note.source()).put("reason", note.text()).build());
    }
    return plugins;
  }

  private static List<Json> attempts(DeliveryState deliveryState) {
    var attempts = new ArrayList<Json>();
    for (TraceEntry entry : deliveryState.attempts()) {
      if (entry instanceof TraceEntry.Attempted attempted) {
        attempts.add(attempt(deliveryState.catalog(), attempted));
      }
    }
    return attempts;
  }

  private static Json.Obj attempt(Catalog catalog, TraceEntry.Attempted attempted) {
    String id = attempted.endpoint();
    int at = id.lastIndexOf('@');
    String model = at < 0 ? id : id.substring(0, at);
    String provider = id.substring(at + 1);
    ModelInfo info = catalog.model(model);
    if (info != null) {
      for (Endpoint endpoint : info.endpoints()) {
        if (endpoint.id().equals(id)) {
          provider = endpoint.provider().name();
        }
      }
    }
    return Json.object()
        .put("provider", provider)
        .put("model", model)
        .put("status", attempted.status())
        .build();
  }
}
