package io.strowger.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.strowger.core.WhatIfReport.Row;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.Plugins;
import io.strowger.core.decisionlog.DecisionLogWriter;
import io.strowger.core.decisionlog.LoggedDecision;
import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.Statistics;
import io.strowger.core.plan.Planner;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.ProviderSort;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests what-if reports over logged decisions. Each logged request has 1,000 prompt tokens and 500
 * output tokens. It costs $0.008 at gamma, $0.002 at alpha and $0.004 at beta; the time to the
 * first token is 300, 500 and 100 ms.
 */
@DisplayName("A what-if report")
class WhatIfTest {
  private static final String CONFIG =
      """
      { "providers": [
          { "slug": "gamma", "protocol": "simulated", "base_url": "http://127.0.0.1:9/" },
          { "slug": "alpha", "protocol": "simulated", "base_url": "http://127.0.0.1:9/" },
          { "slug": "beta", "protocol": "simulated", "base_url": "http://127.0.0.1:9/" } ],
        "models": [ { "id": "acme/large", "endpoints": [
            { "provider": "gamma", "pricing": { "prompt": "0.000004", "completion": "0.000008" }, "assumed": { "latency_ms": 300 } },
            { "provider": "alpha", "pricing": { "prompt": "0.000001", "completion": "0.000002" }, "assumed": { "latency_ms": 500 } },
            { "provider": "beta", "pricing": { "prompt": "0.000002", "completion": "0.000004" }, "assumed": { "latency_ms": 100 } } ] } ] }
      """;
  private static final Catalog CATALOG = config(CONFIG).catalog();
  private static final Usage USAGE = Usage.builder().freshInput(1000).outputText(500).build();
  private static final String ALPHA = "acme/large@alpha";
  private static final String BETA = "acme/large@beta";
  private static final String GAMMA = "acme/large@gamma";
  private static final Json.Obj BY_LATENCY = Json.object().put("sort", "latency").build();

  @TempDir private Path folder;

  private static GatewayConfig config(String json) {
    return ConfigReader.standard().read(json.getBytes(StandardCharsets.UTF_8)).orThrow();
  }

  private static ProviderPreferences.Builder cheapestFirst() {
    return ProviderPreferences.builder()
        .sort(new ProviderSort(ProviderSort.Key.PRICE, ProviderSort.Partition.MODEL));
  }

  private static LoggedDecision.Ending answered(
      @Nullable Usage usage, String answeredBy, String... failed) {
    var attempts = new ArrayList<TraceEntry>();
    for (String endpoint : failed) {
      attempts.add(new TraceEntry.Attempted(endpoint, null, 429, FailureKind.RATE_LIMITED, 1_000));
    }
    attempts.add(new TraceEntry.Attempted(answeredBy, null, 200, null, 2_000));
    return new LoggedDecision.Ending(attempts, CallRecord.Outcome.COMPLETE, null, usage);
  }

  private static RoutingQuery.Builder query(
      ProviderPreferences preferences, Statistics statistics) {
    return RoutingQuery.builder(CATALOG.version())
        .models(List.of(ModelRef.parse("acme/large")))
        .preferences(preferences)
        .statisticsSequence(statistics.sequence())
        .seed(7);
  }

  private static LoggedDecision decision(
      RoutingQuery query, Statistics statistics, LoggedDecision.Ending ending) {
    RoutePlan plan = new Planner(CATALOG).plan(query, statistics);
    return new LoggedDecision("gen-1", CATALOG, statistics, query, plan, ending);
  }

  /** Returns a decision for a request that asked for the cheapest endpoint. */
  private static LoggedDecision cheapestDecision(LoggedDecision.Ending ending) {
    return decision(
        query(cheapestFirst().build(), Statistics.NONE).build(), Statistics.NONE, ending);
  }

