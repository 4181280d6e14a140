package io.strowger.stores.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Properties;

/** A database server that several nodes may share. */
record ServerDatabase(DatabaseSettings settings) implements DatabaseBackend {
  static final String PREFIX = "jdbc:postgresql://";

  /** The key of the advisory lock: "strowger" on a telephone keypad. */
  private static final long MIGRATION_LOCK_KEY = 78_769_437L;

  /** The prefix of the SQL states of connection failures. */
  private static final String CONNECTION_STATE_PREFIX = "08";

  /** The SQL state of a connection that the server rejects, as for a missing password. */
  private static final String REJECTED_STATE = "08004";

  @Override
  public void inspect() {
    try (Connection connection = DriverManager.getConnection(url(), properties())) {
      Schema.inspect(connection, toString());
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  @Override
  public String url() {
    return settings.url();
  }

  @Override
  public Properties properties() {
    var properties = new Properties();
    if (settings.user() != null) {
      properties.setProperty("user", Objects.requireNonNull(settings.user()));
    }
    if (!settings.password().isEmpty()) {
      properties.setProperty("password", settings.password().reveal());
    }
    properties.setProperty("ApplicationName", "strowger");
    properties.setProperty("connectTimeout", "2"); // seconds, for all of the connection attempt
    properties.setProperty("loginTimeout", "2");
    properties.setProperty("tcpKeepAlive", "true");
    return properties;
  }

  /**
   * Returns SQL that sets timeouts below those of callers, so that a statement that no caller waits
   * for any more holds no locks.
   */
  @Override
  public String connectionInitSql() {
    return "SET statement_timeout = 1500; SET lock_timeout = 1500;"
        + " SET idle_in_transaction_session_timeout = 5000";
  }

  /**
   * Returns statements that take an advisory lock, which ends with the transaction; a node that
   * waits for it for more than 20 seconds fails and tries again.
   */
  @Override
  public List<String> migrationLock() {
    return List.of(
        "SET LOCAL lock_timeout = 20000",
        "SELECT pg_advisory_xact_lock(" + MIGRATION_LOCK_KEY + ")");
  }

  @Override
  public String exactCollation() {
    return "COLLATE \"C\"";
  }

  @Override
  public String bytesType() {
    return "BYTEA";
  }

  @Override
  public boolean hasSingleWriter() {
    return false;
  }

  @Override
  public String forceSql() {
    return "";
  }

  /** Does nothing: a server frees space by itself. */
  @Override
  public boolean compact(Connection connection) {
    return false;
  }

  @Override
  public String closingSql() {
    return "";
  }

  /**
   * Returns whether the server is starting, stopping, full, locked or unreachable; any other
   * failure is permanent.
   */
  @Override
  public boolean isTransient(SQLException e) {
    String state = state(e);
    return switch (state) {
      // stopping, crashed, starting, full, locked
      case "57P01", "57P02", "57P03", "53300", "55P03" -> true;
      case REJECTED_STATE -> false;
      default -> state.startsWith(CONNECTION_STATE_PREFIX);
    };
  }

  private static String state(SQLException e) {
    return Objects.requireNonNullElse(e.getSQLState(), "");
  }

  @Override
  public String refusal(SQLException e) {
    String state = state(e);
    return switch (state) {
      case "28P01", "28000" ->
          "the database "
              + this
              + " does not accept this user and password: correct them beside store.url";
      case "3D000" -> "there is no database " + this + ": create it, or correct store.url";
      case "42501" ->
          "the user may not make tables in the database " + this + ": grant CREATE on its schema";
      case "53300" ->
          "the database " + this + " takes no more connections: free some, or allow more";
      case "57P03" -> "the database " + this + " is still starting: try again";
      case "55P03" -> "another node is updating the tables of the database " + this + ": try again";
      case REJECTED_STATE ->
          "the database "
              + this
              + " rejects the connection: give user and password beside store.url, and the options"
              + " it asks for";
      default ->
          state.startsWith(CONNECTION_STATE_PREFIX)
              ? "cannot reach the database " + this + ": start it, or correct store.url"
              : "the database " + this + " cannot be used (SQL state " + state + ")";
    };
  }

  @Override
  public String summary() {
    return "the server " + this;
  }

  /** Returns the place, without the user and the options after the name. */
  @Override
  public String toString() {
    String place = settings.url().substring(PREFIX.length());
    int end = place.indexOf('?');
    String withoutOptions = end < 0 ? place : place.substring(0, end);
    return withoutOptions.substring(withoutOptions.lastIndexOf('@') + 1);
  }
}
