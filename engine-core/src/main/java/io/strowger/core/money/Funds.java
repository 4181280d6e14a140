package io.strowger.core.money;

import io.strowger.core.ledger.Reservation;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.UpstreamException;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.LedgerEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The money that was set aside for one turn, or for one paid action of a plugin or tool, such as a
 * search. Funds are the only way to a provider: nothing else in the engine opens a {@link
 * ChatProvider}, and only a {@link RequestBudget} makes funds. Safe on any thread. A provider that
 * is being opened while another thread ends the hold may still be called; what it costs is then
 * charged as a bill that arrives late.
 */
public final class Funds {
  private final Reservation reservation;
  private volatile boolean ended;

  Funds(Reservation reservation) {
    this.reservation = reservation;
  }

  public Charge maxCharge() {
    return reservation.maxCharge();
  }

  /**
   * Opens a stream of a provider, as {@link ChatProvider#open} does.
   *
   * @throws UpstreamException also when the money was already settled or released
   */
  public EventStream open(ChatProvider provider, Call call) throws UpstreamException {
    if (ended) {
      throw new UpstreamException(
          Failure.of(
              FailureKind.CANCELLED, "the hold that pays for this request has already ended"));
    }
    return provider.open(call);
  }

  /** As {@link Reservation#settle(List)}. */
  public void settle(List<LedgerEntry> entries) {
    settle(entries, null);
  }

  /** As {@link Reservation#settle(List, Generation)}. */
  public void settle(List<LedgerEntry> entries, @Nullable Generation record) {
    ended = true;
    reservation.settle(entries, record);
  }

  /** As {@link Reservation#release}. */
  public void release() {
    ended = true;
    reservation.release();
  }
}
