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
 * Keeps a record of every request that reached a provider, or whose answer was given before; what
 * was said in that stands in the record of its source only. Resources fact sheet, section 7. Safe
 * on any thread; never fails a request.
 */
public final class Generations {
  /** Whose they are: there is one account. */
  public static final String OWNER = "account:default";

  private static final Logger log = LoggerFactory.getLogger(Generations.class);

  private final GenerationStore store;
  private final BooleanSupplier keepsContent;
  private final boolean withBills;

  /**
   * @param keepsContent whether what anybody says is kept too, as of now
   * @param withBills the ledger writes to the same stores: a record goes there with its bill
   */
  public Generations(GenerationStore store, BooleanSupplier keepsContent, boolean withBills) {
    this.store = Objects.requireNonNull(store, "store");
    this.keepsContent = Objects.requireNonNull(keepsContent, "keepsContent");
    this.withBills = withBills;
  }

  /** Whether a record may be settled with its bill; otherwise it is saved by itself. */
  public boolean comeWithBills() {
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

  /** The account keeps what is said, or the caller's workspace does. */
  public boolean keepsContent(Caller caller) {
    return keepsContent.getAsBoolean() || caller.bounds().keepsContent();
  }

  /** Keeps the record of a request that has ended, if it was answered or reached anybody. */
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
   * Makes the record of a request, to be kept with its bill. Never throws.
   *
   * @return null when nobody was reached, or when it cannot be made
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
