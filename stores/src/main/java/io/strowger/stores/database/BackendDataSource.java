package io.strowger.stores.database;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Opens new connections to a database. Only the drivers see its URL and password.
 *
 * @param readTimeout how long a server may send nothing to a waiting client before the connection
 *     is treated as broken, since the network may fail silently; zero for no limit
 */
record BackendDataSource(DatabaseBackend backend, Duration readTimeout) implements DataSource {
  BackendDataSource(DatabaseBackend backend) {
    this(backend, Duration.ZERO);
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection connection = DriverManager.getConnection(backend.url(), backend.properties());
    try {
      connection.setNetworkTimeout(Runnable::run, (int) readTimeout.toMillis());
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
    return connection;
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("only the configured user can connect");
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) {
    // drivers are not asked to log
  }

  @Override
  public void setLoginTimeout(int seconds) {
    // the backend's properties set it
  }

  /** Returns how many seconds a closing pool waits for a connection that is being made. */
  @Override
  public int getLoginTimeout() {
    return 2;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("java.util.logging is not used");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("wraps nothing");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }

  /** Returns a text without the URL, which may contain secrets. */
  @Override
  public String toString() {
    return "connections to the store";
  }
}
