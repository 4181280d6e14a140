package io.strowger.core.pipeline;

import com.google.common.util.concurrent.Uninterruptibles;
import io.strowger.core.meter.EndCause;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Answer;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.InnerCall;
import io.strowger.spi.routing.TraceEntry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * One inner call while it is under way, with the turns and paid actions that it is billed for. Safe
 * on any thread.
 */
final class ActiveInnerCall {
  private final InnerCall call;
  private final @Nullable ActiveInnerCall previous;
  private final CountDownLatch ready = new CountDownLatch(1);
  private final CountDownLatch maySend;
  private final List<RoutedTurn> turns = new CopyOnWriteArrayList<>();
  private final List<PaidAction> acts = new CopyOnWriteArrayList<>();
  private volatile CallChain.@Nullable InnerAnswer result;

  ActiveInnerCall(InnerCall call, @Nullable ActiveInnerCall previous, CountDownLatch maySend) {
    this.call = call;
    this.previous = previous;
    this.maySend = maySend;
  }

  InnerCall call() {
    return call;
  }

  String name() {
    return call.name();
  }

  /** Makes the call on this thread, and ends it with everything that belongs to it. */
  void run(CallChain chain, InferenceRequest request) {
    try {
      CallChain.InnerAnswer innerAnswer = chain.collectInnerAnswer(request);
      result = innerAnswer;
      Event.Failed failure = innerAnswer.failure();
      closeAll(failure == null ? EndCause.CALLER : EndCause.of(failure));
    } finally {
      ready.countDown();
    }
  }

  /**
   * Returns the turn that holds the money reserved for this call; null when none was reserved, or
   * when the call has begun a turn.
   */
  @Nullable RoutedTurn reservedTurn() {
    return turns.isEmpty() && call.reservation() instanceof CallChain.TurnHold hold
        ? hold.turn()
        : null;
  }

  void addTurn(RoutedTurn turn) {
    turns.add(turn);
  }

  void addPaidAction(PaidAction act) {
    acts.add(act);
  }

  /** Waits until the call before this one has its money, or will not get any. */
  void awaitPreviousHold() {
    if (previous != null) {
      previous.awaitHold();
    }
  }

  /** Waits until this call has its money, or will not get any. */
  void awaitHold() {
    Uninterruptibles.awaitUninterruptibly(ready);
  }

  /**
   * Reports that this call has its money or was refused it, and waits until that is so for all
   * calls.
   */
  void awaitAllHolds() {
    ready.countDown();
    Uninterruptibles.awaitUninterruptibly(maySend);
  }

  /** Closes everything that a plugin or tool left open, before the cost of the call is reported. */
  private void closeAll(EndCause cause) {
    turns.forEach(turn -> turn.close(cause));
    acts.forEach(PaidAction::release);
  }

  InnerCall.Result toResult() {
    CallChain.InnerAnswer innerAnswer = result;
    Usd cost = Usd.ZERO;
    String model = null;
    int status = 0;
    for (RoutedTurn turn : turns) {
      cost = cost.plus(turn.spent());
      var delivery = turn.delivery();
      model = delivery == null ? model : delivery.candidate().endpoint().model();
      for (TraceEntry entry : turn.attempts()) {
        if (entry instanceof TraceEntry.Attempted attempted && attempted.failure() != null) {
          status = attempted.status();
        }
      }
    }
    for (PaidAction act : acts) {
      Usd actCost = act.cost();
      cost = cost.plus(actCost == null ? act.amount() : actCost);
    }
    Answer answer = innerAnswer == null ? null : innerAnswer.answer();
    return new InnerCall.Result(
        answer, innerAnswer == null ? null : innerAnswer.failure(), model, cost, status);
  }
}
