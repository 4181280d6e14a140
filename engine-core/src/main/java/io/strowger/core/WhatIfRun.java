package io.strowger.core;

import io.strowger.core.WhatIfReport.Row;
import io.strowger.core.decisionlog.DecisionLogReader;
import io.strowger.core.decisionlog.LogItem;
import io.strowger.core.decisionlog.LoggedPlan;
import io.strowger.core.decisionlog.ReplayPlanners;
import io.strowger.core.decisionlog.ReplayRouters;
import io.strowger.core.health.EndpointStatistics;
import io.strowger.core.health.EndpointStatistics.Percentile;
import io.strowger.core.health.Statistics;
import io.strowger.core.meter.Bill;
import io.strowger.core.meter.Meter;
import io.strowger.core.plan.EndpointSpeeds;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.spi.routing.ProviderSort;
import io.strowger.spi.routing.TraceEntry;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One run of {@link WhatIf} over a log. */
final class WhatIfRun {
  /**
   * The most kinds of changes that are counted separately; a log has fewer unless its catalog is
   * very large.
   */
  private static final int MAX_MOVES = 10_000;

  private static final List<String> ROW_NAMES =
      List.of(Row.LOGGED, Row.WHAT_IF, Row.CHEAPEST, Row.FASTEST, Row.FIRST_LISTED);
  private static final int LOGGED_ROW = ROW_NAMES.indexOf(Row.LOGGED);
  private static final double MICROS_PER_MILLI = 1e3;

  private final ReplayRouters routers;
  private final ReplayPlanners planners;
  private final @Nullable Catalog replacementCatalog;
  private final PreferenceChange preferences;
  private final int maxChanges;

  private final Map<MovePair, Long> moves = new HashMap<>();
  private final List<WhatIfReport.ChangedDecision> changes = new ArrayList<>();
  private final Usd[] money = new Usd[ROW_NAMES.size()];
  private final double[] latencyMillis = new double[ROW_NAMES.size()]; // sums, in milliseconds
  private long decisions;
  private long firstChanged;
  private long laterChanged;
  private long notComparable;
  private long damaged;
  private long otherFirstChoiceChanges;
  private long priced;
  private long timed;

  // the last result of translating statistics to the other catalog
  private Statistics originalStatistics = Statistics.NONE;
  private Statistics translatedStatistics = Statistics.NONE;

  private record MovePair(String from, String to) {}

  /** Where an answer came from, or would come from. */
  private record Source(Endpoint endpoint, @Nullable String byokKey) {}

  /** The inputs of a decision: as logged, or with the change. */
  private record PlanInputs(Catalog catalog, Statistics statistics, RoutingQuery query) {}

  /**
   * @param replacementCatalog the catalog to decide over; null for the catalogs of the log
   * @param maxChanges the most changes to list
   */
  WhatIfRun(
      ReplayRouters routers,
      @Nullable Catalog replacementCatalog,
      PreferenceChange preferences,
      int maxChanges) {
    this.routers = routers;
    this.planners = new ReplayPlanners(routers);
    this.replacementCatalog = replacementCatalog;
    this.preferences = preferences;
    this.maxChanges = maxChanges;
    Arrays.fill(money, Usd.ZERO);
  }

  WhatIfReport run(InputStream log, WhatIf.Progress progress) throws IOException {
    var reader = new DecisionLogReader(log);
    LogItem item;
    while ((item = reader.next()) != null) {
      switch (item) {
        case LogItem.CatalogItem ignored -> {}
        case LogItem.StatisticsItem ignored -> {}
        case LogItem.Damage ignored -> damaged++;
        case LogItem.DecisionItem decision -> {
          decisions++;
          decide(decision);
          progress.onProgress(decisions, reader.offset());
        }
      }
    }
    return report();
  }

