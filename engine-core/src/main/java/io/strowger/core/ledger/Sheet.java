package io.strowger.core.ledger;

import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Entry;
import io.strowger.spi.store.Period;
import io.strowger.spi.store.Posting;
import java.util.ArrayList;
import java.util.List;

/**
 * Where all payers of a request count on one day. Immutable; the windows in it are guarded by the
 * locks of their books, all of which the caller of a method has.
 */
final class Sheet {
  private final Pages[] pages; // in the order of the party's books
  private final List<Posting.Account> accounts;

  Sheet(Pages[] pages) {
    this.pages = pages;
    var all = new ArrayList<Posting.Account>();
    for (Pages of : pages) {
      of.addAccounts(all);
    }
    this.accounts = List.copyOf(all);
  }

  Pages of(int book) {
    return pages[book];
  }

  /** Where lines count; asked for without a lock. */
  List<Posting.Account> accounts() {
    return accounts;
  }

  /** Whether what is held would still be a number; of all time it is the most. */
  boolean canHold(Charge more) {
    for (Pages of : pages) {
      if (!of.window(Period.LIFETIME).canHold(more)) {
        return false;
      }
    }
    return true;
  }

  void hold(Charge more) {
    for (Pages of : pages) {
      for (Window window : of.windows()) {
        window.hold(more);
      }
    }
  }

  void free(Charge held) {
    for (Pages of : pages) {
      for (Window window : of.windows()) {
        window.free(held);
      }
    }
  }

  void settle(Charge charge, long beyond, Entry lastLine) {
    for (Pages of : pages) {
      for (Window window : of.windows()) {
        window.settle(charge, beyond, lastLine);
      }
    }
  }
}
