package io.strowger.core.account;

import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Entry;
import io.strowger.spi.store.Reservation;
import java.util.List;

/**
 * Money that was set aside for one turn or one paid act. Only a {@link Tab} makes any, and nothing
 * is sent to a provider without: whoever sends asks for it.
 */
public final class Funds {
  private final Reservation reservation;

  Funds(Reservation reservation) {
    this.reservation = reservation;
  }

  public Charge atMost() {
    return reservation.atMost();
  }

  /** As {@link Reservation#settle}. */
  public void settle(List<Entry> entries) {
    reservation.settle(entries);
  }

  /** As {@link Reservation#release}. */
  public void release() {
    reservation.release();
  }
}
