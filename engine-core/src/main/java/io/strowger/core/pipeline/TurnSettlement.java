package io.strowger.core.pipeline;

import io.strowger.core.meter.Bill;
import io.strowger.core.meter.DeliveredOutput;
import io.strowger.core.meter.EndCause;
import io.strowger.core.meter.PromptSize;
import io.strowger.core.money.Funds;
import io.strowger.core.plan.HoldSize;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.LedgerEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The bill of one turn. It prices what the turn delivered, and ends the hold of its money with the
 * ledger entries of its attempts.
 *
 * <p>{@link RoutedTurn} determines which thread settles, and that it happens once. The thread that
 * reads the answer may record a cut while another one settles.
 */
final class TurnSettlement {
  private final CallExchange exchange;
  private final TurnDecision decision;
  private final PromptSize size;
  private volatile @Nullable String cutEndpoint;

  TurnSettlement(CallExchange exchange, TurnDecision decision, PromptSize size) {
    this.exchange = exchange;
    this.decision = decision;
    this.size = size;
  }

  /** Records that the answer of this endpoint exceeded its hold and is cut. */
  void recordCut(String endpoint) {
    cutEndpoint = endpoint;
  }

  /**
   * Returns the bill of an answer. The upstream's own count is used; without one, the usage is
   * estimated and marked as an estimate. Nothing is charged when another node has billed this
   * request of a batch.
   *
   * @param reportedUsage what the upstream counted; null when it reported nothing
   * @param isOnlyTurn whether the request has no other turn
   */
  Bill bill(
      PlannedAttempt candidate,
      @Nullable Usage reportedUsage,
      DeliveredOutput output,
      EndCause cause,
      boolean isOnlyTurn) {
    Bill priced = price(candidate).of(reportedUsage, output, cause);
    Usd heldAmount =
        decision.funds() instanceof Funds funds ? funds.maxCharge().credits() : Usd.ZERO;
    return exchange.claimBilling(priced.total(), heldAmount, isOnlyTurn)
        ? priced
        : priced.withoutCharge();
  }

  private AnswerPrice price(PlannedAttempt candidate) {
    int cap = HoldSize.outputCap(candidate, decision.requireQuery()).tokens();
    String endpoint = candidate.endpoint().id();
    return new AnswerPrice(
        candidate,
        size,
        cap,
        exchange.arrivedAt(),
        () -> endpoint.equals(cutEndpoint),
        exchange.isOfBatch());
  }

  /**
   * Ends the hold. If the record is not written with the entries, it is saved later.
   *
   * @param record of the request, when this is its only turn; null for none
   */
  void settle(Funds funds, List<LedgerEntry> entries, @Nullable Generation record) {
    boolean isSettled = false;
    try {
      funds.settle(entries, record);
      isSettled = true;
    } finally {
      if (!isSettled && record != null) {
        exchange.markUnrecorded();
      }
    }
  }

  /**
   * Returns the ledger entries: one for each attempt, including those that failed or were given up.
   *
   * @param bill of the answer; null when no candidate delivered
   * @param answerOutcome how the answer ended; null when no candidate delivered
   */
  List<LedgerEntry> entries(
      List<TraceEntry> attempts, @Nullable Bill bill, CallRecord.@Nullable Outcome answerOutcome) {
    Instant now = exchange.engine().ambient().now();
    var entries = new ArrayList<LedgerEntry>(1);
    for (TraceEntry entry : attempts) {
      if (entry instanceof TraceEntry.Attempted attempted) {
        Bill attemptBill = attempted.failure() == null ? bill : null;
        entries.add(entry(attempted, attemptBill, answerOutcome, now));
      }
    }
    return entries;
  }

  /**
   * @param bill of this attempt; null when it failed
   */
  private LedgerEntry entry(
      TraceEntry.Attempted attempted,
      @Nullable Bill bill,
      CallRecord.@Nullable Outcome answerOutcome,
      Instant now) {
    return new LedgerEntry(
        exchange.id(),
        exchange.work().nextEntryNumber(),
        now,
        attempted.endpoint(),
        Objects.requireNonNullElse(attempted.byokKey(), ""),
        bill == null || answerOutcome == null ? outcome(attempted.failure()) : answerOutcome,
        bill == null ? Usage.NONE : bill.usage(),
        bill == null ? Charge.ZERO : bill.charge());
  }

  private static CallRecord.Outcome outcome(@Nullable FailureKind failure) {
    return failure == null || failure == FailureKind.CANCELLED
        ? CallRecord.Outcome.CANCELLED
        : CallRecord.Outcome.ERROR;
  }
}