  private static byte[] log(List<LoggedDecision> decisions) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var writer = DecisionLogWriter.toStream(out, 1 << 20, TestAmbient.realTime())) {
      decisions.forEach(writer::accept);
    }
    return out.toByteArray();
  }

  private WhatIf over(List<LoggedDecision> decisions) throws IOException {
    Path file = Files.write(folder.resolve("decisions.log"), log(decisions));
    return WhatIf.over(file).plugins(Plugins.none()).ambient(TestAmbient.realTime());
  }

  private static void assertMoney(WhatIfReport report, String... dollars) {
    assertThat(report.figures().rows())
        .extracting(row -> row.name() + " " + row.cost().dollars().toPlainString())
        .containsExactly(
            Row.LOGGED + " " + dollars[0],
            Row.WHAT_IF + " " + dollars[1],
            Row.CHEAPEST + " " + dollars[2],
            Row.FASTEST + " " + dollars[3],
            Row.FIRST_LISTED + " " + dollars[4]);
  }

  private static void assertLatency(WhatIfReport report, double... millis) {
    List<Row> rows = report.figures().rows();
    for (int i = 0; i < millis.length; i++) {
      assertThat(rows.get(i).latencyMs().orElseThrow())
          .as(rows.get(i).name())
          .isCloseTo(millis[i], within(1e-9));
    }
  }

  @Test
  @DisplayName("counts changed decisions and shows their cost and latency")
  void changes() throws IOException {
    List<LoggedDecision> three = Collections.nCopies(3, cheapestDecision(answered(USAGE, ALPHA)));
    WhatIfReport report = over(three).preferences(BY_LATENCY).maxChanges(2).run();
    assertThat(report.counts()).isEqualTo(new WhatIfReport.Counts(3, 3, 0, 0, 0));
    assertThat(report.firstChoiceChanges())
        .containsExactly(new WhatIfReport.FirstChoiceChange(ALPHA, BETA, 3));
    assertThat(report.changedDecisions())
        .hasSize(2)
        .containsOnly(
            new WhatIfReport.ChangedDecision(
                "gen-1", ALPHA + ", " + BETA + ", " + GAMMA, BETA + ", " + GAMMA + ", " + ALPHA));
    assertThat(report.figures().pricedDecisions()).isEqualTo(3);
    assertThat(report.figures().timedDecisions()).isEqualTo(3);
    assertMoney(report, "0.006", "0.012", "0.006", "0.012", "0.024");
    assertLatency(report, 500, 100, 500, 100, 300);
  }

  @Test
  @DisplayName("without a change shows every decision as logged")
  void unchanged() throws IOException {
    WhatIfReport report = over(List.of(cheapestDecision(answered(USAGE, ALPHA)))).run();
    assertThat(report.counts()).isEqualTo(new WhatIfReport.Counts(1, 0, 0, 0, 0));
    assertThat(report.counts().unchanged()).isEqualTo(1);
    assertThat(report.firstChoiceChanges()).isEmpty();
    assertMoney(report, "0.002", "0.002", "0.002", "0.004", "0.008");
  }

  @Test
  @DisplayName("counts a changed first choice and changed fallbacks separately")
  void fallbacks() throws IOException {
    Json.Obj ignore = Json.object().put("ignore", Json.array(Json.of("beta"))).build();
    WhatIfReport report =
        over(List.of(cheapestDecision(answered(USAGE, ALPHA)))).preferences(ignore).run();
    assertThat(report.counts()).isEqualTo(new WhatIfReport.Counts(1, 0, 1, 0, 0));
    assertThat(report.firstChoiceChanges()).isEmpty();
    assertThat(report.changedDecisions()).hasSize(1);
    assertThat(report.figures().row(Row.FASTEST).latencyMs())
        .as("the rows of fixed rules ignore the changed preferences")
        .hasValue(100);
  }

  @Test
  @DisplayName("assumes that an endpoint that failed a request fails it again")
  void failed() throws IOException {
    WhatIfReport report =
        over(List.of(cheapestDecision(answered(USAGE, BETA, ALPHA)))).preferences(BY_LATENCY).run();
    assertMoney(report, "0.004", "0.004", "0.004", "0.004", "0.008");
    assertLatency(report, 100, 100, 100, 100, 300);
  }

  @Test
  @DisplayName("counts requests that would be refused, and leaves them out of the costs")
  void refused() throws IOException {
    Json.Obj noProvider = Json.object().put("only", Json.array()).build();
    WhatIfReport report =
        over(List.of(cheapestDecision(answered(USAGE, ALPHA)))).preferences(noProvider).run();
    assertThat(report.firstChoiceChanges())
        .containsExactly(new WhatIfReport.FirstChoiceChange(ALPHA, "refused: NO_ENDPOINTS", 1));
    assertThat(report.figures().pricedDecisions()).isZero();
    assertThat(report.figures().row(Row.LOGGED).latencyMs()).isEmpty();
  }

  @Test
  @DisplayName(
      "merges preferences by member: null removes a request's own, and its order beats a sort")
  void merged() throws IOException {
    RoutingQuery asked =
        query(ProviderPreferences.builder().order(List.of("gamma")).build(), Statistics.NONE)
            .build();
    var decision = List.of(decision(asked, Statistics.NONE, answered(USAGE, GAMMA)));
    assertThat(over(decision).preferences(BY_LATENCY).run().counts().firstChanged()).isZero();
    Json.Obj without = Json.object().put("order", Json.NULL).put("sort", "latency").build();
    assertThat(over(decision).preferences(without).run().firstChoiceChanges())
        .containsExactly(new WhatIfReport.FirstChoiceChange(GAMMA, BETA, 1));
  }

  @Test
  @DisplayName("uses the latency measured at the time of the decision")
  void measured() throws IOException {
    var all = new EndpointStatistics[3];
    Arrays.fill(all, EndpointStatistics.NONE);
    all[endpoint(ALPHA).ordinal()] =
        EndpointStatistics.builder()
            .latencyMicros(40_000, 50_000, 60_000, 70_000)
            .samples(100)
            .build();
    Statistics statistics = Statistics.of(1, all, Map.of());
    LoggedDecision decision =
        decision(
            query(cheapestFirst().build(), statistics).build(), statistics, answered(USAGE, ALPHA));
    WhatIfReport report = over(List.of(decision)).preferences(BY_LATENCY).run();
    assertThat(report.counts().firstChanged()).as("alpha was the fastest endpoint").isZero();
    assertLatency(report, 40, 40, 40, 40, 300);
  }

  private static Endpoint endpoint(String id) {
    return CATALOG.endpoints().stream().filter(it -> it.id().equals(id)).findFirst().orElseThrow();
  }

  @Test
  @DisplayName("decides with another configuration, and keeps the measurements of its endpoints")
  void otherConfiguration() throws IOException {
    var all = new EndpointStatistics[3];
    Arrays.fill(all, EndpointStatistics.NONE);
    all[endpoint(BETA).ordinal()] =
        EndpointStatistics.builder()
            .latencyMicros(80_000, 80_000, 80_000, 80_000)
            .samples(100)
            .build();
    Statistics statistics = Statistics.of(1, all, Map.of());
    LoggedDecision decision =
        decision(
            query(cheapestFirst().build(), statistics).build(), statistics, answered(USAGE, ALPHA));
    // without alpha; beta costs a quarter; delta is new and listed first
    GatewayConfig other =
        config(
            """
            { "providers": [ { "slug": "beta", "protocol": "simulated", "base_url": "http://127.0.0.1:9/" },
                             { "slug": "delta", "protocol": "simulated", "base_url": "http://127.0.0.1:9/" } ],
              "models": [ { "id": "acme/large", "endpoints": [
                { "provider": "delta", "pricing": { "prompt": "0.000008", "completion": "0.000016" }, "assumed": { "latency_ms": 20 } },
                { "provider": "beta", "pricing": { "prompt": "0.0000005", "completion": "0.000001" } } ] } ] }
            """);
    WhatIfReport report = over(List.of(decision)).configuration(other).run();
    assertThat(report.firstChoiceChanges())
        .containsExactly(new WhatIfReport.FirstChoiceChange(ALPHA, BETA, 1));
    // the fixed rules choose among the new endpoints, at the new prices
    assertMoney(report, "0.002", "0.001", "0.001", "0.016", "0.016");
    assertLatency(report, 500, 80, 80, 20, 20);
  }

  @Test
  @DisplayName("charges half the price for a request of a batch")
  void batch() throws IOException {
    LoggedDecision decision =
        decision(
            query(cheapestFirst().build(), Statistics.NONE).batch(true).build(),
            Statistics.NONE,
            answered(USAGE, ALPHA));
    assertMoney(
        over(List.of(decision)).preferences(BY_LATENCY).run(),
        "0.001",
        "0.002",
        "0.001",
        "0.002",
        "0.004");
  }

  @Test
  @DisplayName("shows the latency but no cost of a decision without logged usage")
  void withoutUsage() throws IOException {
    WhatIfReport report =
        over(List.of(cheapestDecision(answered(null, ALPHA)))).preferences(BY_LATENCY).run();
    assertThat(report.figures().pricedDecisions()).isZero();
    assertThat(report.figures().timedDecisions()).isEqualTo(1);
  }

  @Test
  @DisplayName("leaves out answers that broke off and requests without an answer")
  void unanswered() throws IOException {
    var brokeOff =
        new LoggedDecision.Ending(
            answered(USAGE, ALPHA).attempts(), CallRecord.Outcome.ERROR, ErrorCode.TIMEOUT, USAGE);
    var noAnswer =
        new LoggedDecision.Ending(List.of(), CallRecord.Outcome.ERROR, ErrorCode.NO_ENDPOINTS);
    WhatIfReport report =
        over(List.of(cheapestDecision(brokeOff), cheapestDecision(noAnswer)))
            .preferences(BY_LATENCY)
            .run();
    assertThat(report.counts().firstChanged()).isEqualTo(2);
    assertThat(report.figures().pricedDecisions()).isZero();
    assertThat(report.figures().timedDecisions()).isZero();
  }

  @Test
  @DisplayName("leaves out decisions that this version makes differently even without a change")
  void notComparable() throws IOException {
    LoggedDecision original = cheapestDecision(answered(USAGE, ALPHA));
    var changed =
        new LoggedDecision(
            "gen-2",
            CATALOG,
            Statistics.NONE,
            original.query(),
            new RoutePlan.NoRoute(GatewayError.of(ErrorCode.NO_ENDPOINTS), List::of),
            original.ending());
    WhatIfReport report = over(List.of(original, changed)).preferences(BY_LATENCY).run();
    assertThat(report.counts()).isEqualTo(new WhatIfReport.Counts(2, 1, 0, 1, 0));
    assertThat(report.figures().pricedDecisions()).isEqualTo(1);
  }

  @Test
  @DisplayName("counts damaged parts of the log and reads the rest")
  void damaged() throws IOException {
    LoggedDecision original = cheapestDecision(answered(USAGE, ALPHA));
    byte[] content = log(List.of(original, original));
    content[content.length - 5] ^= 1;
    Path file = Files.write(folder.resolve("damaged.log"), content);
    WhatIfReport report = WhatIf.over(file).plugins(Plugins.none()).run();
    assertThat(report.counts()).isEqualTo(new WhatIfReport.Counts(1, 0, 0, 0, 1));
  }

  @Test
  @DisplayName("refuses preferences that a request could not have, and names every problem")
  void refusedPreferences() {
    WhatIf whatIf = WhatIf.over(folder.resolve("none.log"));
    Json.Obj wrong = Json.object().put("sort", "beauty").put("ordre", 1).build();
    assertThatThrownBy(() -> whatIf.preferences(wrong))
        .isInstanceOfSatisfying(
            GatewayException.class,
            refused ->
                assertThat(refused.error().problems())
                    .extracting(problem -> problem.pointer().toString())
                    .containsExactlyInAnyOrder("/sort", "/ordre"));
    assertThatThrownBy(whatIf::run).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> whatIf.maxChanges(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("reports progress, and keeps no more changes of a long log than it shows")
  void longLog() throws IOException {
    LoggedDecision decision = cheapestDecision(answered(USAGE, ALPHA));
    var progress = new AtomicLong();
    WhatIfReport report =
        over(Collections.nCopies(2_000, decision))
            .preferences(BY_LATENCY)
            .progress((decisions, bytes) -> progress.set(decisions))
            .run();
    assertThat(progress).hasValue(2_000);
    assertThat(report.changedDecisions()).hasSize(20);
    assertThat(report.figures().row(Row.LOGGED).cost().dollars()).isEqualByComparingTo("4");
    assertThat(report.figures().row(Row.WHAT_IF).cost().dollars()).isEqualByComparingTo("8");
  }
}
