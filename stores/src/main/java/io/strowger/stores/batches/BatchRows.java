package io.strowger.stores.batches;

import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.store.BatchStore.AnsweredRequest;
import io.strowger.spi.store.BatchStore.Batch;
import io.strowger.spi.store.BatchStore.Counts;
import io.strowger.spi.store.BatchStore.Phase;
import io.strowger.spi.store.BatchStore.Request;
import io.strowger.spi.store.BatchStore.Result;
import io.strowger.spi.store.BatchStore.UsageAndCost;
import io.strowger.stores.database.JsonColumn;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.argument.Argument;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/** Maps batches, requests and results to rows and back. */
record BatchRows(JsonCodec codec) {
  static final String BATCH_COLUMNS =
      "id, workspace, phase, status, created_at, due_at, version, total, completed, failed, body";

  /**
   * The columns of usage and cost, in the order of {@link UsageAndCost}; results and batches have
   * them.
   */
  static final List<String> FIGURE_COLUMNS =
      List.of(
          "prompt_tokens",
          "completion_tokens",
          "cached_tokens",
          "reasoning_tokens",
          "billed_nanos",
          "overrun_nanos",
          "byok_requests");

  private static final BigDecimal MAX_FIGURE = BigDecimal.valueOf(Long.MAX_VALUE);

  @Nullable Batch find(Handle handle, String id) {
    return handle
        .select("SELECT " + BATCH_COLUMNS + " FROM batch WHERE id = ?", id)
        .map((row, context) -> batch(row))
        .findOne()
        .orElse(null);
  }

  static @Nullable Phase phase(Handle handle, String id, String lockClause) {
    return handle
        .select("SELECT phase FROM batch WHERE id = ?" + lockClause, id)
        .map((row, context) -> Phase.valueOf(row.getString(1)))
        .findOne()
        .orElse(null);
  }

  Batch batch(ResultSet row) throws SQLException {
    return new Batch(
        row.getString("id"),
        row.getString("workspace"),
        Phase.valueOf(row.getString("phase")),
        row.getString("status"),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        row.getObject("due_at", OffsetDateTime.class).toInstant(),
        row.getLong("version"),
        new Counts(row.getInt("total"), row.getInt("completed"), row.getInt("failed")),
        new JsonColumn(codec).object(row.getString("body")));
  }

  /** Binds the members of a batch that change from version to version, and its id. */
  static <S extends SqlStatement<S>> S bindVersion(S statement, Batch batch) {
    return statement
        .bind("id", batch.id())
        .bind("phase", batch.phase().name())
        .bind("status", batch.status())
        .bind("due", DatabaseTimes.floor(batch.dueAt()))
        .bind("version", batch.version())
        .bind("total", batch.counts().total())
        .bind("body", JsonColumn.text(batch.body()));
  }

  Request request(ResultSet row) throws SQLException {
    return new Request(
        row.getInt("number"), parseCustomId(row.getString("custom_id")), row.getBytes("body"));
  }

  AnsweredRequest answeredRequest(ResultSet row) throws SQLException {
    return new AnsweredRequest(
        row.getInt("number"), parseCustomId(row.getString("custom_id")), result(row));
  }

  private static Result result(ResultSet row) throws SQLException {
    return new Result(
        row.getBoolean("completed"),
        row.getString("generation"),
        row.getBytes("body"),
        readFigures(row));
  }

  /** Reads the figures of a result, or a batch's sums, capped at {@code Long.MAX_VALUE}. */
  static UsageAndCost readFigures(ResultSet row) throws SQLException {
    var figures = new long[FIGURE_COLUMNS.size()];
    for (int i = 0; i < figures.length; i++) {
      figures[i] = row.getBigDecimal(FIGURE_COLUMNS.get(i)).min(MAX_FIGURE).longValueExact();
    }
    return new UsageAndCost(
        figures[0], figures[1], figures[2], figures[3], figures[4], figures[5], figures[6]);
  }

  /** Binds figures by the names of their columns. */
  static <S extends SqlStatement<S>> S bindFigures(S statement, UsageAndCost usageAndCost) {
    return statement
        .bind("prompt_tokens", usageAndCost.promptTokens())
        .bind("completion_tokens", usageAndCost.completionTokens())
        .bind("cached_tokens", usageAndCost.cachedTokens())
        .bind("reasoning_tokens", usageAndCost.reasoningTokens())
        .bind("billed_nanos", usageAndCost.billedNanoUsd())
        .bind("overrun_nanos", usageAndCost.overrunNanoUsd())
        .bind("byok_requests", usageAndCost.byokRequests());
  }

  /** Binds a body of any length; H2 accepts at most a megabyte in a plain parameter. */
  static <S extends SqlStatement<S>> S bindBody(S statement, byte[] body) {
    Argument stream =
        (position, prepared, context) ->
            prepared.setBinaryStream(position, new ByteArrayInputStream(body), body.length);
    return statement.bind("body", stream);
  }

  static String customIdJson(Request request) {
    return new String(Json.of(request.customId()).toBytes(), StandardCharsets.UTF_8);
  }

  private String parseCustomId(String json) throws SQLException {
    try {
      if (codec.parse(json.getBytes(StandardCharsets.UTF_8)) instanceof Json.Str text) {
        return text.text();
      }
    } catch (JsonCodec.MalformedJsonException e) {
      throw new SQLException("a custom id is not JSON: " + e.getMessage(), e);
    }
    throw new SQLException("a custom id is not a JSON string");
  }
}
