package io.strowger.core.batch;

import io.strowger.core.authentication.Caller;
import io.strowger.core.decode.Problems;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.store.BatchStore;
import io.strowger.spi.store.BatchStore.Batch;
import io.strowger.spi.store.BatchStore.Request;
import io.strowger.spi.store.BatchStore.Result;
import io.strowger.spi.store.BatchStore.UsageAndCost;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Runs the next step of a batch; each status has one method. A step may be repeated after its node
 * died or lost its lease, or run on two nodes at once: all writes but the last are the same on
 * every node, and the last one succeeds on one node only. Safe on any thread. Contract: "States and
 * transitions".
 */
final class BatchSteps {
  private static final long MAX_PAGE_BYTES = 1 << 20;
  private static final int RESULTS_PER_PAGE = 500;

  /** The interval of waiting for requests that were leased when their batch ended. */
  private static final Duration WAIT_INTERVAL = Duration.ofSeconds(1);

  private final Batches batches;
  private final BatchStore store;
  private final Problems emptyProblems = new Problems();
  private volatile boolean stopped;

  BatchSteps(Batches batches) {
    this.batches = batches;
    this.store = batches.store();
  }

  /**
   * Stops the current step and all later ones. A step ends after the request that it checks or its
   * current call of the store, and gives its lease back.
   */
  void stop() {
    stopped = true;
  }

  /**
   * Returns whether the step must stop here; if so, its lease ends now, so that another node can
   * take it.
   */
  private boolean giveBackIfStopped(SavedBatch batch) {
    if (stopped) {
      store.queue().renewStep(batch.id(), now());
    }
    return stopped;
  }

  /**
   * Runs the next step of a batch.
   *
   * @param row the batch, whose step is leased to this node
   * @throws io.strowger.spi.store.StoreUnavailableException when the store is down: the step is
   *     repeated
   */
  void run(Batch row) {
    var batch = new SavedBatch(row);
    switch (row.phase()) {
      case RECEIVING -> removeAbandoned(batch);
      case REMOVED -> removeContent(batch);
      case OVER -> expireRetention(batch);
      case OPEN -> store.replace(batch.finalizing(!batch.counts().isDone()));
      case STEP -> {
        switch (batch.status()) {
          case VALIDATING -> {
            if (batch.expiresAt().isAfter(now())) {
              validate(batch);
            } else {
              finish(batch, BatchStatus.EXPIRED);
            }
          }
          case FINALIZING ->
              finish(batch, batch.isExpired() ? BatchStatus.EXPIRED : BatchStatus.COMPLETED);
          case CANCELLING -> finish(batch, BatchStatus.CANCELLED);
          default -> throw new IllegalStateException("no step follows " + batch.status());
        }
      }
    }
  }

  private void removeAbandoned(SavedBatch batch) {
    if (store.replace(batch.removed(now()))) {
      batches.removeContent(batch.id(), true, () -> stopped);
    }
  }

  /** Marks a batch as removed when its retention is over. */
  private void expireRetention(SavedBatch batch) {
    store.replace(batch.removed(now()));
  }

  private void removeContent(SavedBatch batch) {
    batches.removeContent(batch.id(), batch.isContentDeleted(), () -> stopped);
    if (!giveBackIfStopped(batch) && !batch.isContentDeleted()) {
      store.replace(batch.withoutContents(now().plus(batches.settings().retention())));
    }
  }

  /** Checks every request as if it had been sent alone; an invalid one fails the batch. */
  private void validate(SavedBatch batch) {
    Caller caller = batches.currentCaller(batch.key());
    if (caller == null) {
      cancel(batches, batch);
      return;
    }
    Problems problems = emptyProblems.newEmpty();
    int from = 0;
    for (List<Request> page = page(batch, from); !page.isEmpty(); page = page(batch, from)) {
      for (Request request : page) {
        if (giveBackIfStopped(batch)) {
          return;
        }
        validateRequest(batch, caller, request, problems);
        from = request.number() + 1;
      }
      store.queue().renewStep(batch.id(), leaseEnd());
    }
    if (!problems.isEmpty()) {
      GatewayError failure = GatewayError.of(ErrorCode.INVALID_REQUEST, problems.list());
      store.replace(batch.failed(failure.message(), now(), retentionEnd()));
    } else if (store.replace(batch.inProgress())) {
      batches.wake();
    }
  }

  private List<Request> page(SavedBatch batch, int from) {
    return store.requests(batch.id(), from, MAX_PAGE_BYTES);
  }

  private void validateRequest(
      SavedBatch batch, Caller caller, Request request, Problems problems) {
    try {
      batches
          .requestHandler()
          .read(caller, batch.endpoint(), request.body(), batch::withBatchProvider);
    } catch (GatewayException e) {
      if (e.error().code().status() >= 500) {
        throw e; // the gateway failed, not the request: the step is repeated
      }
      JsonPointer bodyPointer =
          JsonPointer.ROOT.child("requests").child(request.number()).child("body");
      List<Problem> requestProblems = e.error().problems();
      if (requestProblems.isEmpty()) {
        problems.add(bodyPointer, e.error().message(), "");
      }
      for (Problem problem : requestProblems) {
        problems.add(
            problem.pointer().prefixedWith(bodyPointer), problem.allowed(), problem.value());
      }
    }
  }

  /** Cancels a batch whose key or workspace is gone. */
  static void cancel(Batches batches, SavedBatch batch) {
    batches
        .store()
        .replace(batch.cancelling("The key or the workspace of the batch is disabled or deleted"));
    batches.wake();
  }

  /**
   * Gives every request without a result an error that states the reason, and adds up the results.
   * While some requests are still being answered, the step ends and is repeated later.
   *
   * @param finalStatus the final status of the batch
   */
  private void finish(SavedBatch batch, BatchStatus finalStatus) {
    Result result = unansweredResult(finalStatus);
    while (store.queue().finishRemaining(batch.id(), result, now(), RESULTS_PER_PAGE)
        == RESULTS_PER_PAGE) {
      if (giveBackIfStopped(batch)) {
        return;
      }
      store.queue().renewStep(batch.id(), leaseEnd());
    }
    if (store.queue().countWithoutResult(batch.id()) > 0) {
      store.queue().renewStep(batch.id(), now().plus(WAIT_INTERVAL));
      return;
    }
    Batch current = store.find(batch.id()); // with all counts
    if (current != null && current.version() == batch.row().version()) {
      UsageAndCost usageAndCost = store.usageAndCost(batch.id());
      store.replace(
          new SavedBatch(current).toTerminal(finalStatus, usageAndCost, now(), retentionEnd()));
    }
  }

  private static Result unansweredResult(BatchStatus finalStatus) {
    boolean expired = finalStatus != BatchStatus.CANCELLED;
    Json.Obj error =
        Json.object()
            .put("type", expired ? "batch_expired" : "batch_cancelled")
            .put(
                "message",
                expired
                    ? "The request was not answered within 24 hours"
                    : "The batch was cancelled before the request was answered")
            .put("param", Json.NULL)
            .build();
    return new Result(false, "", error.toBytes(), UsageAndCost.NONE);
  }

  private Instant now() {
    return batches.ambient().now();
  }

  private Instant leaseEnd() {
    return now().plus(batches.settings().lease());
  }

  private Instant retentionEnd() {
    return now().plus(batches.settings().retention());
  }
}
