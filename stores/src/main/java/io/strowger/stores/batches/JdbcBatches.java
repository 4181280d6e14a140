package io.strowger.stores.batches;

import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.store.BatchQueue;
import io.strowger.spi.store.BatchStore;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.GenerationStore;
import io.strowger.stores.database.Database;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * Batches in a database. Many rows are written and removed in several small transactions, between
 * which other work is done. Each transaction takes two seconds at most.
 */
public final class JdbcBatches implements BatchStore {
  private static final String UNLISTED = "'" + Phase.RECEIVING + "', '" + Phase.REMOVED + "'";

  private final Database database;
  private final BatchRows rows;
  private final BatchContent content;
  private final JdbcBatchQueue queue;

  /**
   * @param node the id of this node
   * @param generations tells whether a claimed generation was billed
   * @param codec reads the bodies of batches
   */
  public JdbcBatches(Database database, String node, GenerationStore generations, JsonCodec codec) {
    this.database = database;
    this.rows = new BatchRows(codec);
    this.content = new BatchContent(database, rows);
    this.queue = new JdbcBatchQueue(database, rows, node, generations);
  }

  @Override
  public boolean add(Batch batch) {
    if (batch.phase() != Phase.RECEIVING || batch.version() != 1) {
      throw new IllegalArgumentException(
          "a new batch must be receiving and of version 1, was " + batch);
    }
    String columns = String.join(", ", BatchRows.FIGURE_COLUMNS);
    return database.inTransaction(
        "add a batch",
        handle ->
            BatchRows.bindVersion(
                        handle.createUpdate(
                            "INSERT INTO batch ("
                                + BatchRows.BATCH_COLUMNS
                                + ", turn, step_until, "
                                + columns
                                + ") VALUES (:id, :workspace, :phase, :status, :created, :due,"
                                + " :version, :total, 0, 0, :body, (SELECT COALESCE(MAX(turn) + 1,"
                                + " 0) FROM batch WHERE phase = 'OPEN'), :first, 0, 0, 0, 0, 0, 0,"
                                + " 0) ON CONFLICT DO NOTHING"),
                        batch)
                    .bind("workspace", batch.workspace())
                    .bind("created", DatabaseTimes.floor(batch.createdAt()))
                    .bind("first", DatabaseTimes.EPOCH)
                    .execute()
                == 1);
  }

  @Override
  public void addRequests(String batch, List<Request> requests) {
    content.add(batch, requests);
  }

  @Override
  public boolean replace(Batch next) {
    return database.inLastingTransaction(
        "change a batch",
        handle ->
            BatchRows.bindVersion(
                        handle.createUpdate(
                            """
                            UPDATE batch
                            SET phase = :phase, status = :status, due_at = :due, total = :total,
                                body = :body, version = :version, step_node = NULL,
                                step_until = :first
                            WHERE id = :id AND version = :version - 1
                            """),
                        next)
                    .bind("first", DatabaseTimes.EPOCH)
                    .execute()
                == 1);
  }

  @Override
  public @Nullable Batch find(String id) {
    return !Document.isValidId(id)
        ? null
        : database.query("find a batch", handle -> rows.find(handle, id));
  }

  @Override
  public List<Batch> list(Filter filter) {
    String after = filter.after();
    List<String> statuses = filter.statuses().stream().filter(Document::isValidId).toList();
    if (!Document.isValidId(filter.workspace())
        || after != null && !Document.isValidId(after)
        || statuses.isEmpty() != filter.statuses().isEmpty()) {
      return List.of();
    }
    return database.query("list batches", handle -> list(handle, filter, statuses));
  }

  private List<Batch> list(Handle handle, Filter filter, List<String> statuses) {
    OffsetDateTime afterCreated = null;
    if (filter.after() != null) {
      afterCreated = findCreationTime(handle, filter);
      if (afterCreated == null) {
        return List.of();
      }
    }
    Query query = handle.createQuery(listQuery(filter, statuses));
    query.bind("workspace", filter.workspace()).bind("limit", filter.limit());
    if (!statuses.isEmpty()) {
      query.bindList("statuses", statuses);
    }
    if (afterCreated != null) {
      query.bind("behind", afterCreated).bind("after", filter.after());
    }
    Instant later = filter.createdAfter();
    if (later != null) {
      query.bind("later", DatabaseTimes.floor(later));
    }
    Instant earlier = filter.createdBefore();
    if (earlier != null) {
      query.bind("earlier", DatabaseTimes.ceiling(earlier));
    }
    return query.map((row, context) -> rows.batch(row)).list();
  }

  /** Returns the query of a page, with parameters only for what the filter sets. */
  static String listQuery(Filter filter, List<String> statuses) {
    return "SELECT "
        + BatchRows.BATCH_COLUMNS
        + " FROM batch WHERE workspace = :workspace AND phase NOT IN ("
        + UNLISTED
        + ")"
        + (statuses.isEmpty() ? "" : " AND status IN (<statuses>)")
        + (filter.after() == null
            ? ""
            : " AND created_at <= :behind AND (created_at < :behind OR id < :after)")
        + (filter.createdAfter() == null ? "" : " AND created_at > :later")
        + (filter.createdBefore() == null ? "" : " AND created_at < :earlier")
        + " ORDER BY workspace, created_at DESC, id DESC LIMIT :limit";
  }

  private static @Nullable OffsetDateTime findCreationTime(Handle handle, Filter filter) {
    return handle
        .select(
            "SELECT created_at FROM batch WHERE id = ? AND workspace = ?",
            filter.after(),
            filter.workspace())
        .map((row, context) -> row.getObject(1, OffsetDateTime.class))
        .findOne()
        .orElse(null);
  }

  @Override
  public List<Request> requests(String batch, int firstNumber, long maxBytes) {
    return content.requests(batch, firstNumber, maxBytes);
  }

  @Override
  public List<AnsweredRequest> results(String batch, int firstNumber, long maxBytes) {
    return content.results(batch, firstNumber, maxBytes);
  }

  @Override
  public UsageAndCost usageAndCost(String batch) {
    return !Document.isValidId(batch)
        ? UsageAndCost.NONE
        : database.query(
            "add up a batch",
            handle ->
                handle
                    .select("SELECT * FROM batch WHERE id = ?", batch)
                    .map((row, context) -> BatchRows.readFigures(row))
                    .findOne()
                    .orElse(UsageAndCost.NONE));
  }

  @Override
  public int removeContent(String batch, int limit, boolean removeBatch) {
    return content.remove(batch, limit, removeBatch);
  }

  @Override
  public BatchQueue queue() {
    return queue;
  }
}
