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

  private static final List<String> NAMES =
      List.of(Row.LOGGED, Row.WHAT_IF, Row.CHEAPEST, Row.FASTEST, Row.FIRST_LISTED);
  private static final int CHANGED = NAMES.indexOf(Row.WHAT_IF);
  private static final double MICROS_PER_MILLI = 1e3;

  private final ReplayRouters routers;
  private final ReplayPlanners planners;
  private final @Nullable Catalog other;
  private final PreferenceChange preferences;
  private final int shown;

  private final Map<Pair, Count> moves = new HashMap<>();
  private final List<WhatIfReport.Change> changes = new ArrayList<>();
  private final Usd[] money = new Usd[NAMES.size()];
  private final double[] latency = new double[NAMES.size()]; // sums, in milliseconds
  private long decisions;
  private long firstChanged;
  private long laterChanged;
  private long notComparable;
  private long damaged;
  private long otherMoves;
  private long priced;
  private long timed;

  // the last result of translating statistics to the other catalog
  private Statistics translatedFrom = Statistics.NONE;
  private Statistics translated = Statistics.NONE;

  private record Pair(String from, String to) {}

  private static final class Count {
    private long value;
  }

  /** Where an answer came from, or would come from. */
  private record Source(Endpoint endpoint, @Nullable String byokKey) {}

  /** The inputs of a decision: as logged, or with the change. */
  private record Question(Catalog catalog, Statistics statistics, RoutingQuery query) {}

  /**
   * @param other the catalog to decide over; null for the catalogs of the log
   * @param shown the most changes to list
   */
  WhatIfRun(
      ReplayRouters routers, @Nullable Catalog other, PreferenceChange preferences, int shown) {
    this.routers = routers;
    this.planners = new ReplayPlanners(routers);
    this.other = other;
    this.preferences = preferences;
    this.shown = shown;
    Arrays.fill(money, Usd.ZERO);
  }

  WhatIfReport over(InputStream log, WhatIf.Progress progress) throws IOException {
    var reader = new DecisionLogReader(log);
    LogItem item;
    while ((item = reader.next()) != null) {
      switch (item) {
        case LogItem.OfCatalog read -> {}
        case LogItem.OfStatistics read -> {}
        case LogItem.Damage read -> damaged++;
        case LogItem.OfDecision decision -> {
          decisions++;
          decide(decision);
          progress.read(decisions, reader.offset());
        }
      }
    }
    return report();
  }

  private void decide(LogItem.OfDecision decision) {
    LogItem.DecisionInputs made = decision.made();
    var asMade = new Question(made.catalog(), made.statistics(), made.query());
    if (routers.firstMissing(made.query()) != null
        || !decision.plan().sameAs(LoggedPlan.of(plan(asMade)))) {
      notComparable++;
      return;
    }
    Question changed = changed(asMade);
    RoutePlan plan = plan(changed);
    compare(decision, LoggedPlan.of(plan));
    measure(decision, asMade, changed, plan);
  }

  private Question changed(Question asMade) {
    ProviderPreferences merged = preferences.over(asMade.query().preferences());
    Catalog instead = other;
    if (instead == null) {
      RoutingQuery query = asMade.query().toBuilder().preferences(merged).build();
      return new Question(asMade.catalog(), asMade.statistics(), query);
    }
    RoutingQuery query = asMade.query().toBuilder(instead.version()).preferences(merged).build();
    return new Question(instead, translated(asMade, instead), query);
  }

  /** Returns the statistics for another catalog, matched by the ids of endpoints. */
  private Statistics translated(Question asMade, Catalog instead) {
    Statistics from = asMade.statistics();
    if (from != translatedFrom) {
      var byId = new HashMap<String, EndpointStatistics>();
      asMade.catalog().endpoints().forEach(it -> byId.put(it.id(), from.of(it)));
      var all = new EndpointStatistics[instead.endpoints().size()];
      for (Endpoint endpoint : instead.endpoints()) {
        all[endpoint.ordinal()] =
            Objects.requireNonNullElse(byId.get(endpoint.id()), EndpointStatistics.NONE);
      }
      translated = Statistics.of(from.sequence(), all, from.keysNotBefore());
      translatedFrom = from;
    }
    return translated;
  }

  private RoutePlan plan(Question question) {
    try {
      return planners.over(question.catalog()).plan(question.query(), question.statistics());
    } catch (RuntimeException bug) { // of a router
      return new RoutePlan.NoRoute(
          GatewayError.of(ErrorCode.INTERNAL, "deciding failed: " + bug), List::of);
    }
  }

  private void compare(LogItem.OfDecision decision, LoggedPlan now) {
    LoggedPlan before = decision.plan();
    if (before.sameAs(now)) {
      return;
    }
    String from = first(before);
    String to = first(now);
    if (from.equals(to)) {
      laterChanged++;
    } else {
      firstChanged++;
      count(new Pair(from, to));
    }
    if (changes.size() < shown) {
      changes.add(new WhatIfReport.Change(decision.id(), before.toString(), now.toString()));
    }
  }

  private void count(Pair move) {
    Count count = moves.get(move);
    if (count == null && moves.size() == MAX_MOVES) {
      otherMoves++;
      return;
    }
    if (count == null) {
      count = new Count();
      moves.put(move, count);
    }
    count.value++;
  }

  private static String first(LoggedPlan plan) {
    return switch (plan) {
      case LoggedPlan.Attempts(var inOrder) -> {
        LoggedPlan.Step step = inOrder.getFirst();
        yield step.byokKey() == null
            ? step.endpoint()
            : step.endpoint() + " with key " + step.byokKey();
      }
      case LoggedPlan.NoRoute(var code, var message) -> "refused: " + code;
    };
  }

  /** Adds a decision to every row, or to none. */
  private void measure(
      LogItem.OfDecision decision, Question asMade, Question changed, RoutePlan plan) {
    var ending = decision.ending();
    Source logged = answered(ending.attempts(), asMade.catalog());
    if (logged == null || ending.outcome() != CallRecord.Outcome.COMPLETE) {
      return;
    }
    Set<List<@Nullable String>> failed = failed(ending.attempts());
    RoutePlan cheapest = sorted(asMade, ProviderSort.Key.PRICE);
    var sources = new ArrayList<@Nullable Source>();
    sources.add(logged);
    sources.add(answering(plan, failed));
    sources.add(answering(cheapest, failed));
    sources.add(answering(sorted(asMade, ProviderSort.Key.LATENCY), failed));
    sources.add(answering(listed(cheapest), failed));
    if (sources.contains(null)) {
      return;
    }
    if (ending.usage() instanceof Usage usage) {
      price(sources, usage, changed.query());
    }
    time(sources, asMade, changed);
  }

  private void price(List<@Nullable Source> sources, Usage usage, RoutingQuery query) {
    priced++;
    for (int i = 0; i < money.length; i++) {
      money[i] = money[i].plus(cost(Objects.requireNonNull(sources.get(i)), usage, query));
    }
  }

  private static Usd cost(Source source, Usage usage, RoutingQuery query) {
    Pricing pricing = source.endpoint().pricing().effective(usage.promptTokens(), query.at());
    Meter.Share share = query.batch() ? Meter.Share.HALF : Meter.Share.WHOLE;
    Bill bill =
        source.byokKey() == null
            ? Meter.bill(usage, pricing, share)
            : Meter.byok(usage, pricing, share);
    return bill.total().plus(bill.byokCost());
  }

  private void time(List<@Nullable Source> sources, Question asMade, Question changed) {
    long[] micros = new long[latency.length];
    for (int i = 0; i < micros.length; i++) {
      Endpoint endpoint = Objects.requireNonNull(sources.get(i)).endpoint();
      Statistics statistics = (i == CHANGED ? changed : asMade).statistics();
      micros[i] = EndpointSpeeds.latency(endpoint, statistics.of(endpoint), Percentile.P50);
      if (micros[i] == EndpointSpeeds.UNKNOWN) {
        return;
      }
    }
    timed++;
    for (int i = 0; i < micros.length; i++) {
      latency[i] += micros[i] / MICROS_PER_MILLI;
    }
  }

  /** Returns the endpoint that delivered; null when none did, or when it is not in the catalog. */
  private static @Nullable Source answered(List<TraceEntry> attempts, Catalog catalog) {
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

  private static Set<List<@Nullable String>> failed(List<TraceEntry> attempts) {
    var failed = new HashSet<List<@Nullable String>>();
    for (TraceEntry entry : attempts) {
      if (entry instanceof TraceEntry.Attempted attempted && attempted.failure() != null) {
        failed.add(Arrays.asList(attempted.endpoint(), attempted.byokKey()));
      } else if (entry instanceof TraceEntry.Skipped skipped) {
        failed.add(Arrays.asList(skipped.endpoint(), skipped.byokKey()));
      }
    }
    return failed;
  }

  /** Returns the first candidate that is not known to have failed this request; null if all did. */
  private static @Nullable Source answering(RoutePlan plan, Set<List<@Nullable String>> failed) {
    if (plan instanceof RoutePlan.Attempts attempts) {
      for (PlannedAttempt candidate : attempts.inOrder()) {
        if (!failed.contains(Arrays.asList(candidate.endpoint().id(), candidate.byokKey()))) {
          return new Source(candidate.endpoint(), candidate.byokKey());
        }
      }
    }
    return null;
  }

  /** Plans a request sorted by a key, instead of by its own sort, with all fallbacks. */
  private RoutePlan sorted(Question question, ProviderSort.Key by) {
    RoutingQuery query = question.query();
    ProviderPreferences preferred =
        query.preferences().toBuilder()
            .order(List.of())
            .allowFallbacks(true)
            .sort(new ProviderSort(by, query.preferences().sort().partition()))
            .build();
    RoutingQuery ruled = query.toBuilder().preferences(preferred).sticky(List.of()).build();
    return plan(new Question(question.catalog(), question.statistics(), ruled));
  }

  /**
   * Returns the same candidates sorted by model, then with BYOK keys first, then by the place of
   * their provider in the catalog.
   */
  private static RoutePlan listed(RoutePlan plan) {
    if (!(plan instanceof RoutePlan.Attempts attempts)) {
      return plan;
    }
    var inOrder = new ArrayList<>(attempts.inOrder());
    inOrder.sort(
        Comparator.comparingInt(PlannedAttempt::model)
            .thenComparing(candidate -> candidate.byokKey() == null)
            .thenComparingInt(candidate -> candidate.endpoint().providerOrdinal())
            .thenComparingInt(candidate -> candidate.endpoint().ordinal()));
    return new RoutePlan.Attempts(inOrder, attempts::trace);
  }

  private WhatIfReport report() {
    List<WhatIfReport.Move> sorted =
        moves.entrySet().stream()
            .map(
                it ->
                    new WhatIfReport.Move(
                        it.getKey().from(), it.getKey().to(), it.getValue().value))
            .sorted(
                Comparator.comparingLong(WhatIfReport.Move::count)
                    .reversed()
                    .thenComparing(WhatIfReport.Move::from)
                    .thenComparing(WhatIfReport.Move::to))
            .toList();
    var rows = new ArrayList<Row>();
    for (int i = 0; i < NAMES.size(); i++) {
      OptionalDouble mean =
          timed == 0 ? OptionalDouble.empty() : OptionalDouble.of(latency[i] / timed);
      rows.add(new Row(NAMES.get(i), money[i], mean));
    }
    return new WhatIfReport(
        new WhatIfReport.Counts(decisions, firstChanged, laterChanged, notComparable, damaged),
        sorted,
        otherMoves,
        changes,
        new WhatIfReport.Figures(priced, timed, rows));
  }
}
