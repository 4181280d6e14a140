package io.strowger.stores.ledger;

import io.strowger.spi.store.Entry;
import io.strowger.spi.store.Posting;
import io.strowger.stores.journal.Cursor;
import io.strowger.stores.journal.Item;
import io.strowger.stores.journal.Numbered;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * Writes the lines of a group of postings, with the records that come with them, and raises what
 * their node spent.
 *
 * @param records hears of those that have arrived
 */
record Lines(Records records) implements Freight {
  @Override
  public Cursor of(Cursor journal) {
    return journal.ofLines();
  }

  @Override
  public String column() {
    return "flushed";
  }

  @Override
  public void arrived(List<Numbered> items) {
    records.arrived(items, true);
  }

  @Override
  public boolean isOptional() {
    return false;
  }

  @Override
  public void lost(Numbered item) {
    throw new IllegalStateException("ledger lines must not be skipped");
  }

  @Override
  public void write(Handle handle, String node, List<Numbered> items) {
    Map<List<Posting.Account>, Spent.Sum> all = new HashMap<>(); // most are of a few
    for (Numbered numbered : items) {
      if (numbered.item() instanceof Item.Lines(Posting posting)) {
        var sum = new Spent.Sum(posting.total(), last(posting));
        all.merge(posting.accounts(), sum, Spent.Sum::plus);
      }
    }
    if (all.isEmpty()) {
      return;
    }
    Blocks.write(handle, node, items);
    var sums = Spent.sums();
    all.forEach(
        (accounts, sum) -> accounts.forEach(each -> sums.merge(each, sum, Spent.Sum::plus)));
    Spent.raise(handle, node, sums);
  }

  private static Instant last(Posting posting) {
    Instant last = posting.entries().getFirst().at();
    for (Entry entry : posting.entries()) {
      last = entry.at().isAfter(last) ? entry.at() : last;
    }
    return last;
  }
}
