package io.strowger.core.account;

import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Ledger;
import io.strowger.spi.store.Payer;
import java.time.Instant;
import java.util.List;

/**
 * What one request may spend, and who pays: every paid act takes a hold here first, on all payers
 * or on none.
 */
public final class Tab {
  private final Ledger ledger;
  private final List<Payer> payers;
  private final Instant at;
  private final Instant deadline;

  private Tab(Ledger ledger, List<Payer> payers, Instant at, Instant deadline) {
    this.ledger = ledger;
    this.payers = payers;
    this.at = at;
    this.deadline = deadline;
  }

  /**
   * Opens a tab at a moment, which decides the periods the spending counts in, also when the
   * request ends in the next ones.
   *
   * @param deadline when the request is over at the latest
   */
  public static Tab open(Ledger ledger, Caller caller, Instant at, Instant deadline) {
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
   * Who has not enough, where a decision found nothing that fits the room there is.
   *
   * @param told what the caller is told when it is the caller's own money
   */
  public GatewayError shortfall(GatewayError told) {
    Ledger.Room room = room();
    Ledger.Least credits = room.credits();
    Ledger.Least both = room.withOwnKeys();
    Ledger.Least tight =
        credits == null || both != null && credits.left().isMoreThan(both.left()) ? both : credits;
    return tight == null ? told : Shortfall.of(tight.payer(), tight.budget(), told);
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
