package io.strowger.core.money;

import io.strowger.core.authentication.Caller;
import io.strowger.core.ledger.Budget;
import io.strowger.core.ledger.Ledger;
import io.strowger.core.ledger.Payer;
import io.strowger.core.ledger.Reservation;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.store.Charge;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The money that one request may spend, and its payers. Every turn and every paid action of a
 * plugin takes a hold here first, on all payers or on none.
 */
public final class RequestBudget {
  /** Retry-After: a store that is overloaded or fails over is usually back by then. */
  private static final long RETRY_SECONDS = 2;

  private final Ledger ledger;
  private final List<Payer> payers;
  private final Instant at;
  private final long deadline;
  private final Shortfall shortfall;

  private RequestBudget(
      Ledger ledger, List<Payer> payers, Instant at, long deadline, Shortfall shortfall) {
    this.ledger = ledger;
    this.payers = payers;
    this.at = at;
    this.deadline = deadline;
    this.shortfall = shortfall;
  }

  /**
   * Opens a budget at a moment. The spending counts in the periods of that moment, even if the
   * request ends in later ones.
   *
   * @param deadline the latest end of the request, a reading of {@link Ambient#nanoTime}
   * @param creditsUrl where to buy more credits; null when there is no such page
   */
  public static RequestBudget open(
      Ledger ledger, Caller caller, Instant at, long deadline, @Nullable String creditsUrl) {
    return new RequestBudget(ledger, caller.payers(), at, deadline, new Shortfall(creditsUrl));
  }

  /** The result of asking for money. */
  public sealed interface HoldResult {
    record Funded(Funds funds) implements HoldResult {}

    /** The budgets do not have enough. */
    @SuppressWarnings("AvoidCommonTypeNames") // always qualified
    record Short(GatewayError error) implements HoldResult {}

    /** It is unknown whether there is enough: a store is unavailable. */
    record Unavailable(GatewayError error) implements HoldResult {}
  }

  /**
   * Returns the most that the budgets can leave: their limits, known without waiting. Only a
   * {@linkplain #hold hold} shows whether that much is left.
   */
  public Ledger.AvailableAmounts limits() {
    Ledger.TightestBudget credits = null;
    Ledger.TightestBudget withByok = null;
    for (Payer payer : payers) {
      for (Budget budget : payer.budgets()) {
        if (budget.withByok()) {
          withByok = tighter(withByok, payer, budget);
        } else {
          credits = tighter(credits, payer, budget);
        }
      }
    }
    return credits == null && withByok == null
        ? Ledger.AvailableAmounts.UNLIMITED
        : new Ledger.AvailableAmounts(credits, withByok);
  }

  private static Ledger.TightestBudget tighter(
      Ledger.@Nullable TightestBudget current, Payer payer, Budget budget) {
    return current != null && !current.remaining().isMoreThan(budget.limit())
        ? current
        : new Ledger.TightestBudget(budget.limit(), payer, budget);
  }

  /**
   * Returns the amounts that the budgets leave, as far as known. This reads the books of all payers
   * and is slower than {@link #limits}, so it is for requests that were refused money.
   */
  public Ledger.AvailableAmounts remainingBudget() {
    return ledger.available(payers, at);
  }

  /**
   * Returns why a decision found nothing that fits the budgets: a payer does not have enough, or
   * this is unknown because a store is unavailable.
   *
   * @param callerError the error for the caller when its own money is short
   * @param neededAmount the smallest amount that would be enough; null when that is not known
   * @return the error; null when the budgets leave more by now
   */
  public @Nullable GatewayError shortfall(GatewayError callerError, @Nullable Usd neededAmount) {
    Ledger.AvailableAmounts available = remainingBudget();
    Ledger.TightestBudget credits = available.credits();
    Ledger.TightestBudget withByok = available.withByok();
    Ledger.TightestBudget tightest =
        credits == null || withByok != null && credits.remaining().isMoreThan(withByok.remaining())
            ? withByok
            : credits;
    if (tightest == null) {
      return callerError;
    }
    return switch (ledger.hold(
        new Ledger.Claim(payers, smallestRefusedCharge(tightest, neededAmount), at, deadline))) {
      case Ledger.Outcome.Granted(Reservation reservation) -> {
        reservation.release();
        yield null;
      }
      case Ledger.Outcome.Refused refusal ->
          shortfall.of(refusal, heldAmount(refusal), neededAmount, callerError);
      case Ledger.Outcome.Unavailable down -> unavailable();
    };
  }

  /** Returns the smallest charge that must be refused if the known amount is still right. */
  private static Charge smallestRefusedCharge(
      Ledger.TightestBudget tightest, @Nullable Usd neededAmount) {
    long left = Math.clamp(tightest.remaining().nanos(), 0, Long.MAX_VALUE - 2);
    return Charge.credits(
        new Usd(neededAmount == null ? left + 1 : Math.max(left + 1, neededAmount.nanos())));
  }

  /** Sets money aside on all payers, or on none. */
  public HoldResult hold(Charge maxCharge) {
    return switch (ledger.hold(new Ledger.Claim(payers, maxCharge, at, deadline))) {
      case Ledger.Outcome.Granted granted ->
          new HoldResult.Funded(new Funds(granted.reservation()));
      case Ledger.Outcome.Refused refusal ->
          new HoldResult.Short(
              shortfall.of(refusal, heldAmount(refusal), countedAmount(refusal, maxCharge)));
      case Ledger.Outcome.Unavailable down -> new HoldResult.Unavailable(unavailable());
    };
  }

  private Usd heldAmount(Ledger.Outcome.Refused refusal) {
    return ledger.held(refusal.payer(), refusal.budget(), at);
  }

  /** Returns the part of a charge that counts against the budget that is short. */
  private static Usd countedAmount(Ledger.Outcome.Refused refusal, Charge maxCharge) {
    return refusal.budget().withByok()
        ? maxCharge.credits().plus(maxCharge.byokCost())
        : maxCharge.credits();
  }

  private static GatewayError unavailable() {
    return GatewayError.of(ErrorCode.UNAVAILABLE).withRetryAfter(RETRY_SECONDS);
  }
}
