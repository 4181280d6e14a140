package io.strowger.stores.database;

import java.sql.SQLException;
import java.util.Objects;
import java.util.Properties;

/** A database server that several nodes may share. */
record Server(DatabaseSettings settings) implements Place {
  static final String PREFIX = "jdbc:postgresql://";

  @Override
  public void inspect() {}

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
    properties.setProperty("connectTimeout", "2"); // seconds, all of them
    properties.setProperty("loginTimeout", "2");
    properties.setProperty("socketTimeout", "2");
    properties.setProperty("tcpKeepAlive", "true");
    return properties;
  }

  /** Shorter than anybody waits: what nobody waits for any more is not to hold locks. */
  @Override
  public String greeting() {
    return "SET statement_timeout = 1500; SET lock_timeout = 1500;"
        + " SET idle_in_transaction_session_timeout = 5000";
  }

  @Override
  public String exact() {
    return "COLLATE \"C\"";
  }

  @Override
  public String forcing() {
    return "";
  }

  @Override
  public String farewell() {
    return "";
  }

  @Override
  public String refusal(SQLException e) {
    return "cannot open the database: " + e.getMessage();
  }
}
