package io.strowger.stores.generations;

import io.strowger.spi.store.Document;
import io.strowger.spi.store.GenerationStore;
import io.strowger.stores.database.Database;
import io.strowger.stores.journal.Item;
import io.strowger.stores.journal.Journal;
import io.strowger.stores.journal.Numbered;
import io.strowger.stores.journal.Place;
import io.strowger.stores.ledger.Records;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records of finished requests. They go the way of the books: into the journal of this node, and
 * from there into the database in groups.
 */
public final class JdbcGenerations implements GenerationStore, Records {
  private static final Logger log = LoggerFactory.getLogger(JdbcGenerations.class);

  private final Database database;
  private final Journal journal;
  private final Map<String, Place> onTheirWay = new ConcurrentHashMap<>(); // by id
  private volatile long arrived; // items before this one are in the database

  public JdbcGenerations(Database database, Journal journal) {
    this.database = database;
    this.journal = journal;
  }

  @Override
  public void save(Generation generation) {
    try {
      underWay(generation, journal.append(new Item.Generation(generation)));
    } catch (RuntimeException cannot) {
      log.error("the record of {} is lost", generation, cannot);
    }
  }

  @Override
  public void underWay(Generation record, Place place) {
    // of two of one id the one that was written down later counts, whoever comes here first
    onTheirWay.merge(record.id(), place, (a, b) -> a.number() < b.number() ? b : a);
    if (place.number() < arrived) { // it was faster than this thread
      onTheirWay.remove(record.id(), place);
    }
  }

  @Override
  public @Nullable Generation find(String id) {
    if (!Document.isName(id)) {
      return null;
    }
    Generation underWay = underWay(id);
    return underWay != null
        ? underWay
        : database.ask("find a generation", handle -> GenerationRows.find(handle, id));
  }

  private @Nullable Generation underWay(String id) {
    Place place = onTheirWay.get(id);
    try {
      return place == null ? null : journal.read(place).record();
    } catch (IOException e) {
      log.debug("{} has arrived in the database and left the journal", id, e);
      return null;
    }
  }

  @Override
  public void write(Handle handle, List<Numbered> items) {
    var found = new ArrayList<Generation>();
    for (Numbered numbered : items) {
      Generation record = numbered.item().record();
      if (record != null) {
        found.add(record);
      }
    }
    if (!found.isEmpty()) {
      GenerationRows.save(handle, found);
    }
  }

  @Override
  public void arrived(List<Numbered> items) {
    arrived = items.getLast().number() + 1;
    items.forEach(this::forget);
  }

  /** It is on its way no more. */
  private void forget(Numbered numbered) {
    Generation record = numbered.item().record();
    if (record != null) {
      onTheirWay.computeIfPresent(
          record.id(), (id, place) -> place.number() <= numbered.number() ? null : place);
    }
  }

  @Override
  public void lost(Numbered item) {
    log.error("the record of {} is lost: the database takes others and not this", item.item());
    forget(item);
  }
}
