package io.strowger.core.pipeline;

import io.strowger.core.health.Statistics;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.meter.PromptSize;
import io.strowger.core.money.Funds;
import io.strowger.core.money.RequestBudget;
import io.strowger.core.plan.HoldSize;
import io.strowger.core.plan.Planner;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.core.routing.RoutePlan;
import io.strowger.core.routing.RoutingQuery;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.store.Charge;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The decision of one turn: which endpoints it may use, and the money that is held for them.
 *
 * <p>The first plan assumes that nothing has been spent of the budgets. When its hold is granted,
 * each candidate of the plan can be paid, and the books of the payers need not be read. Otherwise
 * the turn is planned again within the amounts that the budgets actually leave.
 *
 * <p>One thread decides. Any thread may read, at any time, what has been decided so far.
 */
final class TurnDecision {
  private static final int LAST_ROUND = 3; // the round in which a refusal is final

  private final CallExchange exchange;
  private final InferenceRequest request;
  private final PromptSize size;
  private final boolean isReservation;
  private volatile Statistics statistics = Statistics.NONE;
  private volatile @Nullable RoutingQuery query;
  private volatile @Nullable RoutePlan plan;
  private volatile @Nullable Funds funds;

  /**
   * @param isReservation whether only money is held, for a later turn
   */
  TurnDecision(
      CallExchange exchange, InferenceRequest request, PromptSize size, boolean isReservation) {
    this.exchange = exchange;
    this.request = request;
    this.size = size;
    this.isReservation = isReservation;
  }

  /** Returns the statistics that were used. */
  Statistics statistics() {
    return statistics;
  }

  /** Returns what was asked of the planner last; null before that. */
  @Nullable RoutingQuery query() {
    return query;
  }

  /** Returns {@link #query}, of a turn that was decided. */
  RoutingQuery requireQuery() {
    return Objects.requireNonNull(query, "nothing was decided");
  }

  /** Returns the last plan; null before there is one. */
  @Nullable RoutePlan plan() {
    return plan;
  }

  /** Returns the held money; null when none was held. */
  @Nullable Funds funds() {
    return funds;
  }

  /** Returns the candidates in the order they are tried; empty when there is no route. */
  List<PlannedAttempt> candidates() {
    return plan instanceof RoutePlan.Attempts attempts ? attempts.candidates() : List.of();
  }

  /** Returns the candidates' endpoint with this id; null when there is none. */
  @Nullable Endpoint endpoint(String id) {
    for (PlannedAttempt candidate : candidates()) {
      if (candidate.endpoint().id().equals(id)) {
        return candidate.endpoint();
      }
    }
    return null;
  }

  /** Returns whether at least one of the candidates needs the prompt compressed. */
  boolean needsCompression() {
    List<PlannedAttempt> candidates = candidates();
    return !candidates.isEmpty() && Planner.needsCompression(candidates, requireQuery());
  }

  /**
   * Returns the smallest amount that pays for this turn, whatever the budgets leave. Replaces the
   * plan; holds nothing.
   *
   * @throws io.strowger.spi.error.GatewayException when no endpoint can serve it at any price
   */
  Usd smallestHold() {
    RoutingQuery.Builder queryBuilder = queryBuilder();
    plan(queryBuilder, Usd.ZERO, Usd.ZERO); // with empty budgets, the missing amount is the price
    if (plan instanceof RoutePlan.NoRoute noRoute && noRoute.neededAmount() instanceof Usd needed) {
      return needed;
    }
    plan(queryBuilder, null, null);
    return switch (Objects.requireNonNull(plan)) {
      case RoutePlan.NoRoute noRoute -> throw noRoute.error().toException();
      case RoutePlan.Attempts attempts -> cheapest(attempts.candidates()).credits();
    };
  }

  /**
   * Plans and holds money in up to four rounds, until the money is held or the turn is refused.
   *
   * @param reservation a reservation whose money this turn takes over if it is enough; otherwise it
   *     is released. Null when nothing was reserved
   * @return the refusal; null when the money is held
   * @throws io.strowger.core.plan.PluginFailureException when a router breaks its contract
   */
  @Nullable GatewayError decide(@Nullable RoutedTurn reservation) {
    RoutingQuery.Builder queryBuilder = queryBuilder();
    Ledger.AvailableAmounts available = exchange.budget().limits();
    boolean hasLimits = available != Ledger.AvailableAmounts.UNLIMITED;
    // round 0 does not read the books
    for (int round = hasLimits ? 0 : 1; ; round++) {
      plan(queryBuilder, remaining(available.credits()), remaining(available.withByok()));
      switch (Objects.requireNonNull(plan)) {
        case RoutePlan.NoRoute noRoute -> {
          GatewayError refusal = round == 0 ? null : refusal(noRoute);
          if (refusal != null || round == LAST_ROUND) {
            return refusal == null ? noRoute.error() : refusal;
          }
        }
        case RoutePlan.Attempts attempts -> {
          Charge maxCharge = requiredHold(attempts.candidates());
          if (tryTakeOver(reservation, maxCharge)) {
            return null;
          }
          GatewayError refusal = hold(maxCharge, round == LAST_ROUND);
          if (refusal != null || funds != null) {
            return refusal;
          }
        }
      }
      if (tryTakeOver(reservation, queryBuilder)) {
        return null;
      }
      if (reservation != null) {
        reservation.close(); // not enough: releases its money
      }
      available = exchange.budget().remainingBudget();
    }
  }

