package io.strowger.core.record;

import io.strowger.core.authentication.Caller;
import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.GenerationStore.Generation;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a record of every request that reached a provider or whose answer came from the cache; the
 * content of a cached answer is only in the record of the request that produced it. Resources fact
 * sheet, section 7. Safe on any thread; never fails a request.
 */
public final class Generations {
  /** The owner of all generations, since there is one account. */
  public static final String OWNER = "account:default";

  private static final Logger log = LoggerFactory.getLogger(Generations.class);

  private final GenerationStore store;
  private final BooleanSupplier keepsContent;
  private final boolean isSavedWithBills;

  /**
   * @param keepsContent whether the account keeps the content of requests at this moment
   * @param isSavedWithBills whether the ledger uses the same stores, so that a record is saved with
   *     its bill
   */
  public Generations(
      GenerationStore store, BooleanSupplier keepsContent, boolean isSavedWithBills) {
    this.store = Objects.requireNonNull(store, "store");
    this.keepsContent = Objects.requireNonNull(keepsContent, "keepsContent");
    this.isSavedWithBills = isSavedWithBills;
  }

  /**
   * Returns whether a record is stored together with its bill; otherwise it is saved separately.
   */
  public boolean areSavedWithBills() {
    return isSavedWithBills;
  }

  /**
   * Returns whether a caller may see a generation. A management key sees those of the account, any
   * other key those of its own workspace. A record that names no workspace, or cannot be read, is
   * for management keys only.
   */
  public static boolean isVisible(Generation generation, Caller caller) {
    return generation.owner().equals(OWNER)
        && (caller.isManagement() || caller.workspace().equals(workspace(generation)));
  }

  private static @Nullable String workspace(Generation generation) {
    try {
      return GenerationView.workspace(generation);
    } catch (UnreadableRowException e) {
      log.warn(
          "the record of generation {} cannot be read; callers of its workspace cannot see it",
          generation.id(),
          e);
      return null;
    }
  }

  /** Returns whether the account or the caller's workspace keeps the content of requests. */
  public boolean keepsContent(Caller caller) {
    return keepsContent.getAsBoolean() || caller.restrictions().keepsContent();
  }

  /** Saves the record of a finished request, if it had an attempt or its answer was replayed. */
  public void save(FinishedRequest finishedRequest, FinishedRequest.Ending ending) {
    Generation generation = createRecord(finishedRequest, ending);
    if (generation != null) {
      try {
        store.save(generation);
      } catch (RuntimeException | Error e) {
        log.error(
            "the record of generation {} could not be saved and is lost", finishedRequest.id(), e);
      }
    }
  }

  /**
   * Returns the record of a request, to be stored with its bill. Never throws.
   *
   * @return the record; null when there was no attempt and no replay, or it cannot be created
   */
  public @Nullable Generation createRecord(
      FinishedRequest finishedRequest, FinishedRequest.Ending ending) {
    try {
      List<FinishedRequest.TurnAttempt> attempts = finishedRequest.turnAttempts();
      boolean isReplayed = ending.cachedAnswer() != null;
      if (!isReplayed && attempts.isEmpty()) {
        return null;
      }
      boolean isContentKept = keepsContent(finishedRequest.caller()) && !isReplayed;
      byte[] content =
          isContentKept ? GenerationContent.of(finishedRequest, ending).toBytes() : null;
      return new Generation(
          finishedRequest.id(),
          OWNER,
          finishedRequest.arrivedAt(),
          GenerationRowBuilder.of(finishedRequest, ending, attempts).bytes(),
          content);
    } catch (RuntimeException | Error e) {
      log.error(
          "the record of generation {} could not be created; nothing is saved for it",
          finishedRequest.id(),
          e);
      return null;
    }
  }
}
