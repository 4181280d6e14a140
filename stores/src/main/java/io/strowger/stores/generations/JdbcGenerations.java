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
    String id = generation.id();
    var item =
        new Item.Generation(
            id, generation.owner(), generation.at(), generation.row(), generation.content());
    try {
      Place place = journal.append(item);
      onTheirWay.put(id, place);
      if (place.number() < arrived) { // it was faster than this thread
        onTheirWay.remove(id, place);
      }
    } catch (RuntimeException cannot) {
      log.error("the record of {} is lost", id, cannot);
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
      return place != null && journal.read(place) instanceof Item.Generation item
          ? GenerationRows.read(item)
          : null;
    } catch (IOException e) {
      log.debug("{} has arrived in the database and left the journal", id, e);
      return null;
    }
  }

  @Override
  public void write(Handle handle, List<Numbered> items) {
    var found = new ArrayList<Item.Generation>();
    for (Numbered numbered : items) {
      if (numbered.item() instanceof Item.Generation generation) {
        found.add(generation);
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
    if (numbered.item() instanceof Item.Generation generation) {
      onTheirWay.computeIfPresent(
          generation.id(), (id, place) -> place.number() <= numbered.number() ? null : place);
    }
  }

  @Override
  public void lost(Numbered item) {
    log.error("the record of {} is lost: the database takes others and not this", item.item());
    forget(item);
  }
}
