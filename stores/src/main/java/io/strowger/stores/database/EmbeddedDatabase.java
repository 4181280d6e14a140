package io.strowger.stores.database;

import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.StoreRefusedException;
import io.strowger.stores.files.OwnerOnlyFiles;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.h2.api.ErrorCode;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.RandomAccessStore;
import org.jspecify.annotations.Nullable;

/**
 * A database in a file, in this process. It is inspected through a read-only connection before it
 * is opened, so that a file that is refused is not changed.
 *
 * @param base the file without its extension
 */
record EmbeddedDatabase(Path base, String user, Credential password) implements DatabaseBackend {
  static final String PREFIX = DatabaseSettings.FILE_PREFIX;
  private static final String EXTENSION = ".mv.db";
  private static final String OPTIONS =
      ";TRACE_LEVEL_FILE=0;DB_CLOSE_ON_EXIT=FALSE;MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE"
          + ";DEFAULT_NULL_ORDERING=HIGH";
  // a commit may return a moment before it is written (force() waits for that); the database stays
  // open until we close it; a text of up to 64 KiB is stored in its row; the file is compacted only
  // while it is open, since the database's own compaction at the end enlarges it
  private static final String WRITE_OPTIONS =
      ";WRITE_DELAY=0;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=1500;MAX_LENGTH_INPLACE_LOB=65536"
          + ";MAX_COMPACT_TIME=0";
  private static final String CANNOT_WRITE =
      " cannot be written: make room on its disk and allow writing, or give another place";

  /** A file below this size is never compacted. */
  private static final long MIN_COMPACTED_BYTES = 16 << 20;

  /** The percentage of live data below which a part of the file, or the whole, is compacted. */
  private static final int MIN_FILL_PERCENT = 80;

  private static final int MAX_REWRITTEN_BYTES = 2 << 20; // bytes that are rewritten at once
  private static final String READ_OPTIONS = ";ACCESS_MODE_DATA=r;IFEXISTS=TRUE";

  static EmbeddedDatabase of(DatabaseSettings settings) {
    String path = settings.url().substring(PREFIX.length());
    if (path.indexOf(';') >= 0) {
      throw new StoreRefusedException(
          "the store's URL takes no options: give " + PREFIX + "PATH and nothing behind it", null);
    }
    if (path.endsWith(EXTENSION)) {
      path = path.substring(0, path.length() - EXTENSION.length());
    }
    return new EmbeddedDatabase(
        Path.of(path).toAbsolutePath().normalize(),
        Objects.requireNonNullElse(settings.user(), "strowger"),
        settings.password());
  }

  private Path file() {
    return base.resolveSibling(base.getFileName() + EXTENSION);
  }

  @Override
  public void inspect() {
    try {
      prepareDirectory();
      if (Files.exists(file()) && Files.size(file()) > 0) {
        inspectFile();
        OwnerOnlyFiles.restrictToOwner(file()); // an earlier version let others read it
      } else {
        OwnerOnlyFiles.createFile(file()); // else the database would make it readable for all
      }
    } catch (IOException e) {
      throw refusedBecause("cannot be read (" + e.getMessage() + "): give a file that can be", e);
    }
  }

  private void prepareDirectory() {
    Path directory = Objects.requireNonNull(base.getParent(), "a directory");
    try {
      OwnerOnlyFiles.createDirectories(directory);
    } catch (FileAlreadyExistsException e) {
      throw new StoreRefusedException(
          e.getFile() + " is not a directory: give the store a place in one", e);
    } catch (IOException e) {
      throw new StoreRefusedException(
          "cannot make the directory " + directory + ": make it or give another place", e);
    }
    if (!Files.isWritable(directory)) {
      throw new StoreRefusedException(
          "cannot write in the directory " + directory + ": allow it or give another place", null);
    }
  }

  private void inspectFile() throws IOException {
    if (!Files.isRegularFile(file())) {
      throw refusedBecause("is not a file: give another name", null);
    }
    if (!Files.isReadable(file()) || !Files.isWritable(file())) {
      throw refusedBecause("cannot be read and written: allow it or give another file", null);
    }
    switch (DatabaseFileHeader.of(file())) {
      case FOREIGN -> throw refusedBecause("belongs to another program: give another file", null);
      case TRUNCATED -> throw truncated(null);
      case PLAUSIBLE -> {
        inspectTables();
        inspectEnd();
      }
    }
  }

  private void inspectEnd() throws IOException {
    try {
      if (DatabaseFileHeader.endsEarly(file())) {
        throw truncated(null);
      }
    } catch (MVStoreException e) {
      throw truncated(e);
    }
  }

  private StoreRefusedException truncated(@Nullable Exception e) {
    return refusedBecause(
        "is cut short: restore a backup, or move the file away to start with an empty store", e);
  }

  /**
   * Inspects the tables through a read-only connection. The schema of another program has a name in
   * upper case, while this connection looks for one in lower case: that no schema is found means
   * that the file belongs to another program.
   */
  private void inspectTables() {
    String readOnly = PREFIX + base + OPTIONS + READ_OPTIONS;
    try (Connection connection = DriverManager.getConnection(readOnly, properties())) {
      try {
        inspectConnection(connection);
      } finally {
        shutDown(connection);
      }
    } catch (SQLException e) {
      throw e.getErrorCode() == ErrorCode.SCHEMA_NOT_FOUND_1
          ? Schema.foreignDatabase(file().toString())
          : failure(e);
    }
  }

