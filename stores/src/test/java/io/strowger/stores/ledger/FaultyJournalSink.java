package io.strowger.stores.ledger;

import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.stores.journal.JournalCursor;
import io.strowger.stores.journal.JournalPosition;
import io.strowger.stores.journal.NumberedItem;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Makes groups of lines fail on their way into the database, and records that a test names. */
final class FaultyJournalSink implements JournalSink {
  private final PostingWriter postingWriter = new PostingWriter(new Kept());
  private final List<String> recorded = new ArrayList<>();
  private final List<String> lost = new ArrayList<>();
  private boolean beforeCommit;
  private boolean afterCommit;
  private String refused = "";
  private boolean underWay = true;
  private @Nullable GenerationRecordSink kept;

  /** The next group fails, and nothing of it is in the database. */
  void failBeforeCommit() {
    beforeCommit = true;
  }

  /** The next group is in the database, but nobody hears of it. */
  void failAfterCommit() {
    afterCommit = true;
  }

  /** Groups with a record whose id begins so fail, and nothing of them is in the database. */
  void refuse(String begin) {
    refused = begin;
  }

  /** Who hears of a record that was written down fails. */
  void failUnderWay() {
    underWay = false;
  }

  /** Nothing fails any more. */
  void end() {
    beforeCommit = false;
    afterCommit = false;
    refused = "";
    underWay = true;
  }

  /** Ids of records that came through, each as often as it did. */
  List<String> recorded() {
    return recorded;
  }

  /** Ids of records that were given up. */
  List<String> lost() {
    return lost;
  }

  @Override
  public JournalCursor select(JournalCursor journal) {
    return postingWriter.select(journal);
  }

  @Override
  public String column() {
    return postingWriter.column();
  }

  @Override
  public void write(Handle handle, String node, List<NumberedItem> items) {
    if (beforeCommit) {
      beforeCommit = false;
      throw new StoreUnavailableException("the database fails before it commits", null);
    }
    postingWriter.write(handle, node, items);
  }

  @Override
  public void delivered(List<NumberedItem> items) {
    if (afterCommit) {
      afterCommit = false;
      throw new StoreUnavailableException("the database does not answer any more", null);
    }
    postingWriter.delivered(items);
  }

  @Override
  public boolean isOptional() {
    return postingWriter.isOptional();
  }

  @Override
  public void skipped(NumberedItem item) {
    postingWriter.skipped(item);
  }

  /** Where records go, behind the faults. */
  GenerationRecordSink records(GenerationRecordSink behind) {
    kept = behind;
    return new Kept();
  }

  private final class Kept implements GenerationRecordSink {
    @Override
    public void appended(Generation record, JournalPosition position, boolean withLines) {
      if (!underWay) {
        throw new IllegalStateException("the record is not heard of");
      }
      if (kept != null) {
        kept.appended(record, position, withLines);
      }
    }

    @Override
    public void write(Handle handle, String node, List<NumberedItem> items) {
      for (NumberedItem numberedItem : items) {
        if (!refused.isEmpty() && numberedItem.item().toString().startsWith(refused)) {
          throw new StoreUnavailableException("the database does not take it", null);
        }
      }
      if (kept != null) {
        kept.write(handle, node, items);
      }
    }

    @Override
    public void delivered(List<NumberedItem> items, boolean withLines) {
      if (kept != null) {
        kept.delivered(items, withLines);
      }
      if (!withLines) {
        items.forEach(numberedItem -> recorded.add(numberedItem.item().toString()));
      }
    }

    @Override
    public void skipped(NumberedItem item) {
      lost.add(item.item().toString());
    }
  }
}