  private void decide(LogItem.DecisionItem decision) {
    LogItem.DecisionInputs inputs = decision.inputs();
    var loggedInputs = new PlanInputs(inputs.catalog(), inputs.statistics(), inputs.query());
    if (routers.firstMismatch(inputs.query()) != null
        || !decision.plan().sameAs(LoggedPlan.of(plan(loggedInputs)))) {
      notComparable++;
      return;
    }
    PlanInputs changedInputs = applyChange(loggedInputs);
    RoutePlan plan = plan(changedInputs);
    compare(decision, LoggedPlan.of(plan));
    measure(decision, loggedInputs, changedInputs, plan);
  }

  private PlanInputs applyChange(PlanInputs loggedInputs) {
    ProviderPreferences mergedPreferences = preferences.applyTo(loggedInputs.query().preferences());
    Catalog replacement = replacementCatalog;
    if (replacement == null) {
      RoutingQuery query = loggedInputs.query().toBuilder().preferences(mergedPreferences).build();
      return new PlanInputs(loggedInputs.catalog(), loggedInputs.statistics(), query);
    }
    RoutingQuery query =
        loggedInputs.query().toBuilder(replacement.version())
            .preferences(mergedPreferences)
            .build();
    return new PlanInputs(replacement, translateStatistics(loggedInputs, replacement), query);
  }

  /** Returns the statistics for another catalog, matched by the ids of endpoints. */
  private Statistics translateStatistics(PlanInputs loggedInputs, Catalog target) {
    Statistics source = loggedInputs.statistics();
    if (source != originalStatistics) {
      var byId = new HashMap<String, EndpointStatistics>();
      loggedInputs.catalog().endpoints().forEach(it -> byId.put(it.id(), source.of(it)));
      var byOrdinal = new EndpointStatistics[target.endpoints().size()];
      for (Endpoint endpoint : target.endpoints()) {
        byOrdinal[endpoint.ordinal()] =
            Objects.requireNonNullElse(byId.get(endpoint.id()), EndpointStatistics.NONE);
      }
      translatedStatistics =
          Statistics.of(source.sequence(), byOrdinal, source.keysBlockedUntilMillis());
      originalStatistics = source;
    }
    return translatedStatistics;
  }

  private RoutePlan plan(PlanInputs inputs) {
    try {
      return planners.forCatalog(inputs.catalog()).plan(inputs.query(), inputs.statistics());
    } catch (RuntimeException bug) { // of a router
      return new RoutePlan.NoRoute(
          GatewayError.of(ErrorCode.INTERNAL, "deciding failed: " + bug), List::of);
    }
  }

  private void compare(LogItem.DecisionItem decision, LoggedPlan after) {
    LoggedPlan before = decision.plan();
    if (before.sameAs(after)) {
      return;
    }
    String from = firstChoice(before);
    String to = firstChoice(after);
    if (from.equals(to)) {
      laterChanged++;
    } else {
      firstChanged++;
      count(new MovePair(from, to));
    }
    if (changes.size() < maxChanges) {
      changes.add(
          new WhatIfReport.ChangedDecision(decision.id(), before.toString(), after.toString()));
    }
  }

  private void count(MovePair move) {
    if (moves.size() == MAX_MOVES && !moves.containsKey(move)) {
      otherFirstChoiceChanges++;
    } else {
      moves.merge(move, 1L, Long::sum);
    }
  }

  private static String firstChoice(LoggedPlan plan) {
    return switch (plan) {
      case LoggedPlan.Attempts(var candidates) -> {
        LoggedPlan.Candidate candidate = candidates.getFirst();
        yield candidate.byokKey() == null
            ? candidate.endpoint()
            : candidate.endpoint() + " with key " + candidate.byokKey();
      }
      case LoggedPlan.NoRoute(var code, var message) -> "refused: " + code;
    };
  }

