package io.strowger.core.encode;

import io.strowger.core.flow.Delivery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.Candidate;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.RoutePlan;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a request was served, for a caller who opted in: a projection of the trace. Routing fact
 * sheet, section 15; chat fact sheet, section 7.
 */
public final class RouterMetadata {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private RouterMetadata() {}

  public static Json.Obj of(Delivery delivery) {
    List<Candidate> candidates =
        delivery.plan() instanceof RoutePlan.Attempts attempts ? attempts.inOrder() : List.of();
    Json.Obj.Builder metadata =
        Json.object()
            .put("requested", delivery.requested())
            .put("strategy", strategy(delivery))
            .put("region", Json.NULL)
            .put("summary", summary(candidates.size(), delivery.endpoint()))
            .put("attempt", delivery.attempt())
            .put("is_byok", false)
            .put("endpoints", endpoints(delivery, candidates));
    List<Json> attempts = attempts(delivery);
    if (!attempts.isEmpty()) {
      metadata.put("attempts", Json.array(attempts));
    }
    if (delivery.generationNanos() >= 0) {
      metadata.put("generation_time", delivery.generationNanos() / NANOS_PER_MILLI);
    }
    return metadata.build();
  }

  private static String strategy(Delivery delivery) {
    ModelRef ref = ModelRef.parse(delivery.requested());
    Catalog catalog = delivery.catalog();
    ModelInfo named = catalog.model(delivery.requested());
    ModelInfo asked = named == null ? catalog.model(ref.slug()) : named;
    Endpoint endpoint = delivery.endpoint();
    if (endpoint != null && (asked == null || !endpoint.model().equals(asked.id()))) {
      return delivery.requested().isEmpty() ? "direct" : "fallback";
    }
    boolean ownName =
        asked == null
            || asked.id().equalsIgnoreCase(ref.slug())
            || asked.id().equalsIgnoreCase(delivery.requested());
    return ownName ? "direct" : "alias";
  }

  private static String summary(int available, @Nullable Endpoint endpoint) {
    String count = "available=" + available;
    return endpoint == null ? count : count + ", selected=" + endpoint.provider().name();
  }

  private static Json.Obj endpoints(Delivery delivery, List<Candidate> candidates) {
    Endpoint selected = delivery.endpoint();
    var available = new ArrayList<Json>(candidates.size());
    for (Candidate candidate : candidates) {
      Endpoint endpoint = candidate.endpoint();
      available.add(
          Json.object()
              .put("provider", endpoint.provider().name())
              .put("model", endpoint.model())
              .put("selected", selected != null && selected.id().equals(endpoint.id()))
              .build());
    }
    return Json.object()
        .put("total", candidates.size() + excluded(delivery.plan()))
        .put("available", Json.array(available))
        .build();
  }

  private static long excluded(@Nullable RoutePlan plan) {
    if (plan == null) {
      return 0;
    }
    return plan.trace().stream()
        .filter(TraceEntry.Excluded.class::isInstance)
        .map(entry -> ((TraceEntry.Excluded) entry).endpoint())
        .distinct()
        .count();
  }

  private static List<Json> attempts(Delivery delivery) {
    var attempts = new ArrayList<Json>();
    for (TraceEntry entry : delivery.attempts()) {
      if (entry instanceof TraceEntry.Attempted attempted) {
        attempts.add(attempt(delivery.catalog(), attempted));
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
