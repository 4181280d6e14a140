package io.strowger.stores.database;

import io.strowger.spi.store.StoreRefusedException;
import io.strowger.spi.store.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The kind of a database: where it is and how it differs from others. */
sealed interface DatabaseBackend permits EmbeddedDatabase, ServerDatabase {
  /**
   * Checks that there is a database of the gateway, or that one can be created. Changes nothing in
   * an existing one.
   *
   * @throws StoreRefusedException when it cannot be used
   * @throws StoreUnavailableException when that cannot be decided now, but may be later
   */
  void inspect();

  /** Returns the kind and place of the database, without anything secret. */
  String summary();

  /** Returns the URL that a driver connects to. */
  String url();

  /** Returns the properties of a connection: user, password and timeouts. */
  Properties properties();

  /** Returns the SQL to run on every new pooled connection; null for none. */
  @Nullable String connectionInitSql();

  /**
   * Returns the statements to run first in a transaction of a migration, so that only one node at a
   * time runs migrations.
   */
  List<String> migrationLock();

  /** Returns the SQL by which a text column is compared character by character. */
  String exactCollation();

  /** Returns the SQL type of a column of bytes of any length. */
  String bytesType();

  /**
   * Returns whether transactions must run one at a time, as otherwise a killed process may leave a
   * database in which committed rows are missing.
   */
  boolean hasSingleWriter();

  /** Returns the SQL that makes commits survive a power loss; empty where they do so anyway. */
  String forceSql();

  /**
   * Frees some of the space that is no longer needed, where the database does not do so itself. No
   * transaction may run meanwhile.
   *
   * @return whether there may be more to free
   */
  boolean compact(Connection connection) throws SQLException;

  /** Returns the SQL to run before the last connection is closed; empty for none. */
  String closingSql();

  /**
   * Returns one sentence that tells the operator why the database cannot be opened and what to do.
   */
  String refusal(SQLException e);

  /** Returns whether the database may open later without any change on this side. */
  boolean isTransient(SQLException e);

  /**
   * Returns the failure for a cause, however deeply it is nested: {@link StoreUnavailableException}
   * when another attempt may succeed, {@link StoreRefusedException} otherwise. Its message is a
   * sentence for the operator.
   */
  default RuntimeException failure(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sqlException) {
        return isTransient(sqlException)
            ? new StoreUnavailableException(refusal(sqlException), e)
            : new StoreRefusedException(refusal(sqlException), e);
      }
    }
    return new StoreRefusedException("cannot open the database " + this, e);
  }
}
