package io.strowger.stores.documents;

import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.stores.database.Database;
import io.strowger.stores.database.JsonColumn;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Resources in a database. A writer locks the one row of {@code document_clock} until its
 * transaction ends, so that versions are compared and revisions assigned one after another; readers
 * never wait.
 */
public final class JdbcDocuments implements DocumentStore {
  /**
   * The maximum number of changes that are listed; with more, everything is reported as changed.
   */
  static final int MAX_CHANGES = 10_000;

  private final Database database;
  private final DocumentRows rows;

  public JdbcDocuments(Database database, JsonCodec codec) {
    this.database = database;
    this.rows = new DocumentRows(new JsonColumn(codec));
  }

  @Override
  public boolean write(List<Write> writes) {
    if (writes.isEmpty()) {
      return true;
    }
    return database.inLastingTransaction("write documents", handle -> write(handle, writes));
  }

  private boolean write(Handle handle, List<Write> writes) {
    handle.execute("UPDATE document_clock SET latest = latest + ?", writes.size());
    long revision = latest(handle) - writes.size();
    for (Write write : writes) {
      revision++;
      if (!rows.write(handle, write, revision)) {
        handle.rollback();
        return false;
      }
    }
    return true;
  }

  @Override
  public @Nullable Document find(String kind, String id) {
    return !Document.isValidId(kind) || !Document.isValidId(id)
        ? null
        : database.query("find a " + kind, handle -> rows.find(handle, kind, id));
  }

  @Override
  public Page list(Filter filter) {
    String group = filter.group();
    if (!Document.isValidId(filter.kind())
        || group != null && !group.isEmpty() && !Document.isValidId(group)) {
      return new Page(List.of(), 0);
    }
    return database.inTransaction("list " + filter.kind(), handle -> rows.list(handle, filter));
  }

  @Override
  public Changes changes(long after) {
    return database.inTransaction("learn what changed", handle -> changes(handle, after));
  }

  private Changes changes(Handle handle, long after) {
    long latest = latest(handle);
    if (after < 0 || after == latest) {
      return new Changes(latest, List.of(), false);
    }
    List<Ref> changed =
        handle
            .createQuery(
                """
                SELECT kind, id FROM document WHERE revision > :after
                UNION ALL
                SELECT kind, id FROM document_removal WHERE revision > :after
                LIMIT :most
                """)
            .bind("after", after)
            .bind("most", MAX_CHANGES + 1)
            .map((row, context) -> new Ref(row.getString(1), row.getString(2)))
            .list();
    // lastForgotten is read after the removals, since these may be deleted meanwhile; if the caller
    // is ahead of the store, the store was restored from a backup
    boolean everythingChanged =
        after > latest || after < lastForgotten(handle) || changed.size() > MAX_CHANGES;
    return new Changes(latest, everythingChanged ? List.of() : changed, everythingChanged);
  }

  /**
   * Deletes the records of some documents that were removed before a moment. A caller that asks for
   * older changes is told that everything may have changed.
   *
   * @return how many were deleted
   */
  public static int deleteRemovals(Handle handle, Instant before, int maxRemovals) {
    Long last =
        handle
            .select(
                """
                SELECT max(revision) FROM (
                  SELECT revision FROM document_removal WHERE removed_at < ?
                  ORDER BY revision LIMIT ?) old
                """,
                before.atOffset(ZoneOffset.UTC),
                maxRemovals)
            .mapTo(Long.class)
            .findOne()
            .orElse(null);
    if (last == null) {
      return 0;
    }
    handle.execute("UPDATE document_clock SET forgotten = ? WHERE forgotten < ?", last, last);
    return handle.execute("DELETE FROM document_removal WHERE revision <= ?", last);
  }

  private static long latest(Handle handle) {
    return handle.createQuery("SELECT latest FROM document_clock").mapTo(Long.class).one();
  }

  private static long lastForgotten(Handle handle) {
    return handle.createQuery("SELECT forgotten FROM document_clock").mapTo(Long.class).one();
  }
}