  /** Adds a decision to every row, or to none. */
  private void measure(
      LogItem.DecisionItem decision,
      PlanInputs loggedInputs,
      PlanInputs changedInputs,
      RoutePlan plan) {
    var ending = decision.ending();
    Source logged = loggedSource(ending.attempts(), loggedInputs.catalog());
    if (logged == null || ending.outcome() != CallRecord.Outcome.COMPLETE) {
      return;
    }
    Set<List<@Nullable String>> failures = failedCandidates(ending.attempts());
    PlanInputs baselineInputs = baselineInputs(loggedInputs, changedInputs);
    RoutePlan cheapest = planSortedBy(baselineInputs, ProviderSort.Key.PRICE);
    var sources = new ArrayList<@Nullable Source>();
    sources.add(logged);
    sources.add(expectedSource(plan, failures));
    sources.add(expectedSource(cheapest, failures));
    sources.add(expectedSource(planSortedBy(baselineInputs, ProviderSort.Key.LATENCY), failures));
    sources.add(expectedSource(sortByListing(cheapest), failures));
    if (sources.contains(null)) {
      return;
    }
    if (ending.usage() instanceof Usage usage) {
      addMoney(sources, usage, changedInputs.query());
    }
    addLatency(sources, loggedInputs, changedInputs);
  }

  /**
   * Returns the inputs of the baselines: over the catalog of the change, so that they can be
   * compared with it, but with the preferences of the log.
   */
  private PlanInputs baselineInputs(PlanInputs loggedInputs, PlanInputs changedInputs) {
    if (replacementCatalog == null) {
      return loggedInputs;
    }
    RoutingQuery query = loggedInputs.query().toBuilder(changedInputs.catalog().version()).build();
    return new PlanInputs(changedInputs.catalog(), changedInputs.statistics(), query);
  }

  private void addMoney(List<@Nullable Source> sources, Usage usage, RoutingQuery query) {
    priced++;
    for (int i = 0; i < money.length; i++) {
      money[i] = money[i].plus(cost(Objects.requireNonNull(sources.get(i)), usage, query));
    }
  }

  private static Usd cost(Source source, Usage usage, RoutingQuery query) {
    Pricing pricing = source.endpoint().pricing().effective(usage.promptTokens(), query.at());
    Meter.Share share = query.isBatch() ? Meter.Share.HALF : Meter.Share.WHOLE;
    Bill bill =
        source.byokKey() == null
            ? Meter.bill(usage, pricing, share)
            : Meter.byok(usage, pricing, share);
    return bill.total().plus(bill.byokCost());
  }

  private void addLatency(
      List<@Nullable Source> sources, PlanInputs loggedInputs, PlanInputs changedInputs) {
    long[] micros = new long[latencyMillis.length];
    for (int i = 0; i < micros.length; i++) {
      Endpoint endpoint = Objects.requireNonNull(sources.get(i)).endpoint();
      Statistics statistics = (i == LOGGED_ROW ? loggedInputs : changedInputs).statistics();
      micros[i] = EndpointSpeeds.latency(endpoint, statistics.of(endpoint), Percentile.P50);
      if (micros[i] == EndpointSpeeds.UNKNOWN) {
        return;
      }
    }
    timed++;
    for (int i = 0; i < micros.length; i++) {
      latencyMillis[i] += micros[i] / MICROS_PER_MILLI;
    }
  }

  /** Returns the endpoint that delivered; null when none did, or when it is not in the catalog. */
  private static @Nullable Source loggedSource(List<TraceEntry> attempts, Catalog catalog) {
    for (TraceEntry entry : attempts) {
      if (entry instanceof TraceEntry.Attempted attempted && attempted.failure() == null) {
        Endpoint endpoint = endpoint(catalog, attempted.endpoint());
        return endpoint == null ? null : new Source(endpoint, attempted.byokKey());
      }
    }
    return null;
  }

  private static @Nullable Endpoint endpoint(Catalog catalog, String id) {
    ModelInfo model = catalog.model(id.substring(0, Math.max(0, id.indexOf('@'))));
    for (Endpoint endpoint : model == null ? List.<Endpoint>of() : model.endpoints()) {
      if (endpoint.id().equals(id)) {
        return endpoint;
      }
    }
    return null;
  }

