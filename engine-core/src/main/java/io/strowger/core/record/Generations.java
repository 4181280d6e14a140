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
  private final boolean withBills;

  /**
   * @param keepsContent whether the account keeps the content of requests at this moment
   * @param withBills whether the ledger uses the same stores, so that a record is saved with its
   *     bill
   */
  public Generations(GenerationStore store, BooleanSupplier keepsContent, boolean withBills) {
    this.store = Objects.requireNonNull(store, "store");
    this.keepsContent = Objects.requireNonNull(keepsContent, "keepsContent");
    this.withBills = withBills;
  }

  /** Returns whether a record may be settled with its bill; otherwise it is saved separately. */
  public boolean areSavedWithBills() {
    return withBills;
  }

  /**
   * Returns whether a caller may see a generation. A management key sees those of the account, any
   * other key those of its own workspace. A record that names no workspace, or cannot be read, is
   * for management keys only.
   */
  public static boolean isVisible(Generation generation, Caller caller) {
    return generation.owner().equals(OWNER)
        && (caller.management() || caller.workspace().equals(workspace(generation)));
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
  public void save(FinishedRequest exchange, FinishedRequest.Ending how) {
    Generation generation = record(exchange, how);
    if (generation != null) {
      try {
        store.save(generation);
      } catch (RuntimeException | Error e) {
        log.error("the record of generation {} could not be saved and is lost", exchange.id(), e);
      }
    }
  }

  /**
   * Returns the record of a request, to be stored with its bill. Never throws.
   *
   * @return the record; null when there was no attempt and no replay, or it cannot be created
   */
  public @Nullable Generation record(FinishedRequest exchange, FinishedRequest.Ending how) {
    try {
      List<FinishedRequest.Try> tries = exchange.tries();
      boolean replayed = how.replayed() != null;
      if (!replayed && tries.isEmpty()) {
        return null;
      }
      boolean kept = keepsContent(exchange.caller()) && !replayed;
      byte[] content = kept ? GenerationContent.of(exchange, how).toBytes() : null;
      return new Generation(
          exchange.id(),
          OWNER,
          exchange.arrivedAt(),
          GenerationRowBuilder.of(exchange, how, tries).bytes(),
          content);
    } catch (RuntimeException | Error e) {
      log.error(
          "the record of generation {} could not be created; nothing is saved for it",
          exchange.id(),
          e);
      return null;
    }
  }
}
