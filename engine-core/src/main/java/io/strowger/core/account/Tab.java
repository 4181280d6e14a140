package io.strowger.core.account;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Ledger;
import io.strowger.spi.store.Payer;
import io.strowger.spi.store.Reservation;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one request may spend, and who pays: every paid act takes a hold here first, on all payers
 * or on none.
 */
public final class Tab {
  private final Ledger ledger;
  private final List<Payer> payers;
  private final Instant at;
  private final long deadline;

  private Tab(Ledger ledger, List<Payer> payers, Instant at, long deadline) {
    this.ledger = ledger;
    this.payers = payers;
    this.at = at;
    this.deadline = deadline;
  }

  /**
   * Opens a tab at a moment, which decides the periods the spending counts in, also when the
   * request ends in the next ones.
   *
   * @param deadline when the request is over at the latest, a reading of {@link Ambient#nanoTime}
   */
  public static Tab open(Ledger ledger, Caller caller, Instant at, long deadline) {
    return new Tab(ledger, caller.payers(), at, deadline);
  }

  /** What came of asking for money. */
  public sealed interface Answer {
    record Funded(Funds funds) implements Answer {}

    /** There is not enough. */
    record Short(GatewayError error) implements Answer {}

    /** Nobody can say whether there is. */
    record Down(GatewayError error) implements Answer {}
  }

  /** What the budgets leave, as far as it is known. */
  public Ledger.Room room() {
    return ledger.room(payers, at);
  }

  /**
   * What is the matter where a decision found nothing that fits the room there was: somebody has
   * not enough, or nobody can say because a store is away.
   *
   * @param told what the caller is told when it is the caller's own money
   * @return null when there is more room by now
   */
  public @Nullable GatewayError shortfall(GatewayError told) {
    Ledger.Room room = room();
    Ledger.Least credits = room.credits();
    Ledger.Least both = room.withOwnKeys();
    Ledger.Least tight =
        credits == null || both != null && credits.left().isMoreThan(both.left()) ? both : credits;
    if (tight == null) {
      return told;
    }
    return switch (ledger.hold(new Ledger.Claim(payers, beyond(tight), at, deadline))) {
      case Ledger.Outcome.Granted(Reservation more) -> {
        more.release();
        yield null;
      }
      case Ledger.Outcome.Refused refused -> Shortfall.of(tight.payer(), tight.budget(), told);
      case Ledger.Outcome.Unavailable down -> GatewayError.of(ErrorCode.UNAVAILABLE);
    };
  }

  /** The least that cannot be had when it is true that no more is left. */
  private static Charge beyond(Ledger.Least tight) {
    long left = Math.clamp(tight.left().nanos(), 0, Long.MAX_VALUE - 2);
    return Charge.credits(new Usd(left + 1));
  }

  public Answer hold(Charge atMost) {
    return switch (ledger.hold(new Ledger.Claim(payers, atMost, at, deadline))) {
      case Ledger.Outcome.Granted granted -> new Answer.Funded(new Funds(granted.reservation()));
      case Ledger.Outcome.Refused refused ->
          new Answer.Short(Shortfall.of(refused.which(), refused.budget()));
      case Ledger.Outcome.Unavailable down ->
          new Answer.Down(GatewayError.of(ErrorCode.UNAVAILABLE));
    };
  }
}
