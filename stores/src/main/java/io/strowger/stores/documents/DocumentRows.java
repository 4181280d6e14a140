package io.strowger.stores.documents;

import io.strowger.spi.store.AuditEntry;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore.Filter;
import io.strowger.spi.store.DocumentStore.Page;
import io.strowger.spi.store.DocumentStore.Write;
import io.strowger.stores.database.JsonColumn;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** Maps documents to rows and back. */
record DocumentRows(JsonColumn json) {
  private static final String COLUMNS =
      "kind, id, listed_in, hidden, version, created_at, updated_at, body";

  /**
   * Applies a change. Returns false when the document is not in the state that the change requires.
   */
  boolean write(Handle handle, Write write, long revision) {
    return switch (write) {
      case Write.Insert(Document document) ->
          document.version() == 1 && insert(handle, document, revision);
      case Write.Replace(Document document) -> replace(handle, document, revision);
      case Write.Remove remove -> remove(handle, remove, revision);
      case Write.Append(AuditEntry entry) -> {
        JdbcAudit.append(handle, entry, revision);
        yield true;
      }
    };
  }

  private static boolean insert(Handle handle, Document document, long revision) {
    var insert =
        handle.createUpdate(
            "INSERT INTO document ("
                + COLUMNS
                + ", revision) VALUES (:kind, :id, :group, :hidden, :version, :created, :updated,"
                + " :body, :revision) ON CONFLICT DO NOTHING");
    return bindDocument(insert, document, revision).execute() == 1;
  }

  private static boolean replace(Handle handle, Document document, long revision) {
    var update =
        handle.createUpdate(
            """
            UPDATE document
            SET listed_in = :group, hidden = :hidden, version = :version, created_at = :created,
                updated_at = :updated, body = :body, revision = :revision
            WHERE kind = :kind AND id = :id AND version = :version - 1
            """);
    return bindDocument(update, document, revision).execute() == 1;
  }

  private static <S extends SqlStatement<S>> S bindDocument(
      S statement, Document document, long revision) {
    return statement
        .bind("kind", document.kind())
        .bind("id", document.id())
        .bind("group", document.group())
        .bind("hidden", document.hidden())
        .bind("version", document.version())
        .bind("created", utc(document.createdAt()))
        .bind("updated", utc(document.updatedAt()))
        .bind("body", JsonColumn.text(document.body()))
        .bind("revision", revision);
  }

  private static boolean remove(Handle handle, Write.Remove remove, long revision) {
    int removed =
        handle.execute(
            "DELETE FROM document WHERE kind = ? AND id = ? AND version = ?",
            remove.kind(),
            remove.id(),
            remove.version());
    return removed == 1
        && handle.execute(
                "INSERT INTO document_removal (revision, kind, id, removed_at)"
                    + " VALUES (?, ?, ?, CURRENT_TIMESTAMP)",
                revision,
                remove.kind(),
                remove.id())
            == 1;
  }

  @Nullable Document find(Handle handle, String kind, String id) {
    return handle
        .select("SELECT " + COLUMNS + " FROM document WHERE kind = ? AND id = ?", kind, id)
        .map((row, context) -> read(row))
        .findOne()
        .orElse(null);
  }

  Page list(Handle handle, Filter filter) {
    String condition =
        " FROM document WHERE kind = :kind"
            + (filter.group() == null ? "" : " AND listed_in = :group")
            + (filter.hidden() ? "" : " AND NOT hidden");
    long total =
        bindFilter(handle.createQuery("SELECT count(*)" + condition), filter)
            .mapTo(Long.class)
            .one();
    String pageClause = " ORDER BY " + order(filter) + ", id LIMIT :limit OFFSET :offset";
    return new Page(
        bindFilter(handle.createQuery("SELECT " + COLUMNS + condition + pageClause), filter)
            .bind("limit", filter.limit())
            .bind("offset", filter.offset())
            .map((row, context) -> read(row))
            .list(),
        total);
  }

  private static <S extends SqlStatement<S>> S bindFilter(S query, Filter filter) {
    String group = filter.group();
    S withKind = query.bind("kind", filter.kind());
    return group == null ? withKind : withKind.bind("group", group);
  }

  private static String order(Filter filter) {
    return switch (filter.order()) {
      case OLDEST_FIRST -> "created_at";
      case NEWEST_FIRST -> "created_at DESC";
      case LAST_UPDATED_FIRST -> "updated_at DESC";
    };
  }

  private Document read(ResultSet row) throws SQLException {
    return new Document(
        row.getString("kind"),
        row.getString("id"),
        row.getString("listed_in"),
        row.getBoolean("hidden"),
        row.getLong("version"),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        row.getObject("updated_at", OffsetDateTime.class).toInstant(),
        json.object(row.getString("body")));
  }

  private static OffsetDateTime utc(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }
}