  private static Set<List<@Nullable String>> failedCandidates(List<TraceEntry> attempts) {
    var failures = new HashSet<List<@Nullable String>>();
    for (TraceEntry entry : attempts) {
      if (entry instanceof TraceEntry.Attempted attempted && attempted.failure() != null) {
        failures.add(Arrays.asList(attempted.endpoint(), attempted.byokKey()));
      } else if (entry instanceof TraceEntry.Skipped skipped) {
        failures.add(Arrays.asList(skipped.endpoint(), skipped.byokKey()));
      }
    }
    return failures;
  }

  /** Returns the first candidate that is not known to have failed this request; null if all did. */
  private static @Nullable Source expectedSource(
      RoutePlan plan, Set<List<@Nullable String>> failures) {
    if (plan instanceof RoutePlan.Attempts attempts) {
      for (PlannedAttempt candidate : attempts.candidates()) {
        if (!failures.contains(Arrays.asList(candidate.endpoint().id(), candidate.byokKey()))) {
          return new Source(candidate.endpoint(), candidate.byokKey());
        }
      }
    }
    return null;
  }

  /** Plans a request sorted by a key, instead of by its own sort, with all fallbacks. */
  private RoutePlan planSortedBy(PlanInputs inputs, ProviderSort.Key key) {
    RoutingQuery query = inputs.query();
    ProviderPreferences sortedPreferences =
        query.preferences().toBuilder()
            .order(List.of())
            .allowFallbacks(true)
            .sort(new ProviderSort(key, query.preferences().sort().partition()))
            .build();
    RoutingQuery sortedQuery =
        query.toBuilder().preferences(sortedPreferences).stickyEndpoints(List.of()).build();
    return plan(new PlanInputs(inputs.catalog(), inputs.statistics(), sortedQuery));
  }

  /**
   * Returns the same candidates sorted by model, then with BYOK keys first, then by the place of
   * their provider in the catalog.
   */
  private static RoutePlan sortByListing(RoutePlan plan) {
    if (!(plan instanceof RoutePlan.Attempts attempts)) {
      return plan;
    }
    var inOrder = new ArrayList<>(attempts.candidates());
    inOrder.sort(
        Comparator.comparingInt(PlannedAttempt::modelIndex)
            .thenComparing(candidate -> candidate.byokKey() == null)
            .thenComparingInt(candidate -> candidate.endpoint().providerOrdinal())
            .thenComparingInt(candidate -> candidate.endpoint().ordinal()));
    return new RoutePlan.Attempts(inOrder, attempts::trace);
  }

  private WhatIfReport report() {
    List<WhatIfReport.FirstChoiceChange> sortedMoves =
        moves.entrySet().stream()
            .map(
                it ->
                    new WhatIfReport.FirstChoiceChange(
                        it.getKey().from(), it.getKey().to(), it.getValue()))
            .sorted(
                Comparator.comparingLong(WhatIfReport.FirstChoiceChange::count)
                    .reversed()
                    .thenComparing(WhatIfReport.FirstChoiceChange::from)
                    .thenComparing(WhatIfReport.FirstChoiceChange::to))
            .toList();
    var rows = new ArrayList<Row>();
    for (int i = 0; i < ROW_NAMES.size(); i++) {
      OptionalDouble mean =
          timed == 0 ? OptionalDouble.empty() : OptionalDouble.of(latencyMillis[i] / timed);
      rows.add(new Row(ROW_NAMES.get(i), money[i], mean));
    }
    return new WhatIfReport(
        new WhatIfReport.Counts(decisions, firstChanged, laterChanged, notComparable, damaged),
        sortedMoves,
        otherFirstChoiceChanges,
        changes,
        new WhatIfReport.Figures(priced, timed, rows));
  }
}
