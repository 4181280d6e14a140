package io.strowger.stores.generations;

import io.strowger.spi.store.Document;
import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.stores.database.Database;
import io.strowger.stores.journal.Journal;
import io.strowger.stores.journal.JournalItem;
import io.strowger.stores.journal.JournalPosition;
import io.strowger.stores.journal.NumberedItem;
import io.strowger.stores.ledger.GenerationRecordSink;
import io.strowger.stores.ledger.JournalBlocks;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores records of finished requests, like ledger lines: first in the journal of this node, and
 * from there in the database in groups.
 */
public final class JdbcGenerations implements GenerationStore, GenerationRecordSink {
  private static final Logger log = LoggerFactory.getLogger(JdbcGenerations.class);

  private final Database database;
  private final Journal journal;
  private final Map<String, JournalPosition> undelivered = new ConcurrentHashMap<>(); // by id

  // items with ledger lines that come before this number are in the database
  private volatile long deliveredWithLines;

  // items without ledger lines that come before this number are in the database
  private volatile long deliveredAlone;

  public JdbcGenerations(Database database, Journal journal) {
    this.database = database;
    this.journal = journal;
  }

  @Override
  public void save(Generation generation) {
    try {
      appended(generation, journal.append(new JournalItem.Generation(generation)), false);
    } catch (RuntimeException failure) {
      log.error(
          "the record of {} could not be written to the journal and is lost", generation, failure);
    }
  }

  @Override
  public void appended(Generation record, JournalPosition position, boolean withLines) {
    // of two records with one id the later item counts, whichever thread gets here first
    undelivered.merge(record.id(), position, (a, b) -> a.number() < b.number() ? b : a);
    if (position.number()
        < (withLines ? deliveredWithLines : deliveredAlone)) { // delivery was faster
      undelivered.remove(record.id(), position);
    }
  }

  @Override
  public @Nullable Generation find(String id) {
    if (!Document.isValidId(id)) {
      return null;
    }
    Generation journaled = findUndelivered(id);
    return journaled != null
        ? journaled
        : database.query("find a generation", handle -> find(handle, id));
  }

  private static @Nullable Generation find(Handle handle, String id) {
    IOException unreadable = null;
    Generation blockRecord = null;
    try {
      blockRecord = JournalBlocks.find(handle, id);
    } catch (IOException e) {
      unreadable = e;
    }
    Generation record = blockRecord == null ? GenerationRows.find(handle, id) : blockRecord;
    if (record == null && unreadable != null) {
      throw new StoreUnavailableException("the record of " + id + " cannot be read", unreadable);
    }
    return record;
  }

  private @Nullable Generation findUndelivered(String id) {
    JournalPosition position = undelivered.get(id);
    try {
      return position == null ? null : journal.read(position).record();
    } catch (IOException e) {
      log.debug("{} has arrived in the database and left the journal", id, e);
      return null;
    }
  }

  @Override
  public void write(Handle handle, String node, List<NumberedItem> items) {
    JournalBlocks.replace(handle, node, items);
  }

  @Override
  public void delivered(List<NumberedItem> items, boolean withLines) {
    long next = items.getLast().number() + 1;
    if (withLines) {
      deliveredWithLines = next;
    } else {
      deliveredAlone = next;
    }
    items.forEach(this::removeDelivered);
  }

  /** Removes a record that was delivered or skipped, unless a later record has the same id. */
  private void removeDelivered(NumberedItem numberedItem) {
    Generation record = numberedItem.item().record();
    if (record != null) {
      undelivered.computeIfPresent(
          record.id(),
          (id, position) -> position.number() <= numberedItem.number() ? null : position);
    }
  }

  @Override
  public void skipped(NumberedItem item) {
    log.error("the record of {} is lost: the database rejects it", item.item());
    removeDelivered(item);
  }
}
