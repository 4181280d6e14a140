package io.strowger.host.show;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.Statistics;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.routing.TraceEntry;
import java.util.List;
import java.util.Map;

/** A small catalog and decisions over it. */
final class Decisions {
  static final Endpoint ALPHA = endpoint("alpha", "alpha/fp16", 1, 2);
  static final Endpoint BETA = endpoint("beta", "beta", 3, 15);
  static final Catalog CATALOG =
      Catalog.builder("v1")
          .add(ModelInfo.builder("acme/large").build(), List.of(ALPHA, BETA))
          .build();

  static final DecisionView.Inputs INPUTS = new DecisionView.Inputs(CATALOG, Statistics.NONE, 7);

  private Decisions() {}

  /** Returns a decision of a router for alpha, which is degraded and is only probed. */
  static DecisionView routed() {
    var degraded =
        EndpointStatistics.builder()
            .latencyMicros(412_000, 500_000, 600_000, 700_000)
            .throughputMicroTokens(52_100_000, 40_000_000, 30_000_000, 20_000_000)
            .uptime(EndpointStatistics.Uptime.DEGRADED)
            .breakerOpen(true)
            .blockedUntilMillis(1_000)
            .build();
    Endpoint chosen = CATALOG.endpoints().get(0);
    return new DecisionView(
        new DecisionView.Inputs(
            CATALOG, Statistics.of(3, new EndpointStatistics[] {degraded}, Map.of()), 7),
        "auto",
        List.of(new PlannedAttempt(chosen, 0, null, true)),
        null,
        List.of(
            new TraceEntry.Routed(
                "auto-router",
                "router/auto",
                "best for the task",
                Json.object().put("task_type", "coding").put("cost_tradeoff", 3).build()),
            new TraceEntry.Ranked(chosen.id(), null, 0, "throughput", 52.1)));
  }

  /** Returns a decision that drops beta and tries alpha, which fails. */
  static DecisionView attempted() {
    return new DecisionView(
        INPUTS,
        DecisionView.DIRECT,
        List.of(
            new PlannedAttempt(ALPHA, 0, "k1", false), new PlannedAttempt(ALPHA, 0, null, false)),
        null,
        List.of(
            new TraceEntry.Excluded(BETA.id(), "provider.ignore", "ignored"),
            new TraceEntry.Excluded(BETA.id(), "max_tokens", "writes at most 10"),
            new TraceEntry.Narrowed("acme/large", "soft", 1, 2),
            new TraceEntry.Ranked(ALPHA.id(), "k1", 0, "price", ALPHA.blendedPrice()),
            new TraceEntry.Ranked(ALPHA.id(), null, 1, "provider.order", 0),
            new TraceEntry.Skipped(ALPHA.id(), "k1", "cooling down"),
            new TraceEntry.Attempted(ALPHA.id(), null, 500, FailureKind.UNAVAILABLE, 12_345_678),
            new TraceEntry.Note("engine", "output_capped_by_budget")));
  }

  /** Returns a decision that drops both endpoints. */
  static DecisionView impossible() {
    return new DecisionView(
        INPUTS,
        DecisionView.DIRECT,
        List.of(),
        GatewayError.of(ErrorCode.CONSTRAINT_FILTERED, "no endpoint is left"),
        List.of(
            new TraceEntry.Excluded(ALPHA.id(), "provider.only", "not listed"),
            new TraceEntry.Excluded(BETA.id(), "provider.only", "not listed")));
  }

  private static Endpoint endpoint(String slug, String tag, long promptMicros, long outMicros) {
    return Endpoint.builder("acme/large", new ProviderInfo(slug, slug, true, true, null, false))
        .tag(tag)
        .pricing(
            Pricing.builder()
                .set(Price.PROMPT, new UnitPrice(promptMicros * 1_000_000))
                .set(Price.COMPLETION, new UnitPrice(outMicros * 1_000_000))
                .build())
        .build();
  }
}