  private RoutingQuery.Builder queryBuilder() {
    Snapshot snapshot = exchange.snapshot();
    List<ModelRef> models =
        request == exchange.filteredRequest()
            ? exchange.models()
            : RoutingQueryFactory.models(request, snapshot.accountPolicy(), exchange.caller());
    return RoutingQueryFactory.of(request, models, size, snapshot, exchange.caller())
        .stickyEndpoints(exchange.preferredEndpoints(models))
        .batch(exchange.isOfBatch())
        .at(exchange.arrivedAt())
        .seed(exchange.seed());
  }

  /** Plans within these amounts, null for no limit. */
  private void plan(
      RoutingQuery.Builder queryBuilder, @Nullable Usd credits, @Nullable Usd withByok) {
    Snapshot snapshot = exchange.snapshot();
    Statistics published = snapshot.health().published();
    RoutingQuery newQuery =
        queryBuilder
            .statisticsSequence(published.sequence())
            .budget(credits)
            .budgetWithByok(withByok)
            .build();
    statistics = published;
    query = newQuery;
    plan = snapshot.planner().plan(newQuery, published);
  }

  private static @Nullable Usd remaining(Ledger.@Nullable TightestBudget budget) {
    return budget == null ? null : budget.remaining();
  }

  /**
   * Returns the error of a refused plan; when money is missing, the error names the payer.
   *
   * @return null when there is enough money by now and the turn must be planned again
   */
  private @Nullable GatewayError refusal(RoutePlan.NoRoute noRoute) {
    GatewayError planError = noRoute.error();
    return planError.code() == ErrorCode.PAYMENT_REQUIRED
        ? exchange.budget().shortfall(planError, noRoute.neededAmount())
        : planError;
  }

  /**
   * Holds money for the plan. When that fails and there is no error to return, the turn must be
   * planned again, because there is less money than the plan assumed.
   *
   * @param isLast whether this is the last round
   * @return the refusal; null when the money is held, or when the turn must be planned again
   */
  private @Nullable GatewayError hold(Charge maxCharge, boolean isLast) {
    return switch (exchange.budget().hold(maxCharge)) {
      case RequestBudget.HoldResult.Funded(Funds grantedFunds) -> {
        funds = grantedFunds;
        yield null;
      }
      case RequestBudget.HoldResult.Short(GatewayError refusal) -> isLast ? refusal : null;
      // a store does not answer: plan again only if this charge is known to exceed the budgets,
      // because a cheaper plan may be held without the store
      case RequestBudget.HoldResult.Unavailable(GatewayError refusal) ->
          isLast || !isUnaffordable(maxCharge) ? refusal : null;
    };
  }

  /** Returns whether the budgets are known to leave less than this charge. */
  private boolean isUnaffordable(Charge charge) {
    Ledger.AvailableAmounts available = exchange.budget().remainingBudget();
    Ledger.TightestBudget credits = available.credits();
    Ledger.TightestBudget withByok = available.withByok();
    return credits != null && charge.credits().isMoreThan(credits.remaining())
        || withByok != null
            && charge.credits().plus(charge.byokCost()).isMoreThan(withByok.remaining());
  }

  /**
   * Plans within the reserved money alone, and takes the money over if it is enough for that plan.
   */
  private boolean tryTakeOver(@Nullable RoutedTurn reservation, RoutingQuery.Builder queryBuilder) {
    if (reservation == null
        || reservation.isOver()
        || !(reservation.funds() instanceof Funds reservedFunds)) {
      return false;
    }
    Charge heldCharge = reservedFunds.maxCharge();
    plan(queryBuilder, heldCharge.credits(), totalOf(heldCharge));
    return plan instanceof RoutePlan.Attempts attempts
        && tryTakeOver(reservation, requiredHold(attempts.candidates()));
  }

  /**
   * Takes over the reserved hold without a change in the ledger, so that no other request can get
   * the money in between.
   */
  private boolean tryTakeOver(@Nullable RoutedTurn reservation, Charge maxCharge) {
    if (reservation == null || !(reservation.funds() instanceof Funds reservedFunds)) {
      return false;
    }
    Charge heldCharge = reservedFunds.maxCharge();
    if (maxCharge.credits().isMoreThan(heldCharge.credits())
        || maxCharge.byokCost().isMoreThan(heldCharge.byokCost())
        || !reservation.endWithoutRelease()) {
      return false;
    }
    funds = reservedFunds;
    return true;
  }

  /**
   * Returns the amount to hold: the cost of the dearest candidate, or, for a reservation, that of
   * the cheapest one.
   */
  private Charge requiredHold(List<PlannedAttempt> candidates) {
    return isReservation ? cheapest(candidates) : dearest(candidates);
  }

  private Charge cheapest(List<PlannedAttempt> candidates) {
    RoutingQuery decidedQuery = requireQuery();
    Charge cheapest = HoldSize.of(candidates.getFirst(), decidedQuery);
    for (PlannedAttempt candidate : candidates) {
      Charge charge = HoldSize.of(candidate, decidedQuery);
      cheapest = totalOf(cheapest).isMoreThan(totalOf(charge)) ? charge : cheapest;
    }
    return cheapest;
  }

  private Charge dearest(List<PlannedAttempt> candidates) {
    RoutingQuery decidedQuery = requireQuery();
    Charge dearest = Charge.ZERO;
    for (PlannedAttempt candidate : candidates) {
      dearest = dearest.max(HoldSize.of(candidate, decidedQuery));
    }
    return dearest;
  }

  private static Usd totalOf(Charge charge) {
    return charge.credits().plus(charge.byokCost());
  }
}
