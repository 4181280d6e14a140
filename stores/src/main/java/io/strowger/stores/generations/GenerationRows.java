package io.strowger.stores.generations;

import io.strowger.spi.store.GenerationStore.Generation;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The rows of records that earlier versions wrote, one for each record. They are read until they
 * expire.
 */
public final class GenerationRows {
  private GenerationRows() {}

  /**
   * Deletes some of the records from before a moment, the oldest first.
   *
   * @return how many were deleted; fewer than the maximum when there are no more
   */
  public static int deleteBefore(Handle handle, Instant before, int maxRecords) {
    return handle.execute(
        "DELETE FROM generation WHERE id IN (SELECT id FROM generation WHERE came_at < ?"
            + " ORDER BY came_at LIMIT ?)",
        before.atOffset(ZoneOffset.UTC),
        maxRecords);
  }

  static @Nullable Generation find(Handle handle, String id) {
    return handle
        .select("SELECT id, owner, came_at, record, content FROM generation WHERE id = ?", id)
        .map((row, context) -> read(row))
        .findOne()
        .orElse(null);
  }

  private static Generation read(ResultSet row) throws SQLException {
    String content = row.getString("content");
    return new Generation(
        row.getString("id"),
        row.getString("owner"),
        row.getObject("came_at", OffsetDateTime.class).toInstant(),
        row.getString("record").getBytes(StandardCharsets.UTF_8),
        content == null ? null : content.getBytes(StandardCharsets.UTF_8));
  }
}
