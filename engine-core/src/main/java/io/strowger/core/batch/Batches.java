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
import io.strowger.spi.store.BatchStore.Answered;
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
  static final Duration ABANDONED = Duration.ofHours(1);

  /** The statuses of unfinished batches. */
  private static final List<String> OPEN =
      Arrays.stream(BatchStatus.values())
          .filter(status -> status != BatchStatus.RECEIVING && !status.isTerminal())
          .map(BatchStatus::wireName)
          .toList();

  private static final int STEP = 500;
  private static final int TRIES = 100;
  private static final String NOT_FOUND = "Batch not found.";
  private static final String NOT_OVER =
      "Only completed, failed, expired, or cancelled batches can be deleted."
          + " Wait for the batch to finish and try again.";

  private final BatchStore store;
  private final AccountState accounts;
  private final PriceQuotes quotes;
  private final Ambient ambient;
  private final BatchSettings settings;
  private volatile Runnable wake = () -> {};
  private volatile @Nullable BatchRequestHandler front;

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
  public void setRequestHandler(BatchRequestHandler serving) {
    front = serving;
  }

  /** Sets the action that is run whenever there may be work. */
  void onWork(Runnable tell) {
    wake = tell;
  }

  /** Runs the action of {@link #onWork}, because there may be work. */
  void wake() {
    wake.run();
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
    BatchRequestHandler serving = front;
    if (serving == null) {
      throw new IllegalStateException("no handler for requests of batches has been set");
    }
    return serving;
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
   * @param rules the decoder of its body
   * @param problems receives the errors in its body
   * @throws io.strowger.spi.error.GatewayException 429 when the workspace has as many unfinished
   *     batches as it may have
   */
  public BatchUpload receive(Caller caller, BatchDecoder rules, Problems problems) {
    checkOpen(caller.workspace());
    String id = "batch_" + HexFormat.of().toHexDigits(ambient.seed()) + hex(ambient.seed());
    Batch row =
        SavedBatch.receiving(
            id, caller.workspace(), caller.key(), ambient.now(), ambient.now().plus(ABANDONED));
    return new BatchUpload(this, caller, row, rules.incremental(problems), problems);
  }

  /** Checks the limit of unfinished batches. Concurrent uploads may exceed it by a few. */
  void checkOpen(String workspace) {
    int most = settings.openPerWorkspace();
    if (store.list(new Filter(workspace, OPEN, null, null, null, most)).size() == most) {
      throw GatewayError.of(
              ErrorCode.RATE_LIMIT_EXCEEDED,
              ErrorCode.RATE_LIMIT_EXCEEDED.message()
                  + ": "
                  + most
                  + " batches of the workspace are not over. Wait for one of them.")
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
    SavedBatch found = known(workspace, id);
    if (found.isRemoved()) {
      throw GatewayError.of(
              ErrorCode.GONE, "The batch was removed. Its bill is in the usage of its key.")
          .toException();
    }
    return found;
  }

  private SavedBatch known(String workspace, String id) {
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
  public List<Answered> results(SavedBatch batch, int from, long mostBytes) {
    return store.results(batch.id(), from, mostBytes);
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
    for (int i = 0; i < TRIES; i++) {
      SavedBatch batch = known(workspace, id);
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
    throw GatewayError.of(ErrorCode.CONFLICT, NOT_OVER).toException();
  }

  /** Removes requests and results in small steps, so that other work is not delayed. */
  void removeContent(String id, boolean whole) {
    removeContent(id, whole, () -> false);
  }

  /**
   * Removes requests and results of a batch.
   *
   * @param whole whether to remove the batch itself, too
   * @param ended returns true to stop early; the rest then stays
   */
  void removeContent(String id, boolean whole, BooleanSupplier ended) {
    while (store.removeContent(id, STEP, whole) == STEP && !ended.getAsBoolean()) {
      // there is more
    }
  }
}
