package io.strowger.core.decisionlog;

import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.Statistics;
import io.strowger.core.plan.Planner;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.ProviderInfo;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Small catalogs, decisions over them, and decision logs for tests. */
final class TestLogs {
  static final Catalog CATALOG = catalog("v1", "alpha", "beta", "gamma");
  static final Catalog OTHER_CATALOG = catalog("v2", "beta", "delta");

  private TestLogs() {}

  /** Returns a catalog with the model {@code acme/large} at these providers, cheapest first. */
  static Catalog catalog(String version, String... providers) {
    var endpoints = new ArrayList<Endpoint>();
    for (String slug : providers) {
      endpoints.add(
          Endpoint.builder("acme/large", new ProviderInfo(slug, slug, true, true, null, false))
              .pricing(
                  Pricing.builder()
                      .set(Price.PROMPT, new UnitPrice((endpoints.size() + 1) * 1_000_000L))
                      .build())
              .build());
    }
    return Catalog.builder(version).add(ModelInfo.builder("acme/large").build(), endpoints).build();
  }

  /** Returns statistics with one open breaker, which blocks until one second after the epoch. */
  static Statistics withOpenBreaker(long sequence, Catalog catalog, int ordinal) {
    var all = new EndpointStatistics[catalog.endpoints().size()];
    Arrays.fill(all, EndpointStatistics.NONE);
    all[ordinal] = EndpointStatistics.builder().breakerOpen(true).blockedUntilMillis(1000).build();
    return Statistics.of(sequence, all, Map.of("k1", 5L));
  }

  static RoutingQuery query(Catalog catalog, long seed) {
    return RoutingQuery.builder(catalog.version())
        .models(List.of(ModelRef.parse("acme/large")))
        .seed(seed)
        .build();
  }

  static LoggedDecision decision(Catalog catalog, Statistics statistics, long seed) {
    RoutingQuery query =
        query(catalog, seed).toBuilder().statisticsSequence(statistics.sequence()).build();
    return decide(catalog, statistics, query);
  }

  static LoggedDecision decide(Catalog catalog, Statistics statistics, RoutingQuery query) {
    return new LoggedDecision(
        "gen-" + query.seed(),
        catalog,
        statistics,
        query,
        new Planner(catalog).plan(query, statistics),
        new LoggedDecision.Ending(
            List.of(
                new TraceEntry.Attempted(
                    "acme/large@alpha", null, 429, FailureKind.RATE_LIMITED, 12_345_678),
                new TraceEntry.Skipped("acme/large@beta", "k1", "cooling down"),
                new TraceEntry.Attempted("acme/large@gamma", null, 200, null, 734_219_543)),
            CallRecord.Outcome.COMPLETE,
            null));
  }

  /** Writes a log of these decisions. */
  static byte[] log(List<LoggedDecision> decisions) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var writer = DecisionLogWriter.toStream(out, 1 << 20, TestAmbient.realTime())) {
      decisions.forEach(writer::accept);
    }
    return out.toByteArray();
  }

  static List<LogItem> items(byte[] log) throws IOException {
    var reader = new DecisionLogReader(new ByteArrayInputStream(log));
    var items = new ArrayList<LogItem>();
    LogItem item;
    while ((item = reader.next()) != null) {
      items.add(item);
    }
    return items;
  }

  static List<LogItem.DecisionItem> decisions(byte[] log) throws IOException {
    return items(log).stream()
        .filter(LogItem.DecisionItem.class::isInstance)
        .map(LogItem.DecisionItem.class::cast)
        .toList();
  }

  static List<LogItem.Damage> damage(byte[] log) throws IOException {
    return items(log).stream()
        .filter(LogItem.Damage.class::isInstance)
        .map(LogItem.Damage.class::cast)
        .toList();
  }

  /** The result and the findings of a replay. */
  record Replayed(DecisionReplay.Result result, List<ReplayFinding> findings) {}

  static Replayed replay(byte[] log, ReplayRouters routers) throws IOException {
    var findings = new ArrayList<ReplayFinding>();
    DecisionReplay.Result result =
        DecisionReplay.replayLog(new ByteArrayInputStream(log), routers, findings::add);
    return new Replayed(result, findings);
  }
}
