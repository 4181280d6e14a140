package io.strowger.stores.ledger;

import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Posting;
import io.strowger.stores.journal.JournalCursor;
import io.strowger.stores.journal.JournalItem;
import io.strowger.stores.journal.NumberedItem;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * Writes the ledger lines of a group of postings, with the records that come with them, and adds
 * their charges to the node's spending.
 *
 * @param records notified of written records
 */
record PostingWriter(GenerationRecordSink records) implements JournalSink {
  @Override
  public JournalCursor select(JournalCursor journal) {
    return journal.ofLines();
  }

  @Override
  public String column() {
    return "flushed";
  }

  @Override
  public void delivered(List<NumberedItem> items) {
    records.delivered(items, true);
  }

  @Override
  public boolean isOptional() {
    return false;
  }

  @Override
  public void skipped(NumberedItem item) {
    throw new IllegalStateException("ledger lines must not be skipped");
  }

  @Override
  public void write(Handle handle, String node, List<NumberedItem> items) {
    Map<List<Posting.Account>, NodeSpending.Sum> spending = new HashMap<>(); // usually few
    for (NumberedItem numberedItem : items) {
      if (numberedItem.item() instanceof JournalItem.Lines(Posting posting)) {
        var sum = new NodeSpending.Sum(posting.total(), latestTime(posting));
        spending.merge(posting.accounts(), sum, NodeSpending.Sum::plus);
      }
    }
    if (spending.isEmpty()) {
      return;
    }
    JournalBlocks.write(handle, node, items);
    var sums = NodeSpending.sums();
    spending.forEach(
        (accounts, sum) -> accounts.forEach(each -> sums.merge(each, sum, NodeSpending.Sum::plus)));
    NodeSpending.addSpending(handle, node, sums);
  }

  private static Instant latestTime(Posting posting) {
    Instant last = posting.entries().getFirst().at();
    for (LedgerEntry entry : posting.entries()) {
      last = entry.at().isAfter(last) ? entry.at() : last;
    }
    return last;
  }
}
