package io.strowger.stores.database;

import io.strowger.spi.store.StoreRefusedException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.flywaydb.core.Flyway;

/** The tables: whose they are, which version, and how they are brought up to date. */
final class Schema {
  /** The newest of the numbered files. */
  static final int NEWEST = 3;

  private static final String HISTORY = "strowger_schema";

  private Schema() {}

  /**
   * Only reads.
   *
   * @param where for the operator
   * @throws StoreRefusedException when the tables are not ours, or of a later version of us
   */
  static void inspect(Connection connection, String where) throws SQLException {
    if (!isThere(connection, HISTORY)) {
      if (tables(connection) > 0) {
        throw foreign(where);
      }
      return;
    }
    int version = version(connection);
    if (version > NEWEST) {
      throw new StoreRefusedException(
          "the database "
              + where
              + " was written by a later version (schema "
              + version
              + ", this one knows "
              + NEWEST
              + "): run that version, or put back a copy from before",
          null);
    }
  }

  static StoreRefusedException foreign(String where) {
    return new StoreRefusedException(
        "the database " + where + " is of another program: give one of its own", null);
  }

  private static int version(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT max(CAST(\"version\" AS INTEGER)) FROM "
                    + HISTORY
                    + " WHERE \"version\" IS NOT NULL")) {
      row.next();
      return row.getInt(1);
    }
  }

  private static int tables(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM information_schema.tables"
                    + " WHERE table_schema = CURRENT_SCHEMA")) {
      row.next();
      return row.getInt(1);
    }
  }

  static boolean isThere(Connection connection, String table) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT count(*) FROM information_schema.tables"
                + " WHERE table_schema = CURRENT_SCHEMA AND table_name = ?")) {
      statement.setString(1, table);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getInt(1) > 0;
      }
    }
  }

  /** Runs the numbered files that did not run here yet. */
  static void update(Place place) {
    Flyway.configure(Schema.class.getClassLoader())
        .dataSource(new Connections(place))
        .locations("classpath:io/strowger/stores/migrations")
        .table(HISTORY)
        .placeholders(Map.of("exact", place.exact()))
        .loggers(Silence.class.getName())
        .load()
        .migrate();
  }
}
