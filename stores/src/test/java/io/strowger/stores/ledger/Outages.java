package io.strowger.stores.ledger;

import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.stores.journal.Item;
import io.strowger.stores.journal.Numbered;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Makes groups fail on their way into the database, and says how many records came through. */
final class Outages implements Records {
  private boolean beforeCommit;
  private boolean afterCommit;
  private int records;

  /** The next group fails, and nothing of it is in the database. */
  void failBeforeCommit() {
    beforeCommit = true;
  }

  /** The next group is in the database, but nobody hears of it. */
  void failAfterCommit() {
    afterCommit = true;
  }

  /** Nothing fails any more. */
  void end() {
    beforeCommit = false;
    afterCommit = false;
  }

  int records() {
    return records;
  }

  @Override
  public void write(Handle handle, List<Numbered> items) {
    if (beforeCommit) {
      beforeCommit = false;
      throw new StoreUnavailableException("the database fails before it commits", null);
    }
    records += (int) items.stream().filter(i -> i.item() instanceof Item.Generation).count();
  }

  @Override
  public void arrived(List<Numbered> items) {
    if (afterCommit) {
      afterCommit = false;
      throw new StoreUnavailableException("the database does not answer any more", null);
    }
  }
}
