package io.strowger.benchmarks.ladder;

import io.strowger.core.Gateway;
import io.strowger.core.attempt.AttemptLoop;
import io.strowger.core.attempt.Deadlines;
import io.strowger.core.attempt.Opener;
import io.strowger.core.attempt.UpstreamResolver;
import io.strowger.core.attempt.Watchdog;
import io.strowger.core.authentication.Caller;
import io.strowger.core.health.CatalogHealth;
import io.strowger.core.health.Health;
import io.strowger.core.health.HealthPolicy;
import io.strowger.core.health.Statistics;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.ledger.Payer;
import io.strowger.core.ledger.Reservation;
import io.strowger.core.meter.PromptSize;
import io.strowger.core.money.Funds;
import io.strowger.core.money.RequestBudget;
import io.strowger.core.overload.EndpointLimiter;
import io.strowger.core.overload.OverloadLimits;
import io.strowger.core.plan.HoldSize;
import io.strowger.core.plan.Planner;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.LedgerEntry;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Two layers of the ladder: the attempt loop alone, and the attempt loop with a decision and a
 * hold. A turn is built here from the same parts as in the engine, so that the layer above this one
 * shows what the engine itself adds.
 */
final class AttemptLayers implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofMinutes(1);
  private static final int BYTES_PER_TOKEN = 4;

  private final Ambient ambient;
  private final Caller caller;
  private final Catalog catalog;
  private final Planner planner;
  private final Ledger ledger;
  private final Watchdog watchdog;
  private final Health health;
  private final CatalogHealth catalogHealth;
  private final AttemptLoop loop;
  private final AtomicLong nextId;

  AttemptLayers(
      Gateway gateway, Caller caller, ChatProvider adapter, JsonCodec codec, Ambient ambient) {
    this.ambient = ambient;
    this.caller = caller;
    this.catalog = gateway.config().catalog();
    this.planner = new Planner(catalog);
    this.ledger = gateway.ledger();
    this.watchdog = new Watchdog(ambient);
    this.health = new Health(ambient, HealthPolicy.STANDARD);
    this.catalogHealth = health.healthOf(catalog);
    this.nextId = new AtomicLong(ambient.seed() >>> 1);
    var upstream = new UpstreamResolver.Upstream(adapter, new Credential("upstream-key"));
    this.loop =
        new AttemptLoop(
            ambient,
            catalog,
            (provider, byokKey) -> upstream,
            new Deadlines(DEADLINE, DEADLINE, DEADLINE),
            catalogHealth,
            codec,
            new EndpointLimiter(() -> OverloadLimits.NONE, ambient));
  }

  /**
   * Returns a layer that makes one attempt at the only endpoint, with a ledger that charges
   * nothing.
   */
  Layers.Layer attemptOnly(InferenceRequest request) {
    String model = request.models().getFirst().toString();
    List<PlannedAttempt> candidates =
        Objects.requireNonNull(catalog.model(model), model).endpoints().stream()
            .map(PlannedAttempt::of)
            .toList();
    var freeLedger = new FreeLedger();
    return () -> attempt(request, candidates, funds(freeLedger, ambient.now(), Charge.ZERO));
  }

  /** Returns a layer that decides, holds money, attempts and settles. */
  Layers.Layer turn(InferenceRequest request) {
    return () -> {
      Instant now = ambient.now();
      Statistics statistics = catalogHealth.published();
      RoutingQuery query = query(request, now, statistics);
      if (!(planner.plan(query, statistics) instanceof RoutePlan.Attempts plan)) {
        throw new IOException("no endpoint can serve the request");
      }
      Charge maxCharge = Charge.ZERO;
      for (PlannedAttempt candidate : plan.candidates()) {
        maxCharge = maxCharge.max(HoldSize.of(candidate, query));
      }
      Funds funds = funds(ledger, now, maxCharge);
      attempt(request, plan.candidates(), funds);
      funds.settle(List.of(ledgerEntry(now, plan.candidates().getFirst(), maxCharge)));
    };
  }

  private RoutingQuery query(InferenceRequest request, Instant now, Statistics statistics) {
    PromptSize size = PromptSize.of(request);
    return RoutingQuery.builder(catalog.version())
        .statisticsSequence(statistics.sequence())
        .models(request.models())
        .preferences(request.preferences())
        .parameters(request.parameterMask())
        .inputModalities(size.modalities())
        .promptTokens(size.bytes() / BYTES_PER_TOKEN)
        .maxPromptTokens(size.maxTokens())
        .outputLimit(request.maxOutputTokens())
        .at(now)
        .seed(ambient.seed())
        .build();
  }

  private Funds funds(Ledger fundingLedger, Instant now, Charge maxCharge) throws IOException {
    RequestBudget budget =
        RequestBudget.open(
            fundingLedger, caller, now, ambient.nanoTime() + DEADLINE.toNanos(), null);
    if (budget.hold(maxCharge) instanceof RequestBudget.HoldResult.Funded(Funds funds)) {
      return funds;
    }
    throw new IOException("the money for the request could not be held");
  }

  private LedgerEntry ledgerEntry(Instant now, PlannedAttempt attempt, Charge cost) {
    return new LedgerEntry(
        "gen-%d-%020d".formatted(now.getEpochSecond(), nextId.getAndIncrement()),
        0,
        now,
        attempt.endpoint().id(),
        "",
        CallRecord.Outcome.COMPLETE,
        Usage.NONE,
        cost);
  }

  private void attempt(InferenceRequest request, List<PlannedAttempt> candidates, Funds funds)
      throws IOException {
    var cancellation = new Cancellation();
    var watch =
        new Watchdog.Watch(
            watchdog, cancellation, ambient.nanoTime() + DEADLINE.toNanos(), this, () -> {});
    watchdog.add(watch);
    try {
      var attemptParameters =
          new AttemptLoop.AttemptParameters(
              request, null, false, Opener.DIRECT, funds, cancellation, false, null);
      switch (loop.run(
          candidates, attemptParameters, candidate -> new AttemptLoop.OutputBounds(0, 0), watch)) {
        case AttemptLoop.Outcome.Delivery delivery -> Layers.drain(delivery.stream());
        case AttemptLoop.Outcome.Exhausted exhausted ->
            throw new IOException(exhausted.error().message());
      }
    } finally {
      watch.end();
    }
  }

  @Override
  public void close() {
    watchdog.close();
    health.close();
  }

  /**
   * A ledger that grants everything and records nothing, so that holds and settlements take no
   * time.
   */
  private static final class FreeLedger implements Ledger {
    private static final Outcome GRANTED = new Outcome.Granted(new FreeReservation());

    @Override
    public Outcome hold(Claim claim) {
      return GRANTED;
    }

    @Override
    public AvailableAmounts available(List<Payer> payers, Instant at) {
      return AvailableAmounts.UNLIMITED;
    }

    @Override
    public List<Balance> balances(List<Spender> spenders, Instant at) {
      return spenders.stream().map(spender -> Balance.ZERO).toList();
    }

    private record FreeReservation() implements Reservation {
      @Override
      public Charge maxCharge() {
        return Charge.ZERO;
      }

      @Override
      public void settle(List<LedgerEntry> entries, GenerationStore.@Nullable Generation record) {
        // nothing is recorded
      }

      @Override
      public void release() {
        // nothing was held
      }
    }
  }
}
