package io.strowger.core.pipeline;

import io.strowger.core.attempt.AttemptLoop;
import io.strowger.core.inference.BudgetCap;
import io.strowger.core.meter.Bill;
import io.strowger.core.meter.EndCause;
import io.strowger.core.record.FinishedRequest.TurnAttempt;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.TraceEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done for one request, and what it costs: its turns, the paid actions of plugins, and the
 * notes about both. A plain request has one turn; plugins and the tool loop make several. Safe on
 * any thread, without a lock.
 */
final class CallWork {
  private static final Logger log = LoggerFactory.getLogger(CallWork.class);
  private static final Bill NOTHING = new Bill(Usage.NONE, Usd.ZERO, Usd.ZERO, Usd.ZERO);

  private final String id;
  private final List<RoutedTurn> turns = new CopyOnWriteArrayList<>(); // few, read at the end
  private final AtomicReference<List<TraceEntry>> notes = new AtomicReference<>(List.of());
  private final AtomicReference<List<PaidAction>> acts = new AtomicReference<>(List.of());
  private final AtomicInteger entryNumbers = new AtomicInteger(); // of attempts and paid actions
  private volatile boolean closed; // no turn or paid action begins any more

  /**
   * @param id the id of the request, for the log
   */
  CallWork(String id) {
    this.id = id;
  }

  /** Adds a turn; a turn that begins after the end is closed before it does anything. */
  void addTurn(RoutedTurn turn) {
    turns.add(turn);
    if (closed) {
      turn.close();
    }
  }

  /** Returns the turns in the order they were planned, reservations included. */
  List<RoutedTurn> turns() {
    return turns;
  }

  /** Adds a paid action of a plugin; an act that begins after the end is released. */
  void addPaidAction(PaidAction act) {
    append(acts, act);
    if (closed) {
      act.release();
    }
  }

  /** Returns the number of the next ledger entry; each is given once. */
  int nextEntryNumber() {
    return entryNumbers.getAndIncrement();
  }

  void note(TraceEntry entry) {
    append(notes, entry);
  }

  List<TraceEntry> notes() {
    return notes.get();
  }

  private static <T> void append(AtomicReference<List<T>> list, T element) {
    list.updateAndGet(
        previous -> {
          var extended = new ArrayList<>(previous);
          extended.add(element);
          return List.copyOf(extended);
        });
  }

  /**
   * Closes the turns and paid actions that were left open. A turn or act that begins afterwards is
   * closed at once.
   *
   * @param cause decides who pays for what the turns have delivered
   */
  void close(EndCause cause) {
    closed = true;
    turns.forEach(turn -> closeSafely(() -> turn.close(cause)));
    acts.get().forEach(act -> closeSafely(act::release));
  }

  /** Runs one closing step; a failure must not prevent the other steps. */
  private void closeSafely(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error bug) {
      log.error("closing a resource of request {} failed", id, bug);
    }
  }

  /** Returns the sum of all ended turns and paid actions; null when nothing cost anything. */
  @Nullable Bill totalBill() {
    Bill sum = null;
    for (RoutedTurn turn : turns) {
      Bill turnBill = turn.bill();
      if (turnBill != null) {
        sum = sum == null ? turnBill : sum.plus(turnBill);
      }
    }
    for (PaidAction act : acts.get()) {
      Usd cost = act.cost();
      if (cost != null && (sum != null || cost.isMoreThan(Usd.ZERO))) {
        sum = (sum == null ? NOTHING : sum).withFee(cost);
      }
    }
    return sum;
  }

  /**
   * Returns the sum of the settled money and the money held for work under way, without
   * reservations.
   */
  Usd settledAndHeld() {
    Usd sum = Usd.ZERO;
    for (RoutedTurn turn : turns) {
      sum = turn.isHoldOnly() ? sum : sum.plus(turn.spent());
    }
    for (PaidAction act : acts.get()) {
      Usd cost = act.cost();
      sum = sum.plus(cost == null ? act.amount() : cost);
    }
    return sum;
  }

  /** Returns a line for each attempt of each turn, then one for each paid action of a plugin. */
  List<CallRecord.BillLine> billLines() {
    var lines = new ArrayList<CallRecord.BillLine>(1);
    attempts().forEach(attempt -> lines.add(attempt.billLine()));
    for (PaidAction act : acts.get()) {
      Usd cost = act.cost();
      if (cost != null) {
        lines.add(new CallRecord.BillLine(act.description(), Usage.NONE, cost));
      }
    }
    return lines;
  }

  /** Returns every attempt, in order. */
  List<TurnAttempt> attempts() {
    var attempts = new ArrayList<TurnAttempt>(1);
    for (RoutedTurn turn : turns) {
      for (TraceEntry entry : turn.attempts()) {
        if (entry instanceof TraceEntry.Attempted attempted) {
          attempts.add(
              new TurnAttempt(turn, attempted, turn.decision().endpoint(attempted.endpoint())));
        }
      }
    }
    return attempts;
  }

  /** Returns the trace: the notes, then the attempts. */
  List<TraceEntry> trace() {
    var result = new ArrayList<>(notes.get());
    turns.forEach(turn -> result.addAll(turn.attempts()));
    return result;
  }

  /** Returns whether a budget or hold cut the answer, so that it might be longer another time. */
  boolean isCapped() {
    for (TraceEntry entry : notes.get()) {
      if (entry instanceof TraceEntry.Note note
          && (BudgetCap.isNote(note.text())
              || note.text().startsWith(RoutedTurn.CUT_NOTE_PREFIX))) {
        return true;
      }
    }
    return false;
  }

  /** Returns the first turn that is not a reservation; null when there is none. */
  @Nullable RoutedTurn firstTurn() {
    for (RoutedTurn turn : turns) {
      if (!turn.isHoldOnly()) {
        return turn;
      }
    }
    return null;
  }

  /** Returns the last turn that is not a reservation; null when there is none. */
  @Nullable RoutedTurn lastTurn() {
    RoutedTurn last = null;
    for (RoutedTurn turn : turns) {
      last = turn.isHoldOnly() ? last : turn;
    }
    return last;
  }

  /** Returns the first turn that is made for the caller and not for a plugin; null for none. */
  @Nullable RoutedTurn firstTurnOfCaller() {
    for (RoutedTurn turn : turns) {
      if (turn.isForCaller()) {
        return turn;
      }
    }
    return null;
  }

  /** Returns the first delivery of an answer for the caller; null when there is none. */
  AttemptLoop.Outcome.@Nullable Delivery firstDelivery() {
    for (RoutedTurn turn : turns) {
      if (turn.isForCaller() && turn.delivery() instanceof AttemptLoop.Outcome.Delivery delivery) {
        return delivery;
      }
    }
    return null;
  }

  /**
   * Returns the last turn that delivers. The turn of an inner call is returned only when the
   * caller's own request has none; null when no turn delivers.
   */
  @Nullable RoutedTurn lastAnsweredTurn() {
    RoutedTurn last = null;
    for (RoutedTurn turn : turns) {
      boolean isPreferred = last == null || !last.isForCaller() || turn.isForCaller();
      last = turn.delivery() != null && isPreferred ? turn : last;
    }
    return last;
  }
}
