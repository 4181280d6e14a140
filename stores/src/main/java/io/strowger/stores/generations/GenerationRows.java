package io.strowger.stores.generations;

import io.strowger.spi.json.Json;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.stores.journal.Item;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.LinkedHashMap;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Records to rows and back. */
record GenerationRows(JsonCodec codec) {
  /** Writes all; one of an id that is there takes its place, and the last of those of one id. */
  static void save(Handle handle, Collection<Item.Generation> items) {
    var generations = new LinkedHashMap<String, Item.Generation>();
    items.forEach(item -> generations.put(item.id(), item));
    var delete = handle.prepareBatch("DELETE FROM generation WHERE id = :id");
    var insert =
        handle.prepareBatch(
            "INSERT INTO generation (id, owner, came_at, record, content)"
                + " VALUES (:id, :owner, :came, :record, :content)");
    for (Item.Generation generation : generations.values()) {
      delete.bind("id", generation.id()).add();
      byte[] content = generation.content();
      insert
          .bind("id", generation.id())
          .bind("owner", generation.owner())
          .bind("came", generation.at().atOffset(ZoneOffset.UTC))
          .bind("record", text(generation.record()))
          .bind("content", content == null ? null : text(content))
          .add();
    }
    delete.execute();
    insert.execute();
  }

  private static String text(byte[] json) {
    return new String(json, StandardCharsets.UTF_8);
  }

  @Nullable Generation find(Handle handle, String id) {
    return handle
        .createQuery("SELECT id, owner, came_at, record, content FROM generation WHERE id = :id")
        .bind("id", id)
        .map((row, context) -> read(row))
        .findOne()
        .orElse(null);
  }

  private Generation read(ResultSet row) throws SQLException {
    String content = row.getString("content");
    return new Generation(
        row.getString("id"),
        row.getString("owner"),
        row.getObject("came_at", OffsetDateTime.class).toInstant(),
        body(row.getString("record")),
        content == null ? null : body(content));
  }

  /** One that is in the journal still. */
  Generation read(Item.Generation item) throws SQLException {
    byte[] content = item.content();
    return new Generation(
        item.id(),
        item.owner(),
        item.at(),
        body(item.record()),
        content == null ? null : body(content));
  }

  private Json.Obj body(String text) throws SQLException {
    return body(text.getBytes(StandardCharsets.UTF_8));
  }

  private Json.Obj body(byte[] json) throws SQLException {
    try {
      if (codec.parse(json) instanceof Json.Obj body) {
        return body;
      }
    } catch (JsonCodec.MalformedJson e) {
      throw new SQLException("a record is not JSON: " + e.getMessage(), e);
    }
    throw new SQLException("a record is not a JSON object");
  }
}
