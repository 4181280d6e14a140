package io.strowger.stores.database;

import io.strowger.spi.store.StoreRefusedException;
import io.strowger.spi.store.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Where a database is, and what is peculiar to it. */
sealed interface DatabaseBackend permits EmbeddedDatabase, ServerDatabase {
  /**
   * Makes sure that there is a database of ours, or that one can be made there. Changes nothing of
   * what is there.
   *
   * @throws StoreRefusedException when not
   * @throws StoreUnavailableException when nobody can tell now, but may later
   */
  void inspect();

  /** What it is and where; nothing secret. */
  String summary();

  /** What a driver connects to. */
  String url();

  /** Who signs in, and how long a driver waits. */
  Properties properties();

  /** Said on every new connection that is kept; null for nothing. */
  @Nullable String connectionInitSql();

  /** Statements that begin a transaction which no other node may be in at the same time. */
  List<String> migrationLock();

  /** What makes a column of text compare by its characters. */
  String exact();

  /** The type of a column of bytes, however many. */
  String bytes();

  /**
   * Whether transactions must not run at the same time. Else a process that is killed may leave a
   * database behind in which committed rows are missing.
   */
  boolean oneWriterAtATime();

  /** Said so that what was committed survives a power loss; empty where it does anyway. */
  String forcing();

  /**
   * Gives some of the room back that nothing needs any more, where nobody else does so. No
   * transaction runs meanwhile.
   *
   * @return whether there may be more
   */
  boolean compact(Connection connection) throws SQLException;

  /** Said before the last connection is closed; empty for nothing. */
  String closingSql();

  /** What an operator is told when the database cannot be opened: one sentence. */
  String refusal(SQLException e);

  /** Whether the database may open later although nobody does anything here. */
  boolean isTransient(SQLException e);

  /**
   * The failure that fits what went wrong, however deep it is buried: {@link
   * StoreUnavailableException} when another attempt may succeed, {@link StoreRefusedException}
   * otherwise. Its message is a sentence for the operator.
   */
  default RuntimeException failure(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException found) {
        return isTransient(found)
            ? new StoreUnavailableException(refusal(found), e)
            : new StoreRefusedException(refusal(found), e);
      }
    }
    return new StoreRefusedException("cannot open the database " + this, e);
  }
}
