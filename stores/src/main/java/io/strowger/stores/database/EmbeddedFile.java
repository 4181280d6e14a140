package io.strowger.stores.database;

import io.strowger.spi.provider.Credential;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * A database in a file, in this process.
 *
 * @param base the file without its ending
 */
record EmbeddedFile(Path base, String user, Credential password) implements Place {
  static final String PREFIX = "jdbc:h2:file:";
  private static final String ENDING = ".mv.db";
  // what is committed is with the operating system when commit returns; closed by us and not by a
  // hook of its own while requests still run; spoken to as the server is
  private static final String OPTIONS =
      ";TRACE_LEVEL_FILE=0;MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH"
          + ";WRITE_DELAY=0;DB_CLOSE_DELAY=-1;DB_CLOSE_ON_EXIT=FALSE;LOCK_TIMEOUT=1500";

  static EmbeddedFile of(DatabaseSettings settings) {
    String path = settings.url().substring(PREFIX.length());
    if (path.endsWith(ENDING)) {
      path = path.substring(0, path.length() - ENDING.length());
    }
    return new EmbeddedFile(
        Path.of(path).toAbsolutePath().normalize(),
        Objects.requireNonNullElse(settings.user(), "strowger"),
        settings.password());
  }

  @Override
  public void inspect() {}

  @Override
  public String url() {
    return PREFIX + base + OPTIONS;
  }

  @Override
  public Properties properties() {
    var properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", password.reveal());
    return properties;
  }

  @Override
  public @Nullable String greeting() {
    return null;
  }

  @Override
  public String exact() {
    return "";
  }

  @Override
  public String forcing() {
    return "CHECKPOINT SYNC";
  }

  @Override
  public String farewell() {
    return "SHUTDOWN";
  }

  @Override
  public String refusal(SQLException e) {
    return "cannot open the database " + base + ENDING + ": " + e.getMessage();
  }
}
