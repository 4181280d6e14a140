package io.strowger.stores.database;

import io.strowger.spi.ambient.Ambient;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.ConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool of at most eight open connections. A connection that was idle for a while is validated
 * before it is given out, and a broken one is replaced. Safe on any thread.
 *
 * <p>This pool does not use a library, because a pool library on the class path of a host could
 * become the pool of the host's own database.
 */
final class JdbcConnectionPool implements ConnectionFactory, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcConnectionPool.class);

  private static final int MAX_CONNECTIONS = 8;
  private static final Duration ACQUIRE_TIMEOUT = Duration.ofSeconds(1);
  private static final Duration VALIDATION_TIMEOUT = Duration.ofMillis(500);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

  /** The idle time up to which a connection is reused without a check. */
  private static final Duration UNCHECKED_IDLE_TIME = Duration.ofMillis(500);

  /** The age at which a connection is replaced, since network devices often drop old ones. */
  private static final Duration MAX_AGE = Duration.ofMinutes(30);

  /**
   * How long a server may send nothing. Its own timeouts end every statement long before that, so a
   * server that is silent for longer cannot be reached.
   */
  static final Duration READ_TIMEOUT = Duration.ofSeconds(5);

  private final DatabaseBackend backend;
  private final Ambient ambient;
  private final BackendDataSource connections;
  private final Semaphore permits = new Semaphore(MAX_CONNECTIONS, true);
  private final ConcurrentLinkedDeque<IdleConnection> idle =
      new ConcurrentLinkedDeque<>(); // most recently used first
  private final Set<PooledConnection> leased = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** A connection that is not in use. */
  private record IdleConnection(PooledConnection connection, long sinceNanos) {}

  /** A connection and when it was made; compared by identity. */
  private static final class PooledConnection {
    final Connection connection;
    final long createdNanos;

    PooledConnection(Connection connection, long createdNanos) {
      this.connection = connection;
      this.createdNanos = createdNanos;
    }
  }

  JdbcConnectionPool(DatabaseBackend backend, Ambient ambient) {
    this.backend = backend;
    this.ambient = ambient;
    this.connections = new BackendDataSource(backend, READ_TIMEOUT);
  }

  /**
   * Gives out a connection, at read committed, until {@link #closeConnection} takes it back.
   *
   * @throws SQLException when no connection is free within a second or can be made, or when this
   *     pool is closed
   */
  @Override
  public Connection openConnection() throws SQLException {
    requirePermit();
    PooledConnection pooled = null;
    try {
      pooled = take();
      leased.add(pooled);
      if (closed) { // closed meanwhile: close() may have missed it
        throw new SQLTransientConnectionException("the pool is closed");
      }
      return pooled.connection;
    } catch (SQLException | RuntimeException | Error e) {
      if (pooled != null) {
        leased.remove(pooled);
        closeQuietly(pooled.connection);
      }
      permits.release();
      throw e;
    }
  }

  private void requirePermit() throws SQLException {
    try {
      if (!closed && permits.tryAcquire(ACQUIRE_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new SQLTransientConnectionException(
        closed ? "the pool is closed" : "no connection is free");
  }

  private PooledConnection take() throws SQLException {
    for (IdleConnection next = idle.pollFirst(); next != null; next = idle.pollFirst()) {
      if (isUsable(next)) {
        return next.connection();
      }
      closeQuietly(next.connection().connection);
      closeIdle(); // what broke one probably broke the others, and checking each takes long
    }
    return new PooledConnection(connect(), ambient.nanoTime());
  }

  private boolean isUsable(IdleConnection candidate) {
    long now = ambient.nanoTime();
    if (now - candidate.connection().createdNanos >= MAX_AGE.toNanos()) {
      return false;
    }
    Connection connection = candidate.connection().connection;
    try {
      return !connection.isClosed()
          && (now - candidate.sinceNanos() < UNCHECKED_IDLE_TIME.toNanos() || isAlive(connection));
    } catch (SQLException | RuntimeException broken) {
      return false;
    }
  }

  private static boolean isAlive(Connection connection) throws SQLException {
    connection.setNetworkTimeout(Runnable::run, (int) VALIDATION_TIMEOUT.toMillis());
    boolean alive = connection.isValid(1);
    if (alive) {
      connection.setNetworkTimeout(Runnable::run, (int) READ_TIMEOUT.toMillis());
    }
    return alive;
  }

  private Connection connect() throws SQLException {
    Connection connection = connections.getConnection();
    try {
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      String initSql = backend.connectionInitSql();
      if (initSql != null) {
        try (Statement statement = connection.createStatement()) {
          statement.execute(initSql);
        }
      }
      return connection;
    } catch (SQLException | RuntimeException | Error e) {
      closeQuietly(connection);
      throw e;
    }
  }

  /** Takes a connection back and rolls back what was not committed. */
  @Override
  public void closeConnection(Connection connection) {
    PooledConnection match = null;
    for (PooledConnection candidate : leased) {
      if (candidate.connection == connection) {
        match = candidate;
      }
    }
    if (match == null || !leased.remove(match)) {
      return; // given back before
    }
    try {
      if (!closed && isClean(connection)) {
        idle.addFirst(new IdleConnection(match, ambient.nanoTime()));
      } else {
        closeQuietly(connection);
      }
    } finally {
      permits.release();
    }
    if (closed) {
      closeIdle(); // added while the pool was being closed
    }
  }

  private static boolean isClean(Connection connection) {
    try {
      if (connection.isClosed()) {
        return false;
      }
      if (!connection.getAutoCommit()) {
        connection.rollback();
        connection.setAutoCommit(true);
      }
      connection.clearWarnings();
      return true;
    } catch (SQLException | RuntimeException broken) {
      return false;
    }
  }

  private static void closeQuietly(@Nullable Connection connection) {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException | RuntimeException broken) {
      LOG.debug("a connection was not closed in good order", broken);
    }
  }

  private void closeIdle() {
    for (IdleConnection next = idle.pollFirst(); next != null; next = idle.pollFirst()) {
      closeQuietly(next.connection().connection);
    }
  }

  /**
   * Ends all connections, including those in use, and waits up to two seconds for their users and
   * for connections being made. Repeatable.
   */
  @Override
  public void close() {
    closed = true;
    closeIdle();
    for (PooledConnection pooled : leased) {
      try {
        pooled.connection.abort(Runnable::run);
      } catch (SQLException | RuntimeException broken) {
        closeQuietly(pooled.connection);
      }
    }
    try {
      if (permits.tryAcquire(MAX_CONNECTIONS, CLOSE_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)) {
        permits.release(MAX_CONNECTIONS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    closeIdle();
  }
}
