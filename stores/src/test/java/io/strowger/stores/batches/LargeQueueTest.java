package io.strowger.stores.batches;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.BatchStore.Filter;
import io.strowger.stores.ServerExtension;
import io.strowger.stores.database.Database;
import io.strowger.stores.database.DatabaseSettings;
import io.strowger.tck.TestAmbient;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A queue of 100,000 requests in 300 batches")
@Tag("full")
class LargeQueueTest {
  @RegisterExtension static final ServerExtension SERVER = new ServerExtension();

  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Pattern SCANNED = Pattern.compile("scanCount: (\\d+)");

  /** The most rows a query may read: some hundred batches and the requests that it leases. */
  private static final int MAX_ROWS = 1500;

  private static final String NOT_YET = "TIMESTAMP WITH TIME ZONE '2026-11-22 12:00:00+00'";
  private static final String AT_ONCE = "TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00'";
  private static final String LAST_TEN = "batch = 'b298' AND number >= 49990";
  private static final String FIRST_TEN = "batch = 'b299' AND number < 10";

  @TempDir private Path directory;

  /**
   * Inserts two large batches, 298 batches of which no request can be leased, and 700 that are
   * over. Of one large batch the last ten requests can be leased, of the other all but the first
   * ten.
   */
  private static void fill(Database database, String series) {
    run(
        database,
        "INSERT INTO batch (id, workspace, phase, status, created_at, due_at, version, total,"
            + " completed, failed, body, turn, step_until, prompt_tokens, completion_tokens,"
            + " cached_tokens, reasoning_tokens, billed_nanos, overrun_nanos, byok_requests)"
            + " SELECT 'b' || x, 'w', CASE WHEN x < 300 THEN 'OPEN' ELSE 'OVER' END, 's',"
            + " TIMESTAMP WITH TIME ZONE '2026-11-20 12:00:00+00',"
            + " TIMESTAMP WITH TIME ZONE '2026-12-21 12:00:00+00', 2, 60000, 0, 0, '{}', 9,"
            + " TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00+00', 0, 0, 0, 0, 0, 0, 0 FROM "
            + series.formatted(0, 999));
    run(database, requests("'b' || x", "0", NOT_YET, series.formatted(0, 297)));
    for (int from = 0; from < 50_000; from += 1000) {
      String numbers = series.formatted(from, from + 999);
      run(database, requests("'b298'", "x", NOT_YET, numbers));
      run(database, requests("'b299'", "x", AT_ONCE, numbers));
    }
    run(database, "UPDATE batch_open SET ready_at = " + AT_ONCE + " WHERE " + LAST_TEN);
    run(database, "UPDATE batch_open SET ready_at = " + NOT_YET + " WHERE " + FIRST_TEN);
  }

  private static String requests(String batch, String number, String ready, String series) {
    return "INSERT INTO batch_open (batch, number, ready_at, attempts, claim_nanos) SELECT "
        + String.join(", ", batch, number, ready)
        + ", 0, 0 FROM "
        + series;
  }

  private static void run(Database database, String sql) {
    database.inTransaction("fill", handle -> handle.execute(sql));
  }

  private static List<String> queries() {
    var filter = new Filter("w", List.of(), "b5", null, null, 20);
    var all = new ArrayList<>(JdbcBatchQueue.STEPS);
    all.add(JdbcBatches.listQuery(filter, List.of()));
    all.add(RequestLeases.CANDIDATES);
    all.add(RequestLeases.candidates(RequestLeases.NOT_LAST));
    all.add(RequestLeases.candidates(RequestLeases.LAST));
    all.add(RequestLeases.NEVER_LEASED);
    all.add(RequestLeases.RETURNED);
    all.add(JdbcBatchQueue.UNLEASED_REQUESTS);
    return all;
  }

  private static String plan(Handle handle, String explain, String sql, String batch) {
    Query query = handle.createQuery(explain + sql);
    bind(query, sql, "batch", batch);
    bind(query, sql, "self", "node");
    bind(query, sql, "workspace", "w");
    bind(query, sql, "after", "b5");
    boolean fresh = sql.equals(RequestLeases.NEVER_LEASED);
    bind(query, sql, "from", fresh ? DatabaseTimes.EPOCH : DatabaseTimes.AFTER_EPOCH);
    bind(query, sql, "now", DatabaseTimes.floor(NOW));
    bind(query, sql, "claim_cutoff", DatabaseTimes.floor(NOW.minusSeconds(60)));
    bind(query, sql, "behind", DatabaseTimes.floor(NOW));
    bind(query, sql, "most", 20);
    bind(query, sql, "limit", 20);
    if (sql.contains("<last>")) {
      query.bindList("last", sql.contains("NOT IN") ? "v" : "w");
    }
    return String.join("\n", query.mapTo(String.class).list());
  }

  private static void bind(Query query, String sql, String name, Object value) {
    if (sql.contains(":" + name)) {
      query.bind(name, value);
    }
  }

  @Test
  @DisplayName("in a file reads few rows to lease requests, to take a step and to list batches")
  void file() {
    var settings =
        new DatabaseSettings("jdbc:h2:file:" + directory.resolve("store"), null, Credential.NONE);
    try (Database database = Database.open(settings, TestAmbient.realTime())) {
      fill(database, "SYSTEM_RANGE(%d, %d) AS r(x)");
      for (String sql : queries()) {
        for (String batch : List.of("b298", "b299")) {
          String plan =
              database.inTransaction(
                  "explain", handle -> plan(handle, "EXPLAIN ANALYZE ", sql, batch));
          var scanned = SCANNED.matcher(plan);
          int rows = 0;
          while (scanned.find()) {
            rows += Integer.parseInt(scanned.group(1));
          }
          assertThat(rows).as(plan).isBetween(1, MAX_ROWS);
        }
      }
    }
  }

  @Test
  @DisplayName("on a server reads few rows once the server has statistics of the rows")
  void server() {
    var settings =
        new DatabaseSettings(
            SERVER.url(SERVER.freshDatabase()), ServerExtension.USER, Credential.NONE);
    try (Database database = Database.open(settings, TestAmbient.realTime())) {
      fill(database, "generate_series(%d, %d) AS r(x)");
      database.query("analyze", handle -> handle.execute("ANALYZE"));
      for (String sql : queries()) {
        for (String batch : List.of("b298", "b299")) {
          String plan =
              database.inTransaction(
                  "explain", handle -> plan(handle, "EXPLAIN ANALYZE ", sql, batch));
          assertThat(plan)
              .doesNotContain("Seq Scan on batch_open")
              .doesNotContainPattern("Rows Removed by Filter: \\d{4}")
              .doesNotContainPattern("batch_open.*actual time=\\S+ rows=\\d{4}");
        }
      }
    }
  }
}
