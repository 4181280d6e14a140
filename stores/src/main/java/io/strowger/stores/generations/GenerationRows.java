package io.strowger.stores.generations;

import io.strowger.spi.store.GenerationStore.Generation;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Records to rows and back. */
public final class GenerationRows {
  private GenerationRows() {}

  /** Writes all; one of an id that is there takes its place, and the last of those of one id. */
  static void save(Handle handle, Collection<Generation> items) {
    var generations = new LinkedHashMap<String, Generation>();
    items.forEach(item -> generations.put(item.id(), item));
    var delete = handle.prepareBatch("DELETE FROM generation WHERE id = :id");
    var insert =
        handle.prepareBatch(
            "INSERT INTO generation (id, owner, came_at, record, content)"
                + " VALUES (:id, :owner, :came, :record, :content)");
    for (Generation generation : generations.values()) {
      delete.bind("id", generation.id()).add();
      byte[] content = generation.content();
      insert
          .bind("id", generation.id())
          .bind("owner", generation.owner())
          .bind("came", generation.at().atOffset(ZoneOffset.UTC))
          .bind("record", rowText(generation.row()))
          .bind("content", content == null ? null : text(content))
          .add();
    }
    delete.execute();
    insert.execute();
  }

  /**
   * Deletes some of those that came before a moment, the oldest first.
   *
   * @return how many; fewer than asked for when there are no more
   */
  public static int forget(Handle handle, Instant before, int most) {
    return handle
        .createUpdate(
            "DELETE FROM generation WHERE id IN (SELECT id FROM generation WHERE came_at < :before"
                + " ORDER BY came_at LIMIT :most)")
        .bind("before", before.atOffset(ZoneOffset.UTC))
        .bind("most", most)
        .execute();
  }

  private static String text(byte[] json) {
    return new String(json, StandardCharsets.UTF_8);
  }

  /** Rows of earlier versions are JSON, which stays readable; others are not text. */
  private static String rowText(byte[] row) {
    return isJson(row) ? text(row) : Base64.getEncoder().encodeToString(row);
  }

  private static boolean isJson(byte[] row) {
    return row.length > 0 && row[0] == '{';
  }

  static @Nullable Generation find(Handle handle, String id) {
    return handle
        .createQuery("SELECT id, owner, came_at, record, content FROM generation WHERE id = :id")
        .bind("id", id)
        .map((row, context) -> read(row))
        .findOne()
        .orElse(null);
  }

  private static Generation read(ResultSet row) throws SQLException {
    String record = row.getString("record");
    String content = row.getString("content");
    return new Generation(
        row.getString("id"),
        row.getString("owner"),
        row.getObject("came_at", OffsetDateTime.class).toInstant(),
        record.startsWith("{")
            ? record.getBytes(StandardCharsets.UTF_8)
            : Base64.getDecoder().decode(record),
        content == null ? null : content.getBytes(StandardCharsets.UTF_8));
  }
}
