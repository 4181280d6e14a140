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
 * The money that one request may spend, and its payers. Every paid act takes a hold here first, on
 * all payers or on none.
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
  public sealed interface Answer {
    record Funded(Funds funds) implements Answer {}

    /** The budgets do not have enough. */
    @SuppressWarnings("AvoidCommonTypeNames") // always qualified
    record Short(GatewayError error) implements Answer {}

    /** It is unknown whether there is enough: a store is unavailable. */
    record Down(GatewayError error) implements Answer {}
  }

  /**
   * Returns the most that the budgets can leave: their limits, known without waiting. Only a
   * {@linkplain #hold hold} shows whether that much is left.
   */
  public Ledger.Room limits() {
    Ledger.Least credits = null;
    Ledger.Least withByok = null;
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
        ? Ledger.Room.UNLIMITED
        : new Ledger.Room(credits, withByok);
  }

  private static Ledger.Least tighter(Ledger.@Nullable Least known, Payer payer, Budget budget) {
    return known != null && !known.left().isMoreThan(budget.limit())
        ? known
        : new Ledger.Least(budget.limit(), payer, budget);
  }

  /**
   * Returns the amounts that the budgets leave, as far as known. Looks at the books of all payers,
   * so it is for requests that were refused money.
   */
  public Ledger.Room remainingBudget() {
    return ledger.room(payers, at);
  }

  /**
   * Returns why a decision found nothing that fits the budgets: a payer does not have enough, or
   * this is unknown because a store is unavailable.
   *
   * @param told the error for the caller when its own money is short
   * @param needed the smallest amount that would be enough; null when that is not known
   * @return the error; null when the budgets leave more by now
   */
  public @Nullable GatewayError shortfall(GatewayError told, @Nullable Usd needed) {
    Ledger.Room room = remainingBudget();
    Ledger.Least credits = room.credits();
    Ledger.Least both = room.withByok();
    Ledger.Least tight =
        credits == null || both != null && credits.left().isMoreThan(both.left()) ? both : credits;
    if (tight == null) {
      return told;
    }
    return switch (ledger.hold(new Ledger.Claim(payers, beyond(tight, needed), at, deadline))) {
      case Ledger.Outcome.Granted(Reservation more) -> {
        more.release();
        yield null;
      }
      case Ledger.Outcome.Refused refused -> shortfall.of(refused, held(refused), needed, told);
      case Ledger.Outcome.Unavailable down -> unavailable();
    };
  }

  /** Returns the smallest charge that must be refused if the known amount is still right. */
  private static Charge beyond(Ledger.Least tight, @Nullable Usd needed) {
    long left = Math.clamp(tight.left().nanos(), 0, Long.MAX_VALUE - 2);
    return Charge.credits(new Usd(needed == null ? left + 1 : Math.max(left + 1, needed.nanos())));
  }

  public Answer hold(Charge atMost) {
    return switch (ledger.hold(new Ledger.Claim(payers, atMost, at, deadline))) {
      case Ledger.Outcome.Granted granted -> new Answer.Funded(new Funds(granted.reservation()));
      case Ledger.Outcome.Refused refused ->
          new Answer.Short(shortfall.of(refused, held(refused), counted(refused, atMost)));
      case Ledger.Outcome.Unavailable down -> new Answer.Down(unavailable());
    };
  }

  private Usd held(Ledger.Outcome.Refused refused) {
    return ledger.held(refused.which(), refused.budget(), at);
  }

  /** Returns the part of a charge that counts against the budget that is short. */
  private static Usd counted(Ledger.Outcome.Refused refused, Charge atMost) {
    return refused.budget().withByok()
        ? atMost.credits().plus(atMost.byokCost())
        : atMost.credits();
  }

  private static GatewayError unavailable() {
    return GatewayError.of(ErrorCode.UNAVAILABLE).withRetryAfter(RETRY_SECONDS);
  }
}
