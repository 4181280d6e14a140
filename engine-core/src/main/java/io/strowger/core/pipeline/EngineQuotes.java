package io.strowger.core.pipeline;

import io.strowger.core.authentication.Caller;
import io.strowger.core.health.Statistics;
import io.strowger.core.inference.PriceQuotes;
import io.strowger.core.meter.PromptSize;
import io.strowger.core.money.Funds;
import io.strowger.core.money.RequestBudget;
import io.strowger.core.plan.HoldSize;
import io.strowger.core.plan.PluginFailureException;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.store.Charge;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Quotes prices by planning a request as if to answer it, without budgets. Safe on any thread. */
public final class EngineQuotes implements PriceQuotes {
  private static final Logger log = LoggerFactory.getLogger(EngineQuotes.class);
  private static final Duration HOLD_TIMEOUT = Duration.ofSeconds(30);

  private final Engine engine;

  public EngineQuotes(Engine engine) {
    this.engine = engine;
  }

  @Override
  public Quote of(Caller caller, InferenceRequest request) {
    Snapshot snapshot = engine.requireSnapshot();
    List<ModelRef> models = RoutingQueryFactory.models(request, snapshot.accountPolicy(), caller);
    if (models.isEmpty()) {
      throw RoutingQueryFactory.NO_MODEL.toException();
    }
    Statistics statistics = snapshot.health().published();
    try {
      RoutingQuery query =
          RoutingQueryFactory.of(request, models, PromptSize.of(request), snapshot, caller)
              .batch(true)
              .statisticsSequence(statistics.sequence())
              .at(engine.ambient().now())
              .seed(engine.ambient().seed())
              .build();
      return switch (snapshot.planner().plan(query, statistics)) {
        case RoutePlan.NoRoute noRoute -> throw noRoute.error().toException();
        case RoutePlan.Attempts attempts -> quote(attempts.candidates(), query);
      };
    } catch (PluginFailureException e) {
      log.error("computing the price quote of a batch request failed", e);
      throw GatewayError.of(ErrorCode.INTERNAL).toException();
    }
  }

  private static Quote quote(List<PlannedAttempt> candidates, RoutingQuery query) {
    Charge maxCharge = Charge.ZERO;
    Charge minBudget = HoldSize.minCharge(candidates.getFirst(), query);
    for (PlannedAttempt candidate : candidates) {
      maxCharge = maxCharge.max(HoldSize.of(candidate, query));
      minBudget = minBudget.min(HoldSize.minCharge(candidate, query));
    }
    return new Quote(maxCharge, minBudget, candidates.getFirst().endpoint().provider().slug());
  }

  @Override
  public @Nullable GatewayError shortfall(Caller caller, Charge total) {
    RequestBudget budget = budget(caller);
    return switch (budget.hold(total)) {
      case RequestBudget.HoldResult.Funded(Funds funds) -> {
        funds.release();
        yield null;
      }
      case RequestBudget.HoldResult.Short(GatewayError error) -> error;
      case RequestBudget.HoldResult.Unavailable(GatewayError error) -> error;
    };
  }

  @Override
  public boolean isExhausted(Caller caller) {
    var available = budget(caller).remainingBudget();
    var credits = available.credits();
    var withByok = available.withByok();
    return credits != null && credits.remaining().nanos() <= 0
        || withByok != null && withByok.remaining().nanos() <= 0;
  }

  private RequestBudget budget(Caller caller) {
    Instant now = engine.ambient().now();
    long deadline = engine.ambient().nanoTime() + HOLD_TIMEOUT.toNanos();
    return RequestBudget.open(
        engine.ledger(),
        caller,
        now,
        deadline,
        engine.requireSnapshot().accountPolicy().creditsUrl());
  }
}
