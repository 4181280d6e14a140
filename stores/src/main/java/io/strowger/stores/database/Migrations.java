package io.strowger.stores.database;

import java.util.Map;
import org.flywaydb.core.Flyway;

/** The tables, brought up to date by numbered files that are never changed again. */
final class Migrations {
  static final String TABLE = "strowger_schema";

  private Migrations() {}

  static void run(Place place) {
    Flyway.configure(Migrations.class.getClassLoader())
        .dataSource(new Connections(place))
        .locations("classpath:io/strowger/stores/migrations")
        .table(TABLE)
        .placeholders(Map.of("exact", place.exact()))
        .load()
        .migrate();
  }
}
