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

/** A sink that makes groups of lines, or named records, fail on their way to the database. */
final class FaultyJournalSink implements JournalSink {
  private final PostingWriter postingWriter = new PostingWriter(new FaultyRecordSink());
  private final List<String> deliveredIds = new ArrayList<>();
  private final List<String> skippedIds = new ArrayList<>();
  private boolean beforeCommit;
  private boolean afterCommit;
  private String refusedPrefix = "";
  private boolean acceptsAppended = true;
  private @Nullable GenerationRecordSink delegate;

  /** Makes the next group fail before it is committed. */
  void failBeforeCommit() {
    beforeCommit = true;
  }

  /** Makes the next group fail after it is committed. */
  void failAfterCommit() {
    afterCommit = true;
  }

  /** Makes groups fail before the commit if they have a record whose id begins like this. */
  void refuse(String begin) {
    refusedPrefix = begin;
  }

  /** Makes the notification of appended records fail. */
  void failOnAppended() {
    acceptsAppended = false;
  }

  /** Ends all failures. */
  void endFailures() {
    beforeCommit = false;
    afterCommit = false;
    refusedPrefix = "";
    acceptsAppended = true;
  }

  /** Returns the ids of delivered records, each as often as it was delivered. */
  List<String> deliveredIds() {
    return deliveredIds;
  }

  /** Returns the ids of records that were skipped. */
  List<String> skippedIds() {
    return skippedIds;
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

  /** Returns a sink of records with these faults before another sink. */
  GenerationRecordSink records(GenerationRecordSink sink) {
    delegate = sink;
    return new FaultyRecordSink();
  }

  private final class FaultyRecordSink implements GenerationRecordSink {
    @Override
    public void appended(Generation record, JournalPosition position, boolean withLines) {
      if (!acceptsAppended) {
        throw new IllegalStateException("the notification fails");
      }
      if (delegate != null) {
        delegate.appended(record, position, withLines);
      }
    }

    @Override
    public void write(Handle handle, String node, List<NumberedItem> items) {
      for (NumberedItem numberedItem : items) {
        if (!refusedPrefix.isEmpty() && numberedItem.item().toString().startsWith(refusedPrefix)) {
          throw new StoreUnavailableException("the database does not accept the record", null);
        }
      }
      if (delegate != null) {
        delegate.write(handle, node, items);
      }
    }

    @Override
    public void delivered(List<NumberedItem> items, boolean withLines) {
      if (delegate != null) {
        delegate.delivered(items, withLines);
      }
      if (!withLines) {
        items.forEach(numberedItem -> deliveredIds.add(numberedItem.item().toString()));
      }
    }

    @Override
    public void skipped(NumberedItem item) {
      skippedIds.add(item.item().toString());
    }
  }
}
