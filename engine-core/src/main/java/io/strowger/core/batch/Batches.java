package io.strowger.core.batch;

import io.strowger.core.administration.AccountState;
import io.strowger.core.authentication.Caller;
import io.strowger.core.config.BatchSettings;
import io.strowger.core.decode.Problems;
import io.strowger.core.inference.PriceQuotes;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.store.BatchStore;
import io.strowger.spi.store.BatchStore.AnsweredRequest;
import io.strowger.spi.store.BatchStore.Batch;
import io.strowger.spi.store.BatchStore.Filter;
import io.strowger.spi.store.KeyId;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Receives, shows and removes batches, and provides what their steps and workers need. A batch
 * belongs to the workspace of the key that created it. Safe on any thread; every method may throw
 * {@link io.strowger.spi.store.StoreUnavailableException}. Contract: "Batch operations".
 */
public final class Batches {
  /** The time after its creation at which an incomplete upload is abandoned. */
  static final Duration ABANDON_AFTER = Duration.ofHours(1);

  /** The statuses of unfinished batches. */
  private static final List<String> UNFINISHED =
      Arrays.stream(BatchStatus.values())
          .filter(status -> status != BatchStatus.RECEIVING && !status.isTerminal())
          .map(BatchStatus::wireName)
          .toList();

  private static final int REMOVALS_PER_CALL = 500;
  private static final int MAX_TRIES = 100;
  private static final String NOT_FOUND = "Batch not found.";
  private static final String NOT_FINISHED =
      "Only completed, failed, expired, or cancelled batches can be deleted."
          + " Wait for the batch to finish and try again.";

  private final BatchStore store;
  private final AccountState accounts;
  private final PriceQuotes quotes;
  private final Ambient ambient;
  private final BatchSettings settings;
  private volatile Runnable wakeAction = () -> {};
  private volatile @Nullable BatchRequestHandler requestHandler;

  public Batches(
      BatchStore store,
      AccountState accounts,
      PriceQuotes quotes,
      Ambient ambient,
      BatchSettings settings) {
    this.store = store;
    this.accounts = accounts;
    this.quotes = quotes;
    this.ambient = ambient;
    this.settings = settings;
  }

  /** Sets the handler that reads and answers the requests of batches. */
  public void setRequestHandler(BatchRequestHandler handler) {
    requestHandler = handler;
  }

  /** Sets the action that is run whenever there may be work. */
  void setWakeAction(Runnable action) {
    wakeAction = action;
  }

  /** Runs the action of {@link #setWakeAction}, because there may be work. */
  void wake() {
    wakeAction.run();
  }

  BatchStore store() {
    return store;
  }

  Ambient ambient() {
    return ambient;
  }

  BatchSettings settings() {
    return settings;
  }

  PriceQuotes quotes() {
    return quotes;
  }

  BatchRequestHandler requestHandler() {
    BatchRequestHandler handler = requestHandler;
    if (handler == null) {
      throw new IllegalStateException("no handler for requests of batches has been set");
    }
    return handler;
  }

  /**
   * Returns the current caller of the key of a batch; null when the key or its workspace is gone,
   * or the key is disabled or has expired.
   */
  @Nullable Caller currentCaller(KeyId key) {
    return accounts.currentCaller(key, ambient.now());
  }

  /**
   * Begins to receive a batch.
   *
   * @param maxRequests the most requests it may have; at least 1
   * @param problems receives the errors in its body
   * @throws io.strowger.spi.error.GatewayException 429 when the workspace has as many unfinished
   *     batches as it may have
   */
  public BatchUpload receive(Caller caller, int maxRequests, Problems problems) {
    checkUnfinishedLimit(caller.workspace());
    String id = "batch_" + HexFormat.of().toHexDigits(ambient.seed()) + hex(ambient.seed());
    Batch row =
        SavedBatch.newReceiving(
            id, caller.workspace(), caller.key(), ambient.now(), ambient.now().plus(ABANDON_AFTER));
    return new BatchUpload(this, caller, row, new BatchDecoder(maxRequests, problems), problems);
  }

  /** Checks the limit of unfinished batches. Concurrent uploads may exceed it by a few. */
  void checkUnfinishedLimit(String workspace) {
    int limit = settings.maxUnfinishedPerWorkspace();
    if (store.list(new Filter(workspace, UNFINISHED, null, null, null, limit)).size() == limit) {
      throw GatewayError.of(
              ErrorCode.RATE_LIMIT_EXCEEDED,
              ErrorCode.RATE_LIMIT_EXCEEDED.message()
                  + ": "
                  + limit
                  + " batches of the workspace are unfinished. Wait until one of them has"
                  + " finished.")
          .toException();
    }
  }

  private static String hex(long bits) {
    return HexFormat.of().toHexDigits((int) bits);
  }

  /**
   * Returns a batch.
   *
   * @throws io.strowger.spi.error.GatewayException 404 when the workspace has none of this id, 410
   *     when its requests and results were removed
   */
  public SavedBatch find(String workspace, String id) {
    SavedBatch batch = requireKnown(workspace, id);
    if (batch.isRemoved()) {
      throw GatewayError.of(
              ErrorCode.GONE, "The batch was removed. Its bill is in the usage of its key.")
          .toException();
    }
    return batch;
  }

  private SavedBatch requireKnown(String workspace, String id) {
    Batch row = store.find(id);
    if (row == null
        || row.phase() == BatchStore.Phase.RECEIVING
        || !row.workspace().equals(workspace)) {
      throw GatewayError.of(ErrorCode.NOT_FOUND, NOT_FOUND).toException();
    }
    return new SavedBatch(row);
  }

  /** Returns the batches that a filter selects, newest first. */
  public List<SavedBatch> list(Filter filter) {
    return store.list(filter).stream().map(SavedBatch::new).toList();
  }

  /** Returns requests of a batch with their results, as {@link BatchStore#results}. */
  public List<AnsweredRequest> results(SavedBatch batch, int from, long maxBytes) {
    return store.results(batch.id(), from, maxBytes);
  }

  /** Returns whether more was billed than was held and a budget of the caller is used up. */
  public boolean isUnpaid(Caller caller, SavedBatch batch) {
    return batch.overrun().nanos() > 0 && quotes.isExhausted(caller);
  }

  /**
   * Removes a finished batch with its requests and results.
   *
   * @throws io.strowger.spi.error.GatewayException 404 when there is none, 409 when it is not
   *     finished or is changed concurrently
   */
  public void remove(String workspace, String id) {
    for (int i = 0; i < MAX_TRIES; i++) {
      SavedBatch batch = requireKnown(workspace, id);
      if (batch.isRemoved()) {
        throw GatewayError.of(ErrorCode.NOT_FOUND, NOT_FOUND).toException();
      }
      if (!batch.status().isTerminal()) {
        break;
      }
      if (store.replace(batch.removed(ambient.now()))) {
        removeContent(id, false);
        return;
      }
    }
    throw GatewayError.of(ErrorCode.CONFLICT, NOT_FINISHED).toException();
  }

  /** Removes requests and results in small steps, so that other work is not delayed. */
  void removeContent(String id, boolean removesBatch) {
    removeContent(id, removesBatch, () -> false);
  }

  /**
   * Removes requests and results of a batch.
   *
   * @param removesBatch whether to remove the batch itself, too
   * @param stop returns true to stop early; the rest then stays
   */
  void removeContent(String id, boolean removesBatch, BooleanSupplier stop) {
    while (store.removeContent(id, REMOVALS_PER_CALL, removesBatch) == REMOVALS_PER_CALL
        && !stop.getAsBoolean()) {
      // there is more
    }
  }
}
