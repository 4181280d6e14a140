package io.strowger.stores.documents;

import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.store.AuditEntry;
import io.strowger.spi.store.AuditStore;
import io.strowger.spi.store.Document;
import io.strowger.stores.database.Database;
import io.strowger.stores.database.JsonColumn;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;

/** The audit log in a database. Entries are added by {@link JdbcDocuments#write}. */
public final class JdbcAudit implements AuditStore {
  private final Database database;
  private final JsonColumn json;

  public JdbcAudit(Database database, JsonCodec codec) {
    this.database = database;
    this.json = new JsonColumn(codec);
  }

  /** Adds an entry, in the transaction of the changes that the entry records. */
  static void append(Handle handle, AuditEntry entry, long revision) {
    handle
        .createUpdate(
            "INSERT INTO audit_entry (revision, id, workspace, made_at, body)"
                + " VALUES (:revision, :id, :workspace, :at, :body)")
        .bind("revision", revision)
        .bind("id", entry.id())
        .bind("workspace", entry.workspace())
        .bind("at", utc(entry.at()))
        .bind("body", JsonColumn.text(entry.body()))
        .execute();
  }

  @Override
  public Page list(Filter filter) {
    String workspace = filter.workspace();
    return workspace != null && !workspace.isEmpty() && !Document.isValidId(workspace)
        ? new Page(List.of(), 0)
        : database.inTransaction("list the audit log", handle -> list(handle, filter));
  }

  private Page list(Handle handle, Filter filter) {
    String condition =
        " FROM audit_entry WHERE 1 = 1"
            + (filter.workspace() == null ? "" : " AND workspace = :workspace")
            + (filter.after() == null ? "" : " AND made_at > :after")
            + (filter.before() == null ? "" : " AND made_at < :before");
    long total =
        bindFilter(handle.createQuery("SELECT count(*)" + condition), filter)
            .mapTo(Long.class)
            .one();
    String pageClause = " ORDER BY revision DESC LIMIT :limit OFFSET :offset";
    return new Page(
        bindFilter(
                handle.createQuery("SELECT id, workspace, made_at, body" + condition + pageClause),
                filter)
            .bind("limit", filter.limit())
            .bind("offset", filter.offset())
            .map((row, context) -> read(row))
            .list(),
        total);
  }

  private static <S extends SqlStatement<S>> S bindFilter(S query, Filter filter) {
    String workspace = filter.workspace();
    Instant after = filter.after();
    Instant before = filter.before();
    if (workspace != null) {
      query.bind("workspace", workspace);
    }
    if (after != null) {
      query.bind("after", utc(after));
    }
    if (before != null) {
      query.bind("before", utc(before));
    }
    return query;
  }

  private AuditEntry read(ResultSet row) throws SQLException {
    return new AuditEntry(
        row.getString("id"),
        row.getString("workspace"),
        row.getObject("made_at", OffsetDateTime.class).toInstant(),
        json.object(row.getString("body")));
  }

  /**
   * Deletes some of the entries that were made before a moment, the oldest first.
   *
   * @return how many were deleted; fewer than the maximum when there are no more
   */
  public static int deleteBefore(Handle handle, Instant before, int maxEntries) {
    return handle.execute(
        "DELETE FROM audit_entry WHERE revision IN (SELECT revision FROM audit_entry"
            + " WHERE made_at < ? ORDER BY made_at LIMIT ?)",
        utc(before),
        maxEntries);
  }

  private static OffsetDateTime utc(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }
}
