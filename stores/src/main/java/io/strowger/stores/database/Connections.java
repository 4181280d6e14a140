package io.strowger.stores.database;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** New connections to a place. Nothing outside of the drivers sees its URL or its password. */
record Connections(Place place) implements DataSource {
  @Override
  public Connection getConnection() throws SQLException {
    return DriverManager.getConnection(place.url(), place.properties());
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("one user only");
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
    // the place says it
  }

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("not by the JDK's loggers");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    throw new SQLException("wraps nothing");
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return false;
  }

  /** The place may carry secrets. */
  @Override
  public String toString() {
    return "connections to the store";
  }
}
