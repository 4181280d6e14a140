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
 * The batches there are: receives them, shows them and removes them, and holds what the work on
 * them needs. A batch belongs to the workspace of the key that created it. Safe on any thread;
 * every method may throw {@link io.strowger.spi.store.StoreUnavailableException}. Contract: "Batch
 * operations".
 */
public final class Batches {
  /** A batch of which nothing came for so long is given up. */
  static final Duration ABANDONED = Duration.ofHours(1);

  /** The statuses of batches that are not over. */
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

  /** Requests are read and answered like this from now on. */
  public void serveWith(BatchRequestHandler serving) {
    front = serving;
  }

  /** There is somebody to be told that there is work. */
  void onWork(Runnable tell) {
    wake = tell;
  }

  /** There may be work. */
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
   * Returns whom the key of a batch stands for by now; null when the key or its workspace is gone,
   * or the key is disabled or has expired.
   */
  @Nullable Caller currentCaller(KeyId key) {
    return accounts.currentCaller(key, ambient.now());
  }

  /**
   * Begins to receive a batch.
   *
   * @param rules judge it
   * @param problems takes what is wrong with it
   * @throws io.strowger.spi.error.GatewayException 429 when as many batches of the workspace as may
   *     be are not over
   */
  public BatchUpload receive(Caller caller, BatchDecoder rules, Problems problems) {
    checkOpen(caller.workspace());
    String id = "batch_" + HexFormat.of().toHexDigits(ambient.seed()) + hex(ambient.seed());
    Batch row =
        SavedBatch.receiving(
            id, caller.workspace(), caller.key(), ambient.now(), ambient.now().plus(ABANDONED));
    return new BatchUpload(this, caller, row, rules.incremental(problems), problems);
  }

  /** Uploads that come at the same moment do not see each other: a few more may get through. */
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

  /** Returns a part of the batches there are, the newest first. */
  public List<SavedBatch> list(Filter filter) {
    return store.list(filter).stream().map(SavedBatch::new).toList();
  }

  /** Returns requests of a batch with their results, as {@link BatchStore#results}. */
  public List<Answered> results(SavedBatch batch, int from, long mostBytes) {
    return store.results(batch.id(), from, mostBytes);
  }

  /** Whether more was billed than was held, and nothing is left to pay it. */
  public boolean isUnpaid(Caller caller, SavedBatch batch) {
    return batch.overrun().nanos() > 0 && quotes.isExhausted(caller);
  }

  /**
   * Removes a batch that is over, with its requests and results.
   *
   * @throws io.strowger.spi.error.GatewayException 404 when there is none, 409 when it is not over
   *     or somebody changes it at the same moment
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

  /** Removes requests and results a little at a time, so that nobody waits for it. */
  void removeContent(String id, boolean whole) {
    removeContent(id, whole, () -> false);
  }

  /**
   * Removes requests and results of a batch.
   *
   * @param whole and the batch itself
   * @param ended true: what is left by then stays
   */
  void removeContent(String id, boolean whole, BooleanSupplier ended) {
    while (store.removeContent(id, STEP, whole) == STEP && !ended.getAsBoolean()) {
      // there is more
    }
  }
}
