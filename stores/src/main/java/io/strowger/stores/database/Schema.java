package io.strowger.stores.database;

import io.strowger.spi.store.StoreRefusedException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Checks to which program the tables belong and which version they have, and migrates them. */
final class Schema {
  /** The version of the newest migration. */
  static final int NEWEST = Migration.NEWEST;

  private static final String HISTORY = "strowger_schema";

  /** The history of migrations, in the form that earlier versions of the gateway wrote. */
  private static final String CREATE_HISTORY =
      """
      CREATE TABLE strowger_schema (
        "installed_rank" INTEGER NOT NULL PRIMARY KEY,
        "version" VARCHAR(50),
        "description" VARCHAR(200) NOT NULL,
        "type" VARCHAR(20) NOT NULL,
        "script" VARCHAR(1000) NOT NULL,
        "checksum" INTEGER,
        "installed_by" VARCHAR(100) NOT NULL,
        "installed_on" TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL,
        "execution_time" INTEGER NOT NULL,
        "success" BOOLEAN NOT NULL)
      """;

  private Schema() {}

  /**
   * Checks the tables without changing anything.
   *
   * @param place the place of the database, for the message
   * @throws StoreRefusedException when the tables are another program's or of a later version
   */
  static void inspect(Connection connection, String place) throws SQLException {
    if (!tableExists(connection, HISTORY)) {
      if (countTables(connection) > 0) {
        throw foreignDatabase(place);
      }
      return;
    }
    int version = version(connection);
    if (version > NEWEST) {
      throw new StoreRefusedException(
          "the database "
              + place
              + " was written by a later version (schema "
              + version
              + ", this one knows "
              + NEWEST
              + "): run that version, or restore an older backup",
          null);
    }
  }

  static StoreRefusedException foreignDatabase(String place) {
    return new StoreRefusedException(
        "the database "
            + place
            + " belongs to another program: give the gateway a database of its own",
        null);
  }

  private static int version(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT max(CAST(\"version\" AS INTEGER)) FROM "
                    + HISTORY
                    + " WHERE \"version\" IS NOT NULL AND \"success\"")) {
      row.next();
      return row.getInt(1);
    }
  }

  private static int countTables(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM information_schema.tables"
                    + " WHERE table_schema = CURRENT_SCHEMA")) {
      row.next();
      return row.getInt(1);
    }
  }

  static boolean tableExists(Connection connection, String table) throws SQLException {
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

  /**
   * Runs the migrations that did not run yet, one node at a time. On a server, either all of them
   * are done or none.
   *
   * @throws SQLException when a migration fails, or another node takes too long with its own
   */
  static void update(DatabaseBackend backend) throws SQLException {
    try (Connection connection = new BackendDataSource(backend).getConnection();
        Statement statement = connection.createStatement()) {
      // otherwise the history is read as it was before the wait for the lock
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      connection.setAutoCommit(false);
      for (String lock : backend.migrationLock()) {
        statement.execute(lock);
      }
      if (!tableExists(connection, HISTORY)) {
        statement.execute(CREATE_HISTORY);
      }
      for (int next = version(connection) + 1; next <= NEWEST; next++) {
        Migration migration = Migration.of(next);
        statement.execute(
            migration
                .sql()
                .replace("${exact}", backend.exactCollation())
                .replace("${bytes}", backend.bytesType()));
        record(connection, migration);
      }
      connection.commit();
    }
  }

  /** Writes the history as earlier versions did, so that they can open the database again. */
  private static void record(Connection connection, Migration migration) throws SQLException {
    try (PreparedStatement row =
        connection.prepareStatement(
            "INSERT INTO "
                + HISTORY
                + " (\"installed_rank\", \"version\", \"description\", \"type\", \"script\","
                + " \"checksum\", \"installed_by\", \"execution_time\", \"success\")"
                + " SELECT coalesce(max(\"installed_rank\"), 0) + 1, ?, ?, 'SQL', ?, ?,"
                + " CURRENT_USER, 0, TRUE FROM "
                + HISTORY)) {
      row.setString(1, String.valueOf(migration.number()));
      row.setString(2, migration.description());
      row.setString(3, migration.name());
      row.setInt(4, migration.checksum());
      row.executeUpdate();
    }
  }
}
