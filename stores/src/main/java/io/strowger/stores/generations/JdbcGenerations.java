package io.strowger.stores.generations;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.store.GenerationStore;
import io.strowger.stores.database.Database;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records of finished requests, written behind the requests' backs. */
public final class JdbcGenerations implements GenerationStore, AutoCloseable {
  private final GenerationRows rows;
  private final Database database;

  public JdbcGenerations(Database database, JsonCodec codec, Ambient ambient) {
    this.database = database;
    this.rows = new GenerationRows(codec);
  }

  @Override
  public void save(Generation generation) {
    database.inTransaction(
        "save generations",
        handle -> {
          rows.save(handle, List.of(generation));
          return true;
        });
  }

  @Override
  public @Nullable Generation find(String id) {
    return database.ask("find a generation", handle -> rows.find(handle, id));
  }

  @Override
  public void close() {}
}