  private void inspectConnection(Connection connection) throws SQLException {
    Schema.inspect(connection, file().toString());
    if (Schema.tableExists(connection, "document")) {
      readAllDocuments(connection);
    }
  }

  /** Shuts the database down; otherwise it would stay open for reading only. */
  private static void shutDown(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SHUTDOWN");
    }
  }

  /**
   * Reads all documents, which are few, so that a damaged one is found now and not by a request.
   */
  private static void readAllDocuments(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        var row =
            statement.executeQuery("SELECT sum(char_length(body)), count(id) FROM document")) {
      row.next();
    }
  }

  private StoreRefusedException refusedBecause(String why, @Nullable Exception e) {
    return new StoreRefusedException("the database " + file() + " " + why, e);
  }

  @Override
  public String url() {
    return PREFIX + base + OPTIONS + WRITE_OPTIONS;
  }

  @Override
  public Properties properties() {
    var properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", password.reveal());
    return properties;
  }

  @Override
  public @Nullable String connectionInitSql() {
    return null;
  }

  /** Returns no statements, since only one process can open the file. */
  @Override
  public List<String> migrationLock() {
    return List.of();
  }

  @Override
  public String exactCollation() {
    return "";
  }

  @Override
  public String bytesType() {
    return "BINARY LARGE OBJECT";
  }

  /**
   * Returns true: a commit writes the tables and the undo log of all transactions to the file, but
   * not at the same instant. With several writers, the file could have rows of an unfinished
   * transaction without the undo log for them.
   */
  @Override
  public boolean hasSingleWriter() {
    return true;
  }

  @Override
  public String forceSql() {
    return "CHECKPOINT SYNC";
  }

  /**
   * {@inheritDoc}
   *
   * <p>The database's own thread for this is switched off, since it runs beside transactions, which
   * is not safe when the process is killed. Blocks whose replacement may not be on the disk yet are
   * kept.
   */
  @Override
  public boolean compact(Connection connection) throws SQLException {
    if (!(connection.unwrap(JdbcConnection.class).getSession() instanceof SessionLocal session)
        || !(session.getDatabase().getStore().getMvStore().getFileStore()
            instanceof RandomAccessStore file)
        || file.size() < MIN_COMPACTED_BYTES) {
      return false;
    }
    MVStore store = session.getDatabase().getStore().getMvStore();
    long before = file.size();
    boolean rewritten =
        hasWastedSpace(connection) && store.compact(MIN_FILL_PERCENT, MAX_REWRITTEN_BYTES);
    file.compactMoveChunks(MIN_FILL_PERCENT, MAX_REWRITTEN_BYTES, store);
    return rewritten || file.size() < before;
  }

  /**
   * Returns whether space is wasted, not counting what the database will free soon without being
   * compacted, since otherwise the file would be rewritten again and again.
   */
  private static boolean hasWastedSpace(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        var row =
            statement.executeQuery(
                "SELECT CAST(setting_value AS INTEGER) FROM information_schema.settings"
                    + " WHERE setting_name = 'info.CHUNKS_FILL_RATE_RW'")) {
      return row.next() && row.getInt(1) < MIN_FILL_PERCENT;
    }
  }

  /** Closes the database for all connections. */
  @Override
  public String closingSql() {
    return "SHUTDOWN";
  }

  /** Returns false, since a file that cannot be opened stays so until someone changes it. */
  @Override
  public boolean isTransient(SQLException e) {
    return false;
  }

  @Override
  public String refusal(SQLException e) {
    if (isWriteFailure(e)) {
      return "the database " + file() + CANNOT_WRITE;
    }
    return "the database "
        + file()
        + switch (e.getErrorCode()) {
          case ErrorCode.DATABASE_ALREADY_OPEN_1 ->
              " is in use by another process: stop that, or give each a file of its own";
          case ErrorCode.WRONG_USER_OR_PASSWORD ->
              " was created with another user or password: set store.user and store.password to"
                  + " those, or give another file";
          case ErrorCode.FILE_VERSION_ERROR_1 ->
              " was written by a newer version, or is damaged: use that version, or restore a"
                  + " backup";
          case ErrorCode.FILE_CORRUPTED_1, ErrorCode.GENERAL_ERROR_1 ->
              " is damaged: restore a backup, or move the file away to start with an empty store";
          case ErrorCode.IO_EXCEPTION_1,
              ErrorCode.IO_EXCEPTION_2,
              ErrorCode.DATABASE_IS_READ_ONLY ->
              CANNOT_WRITE;
          default ->
              " cannot be opened (" + e.getMessage() + "): give another file, or restore a backup";
        };
  }

  @Override
  public String summary() {
    return "the file " + this;
  }

  private static boolean isWriteFailure(SQLException e) {
    Throwable cause = e;
    while (cause != null) {
      if (cause instanceof MVStoreException storeException
          && storeException.getErrorCode() == DataUtils.ERROR_WRITING_FAILED) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  /** Returns the file, not the user. */
  @Override
  public String toString() {
    return file().toString();
  }
}
