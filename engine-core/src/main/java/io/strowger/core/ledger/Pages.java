package io.strowger.core.ledger;

import io.strowger.spi.store.Period;
import io.strowger.spi.store.Posting;
import java.util.List;

/** A book's windows that a day lies in, one of each period. */
final class Pages {
  private final Day day;
  private final Window[] windows; // by Period.ordinal()

  Pages(Day day, Window[] windows) {
    this.day = day;
    this.windows = windows;
  }

  Day day() {
    return day;
  }

  Window window(Period period) {
    return windows[period.ordinal()];
  }

  Window[] windows() {
    return windows;
  }

  /** Nothing is under way in the day's own window. */
  boolean areQuiet() {
    return window(Period.DAILY).isQuiet();
  }

  void addAccounts(List<Posting.Account> all) {
    for (Window window : windows) {
      all.add(window.account());
    }
  }
}
