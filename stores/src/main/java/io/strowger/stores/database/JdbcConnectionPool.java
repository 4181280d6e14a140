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
 * A pool of at most eight open connections. A connection that was idle is validated before it is
 * given out, and a broken one is replaced. Safe on any thread.
 *
 * <p>It does not use a library, because a pool library on the class path of a host could become the
 * pool of the host's own database.
 */
final class JdbcConnectionPool implements ConnectionFactory, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcConnectionPool.class);

  private static final int MOST = 8;
  private static final Duration FOR_ONE = Duration.ofSeconds(1);
  private static final Duration FOR_A_SIGN_OF_LIFE = Duration.ofMillis(500);
  private static final Duration FOR_THE_LAST = Duration.ofSeconds(2);

  /** The idle time up to which a connection is reused without a check. */
  private static final Duration FRESH = Duration.ofMillis(500);

  /** The age at which a connection is replaced, since network devices often drop old ones. */
  private static final Duration OLDEST = Duration.ofMinutes(30);

  /**
   * How long a server may send nothing. Its own timeouts end every statement long before that, so a
   * server that is silent for longer cannot be reached.
   */
  static final Duration SILENCE = Duration.ofSeconds(5);

  private final DatabaseBackend backend;
  private final Ambient ambient;
  private final Connections connections;
  private final Semaphore permits = new Semaphore(MOST, true);
  private final ConcurrentLinkedDeque<Idle> idle = new ConcurrentLinkedDeque<>(); // freshest first
  private final Set<PooledConnection> lent = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** A connection that is not in use. */
  private record Idle(PooledConnection connection, long since) {}

  /** A connection and when it was made; compared by identity. */
  private static final class PooledConnection {
    final Connection connection;
    final long made;

    PooledConnection(Connection connection, long made) {
      this.connection = connection;
      this.made = made;
    }
  }

  JdbcConnectionPool(DatabaseBackend backend, Ambient ambient) {
    this.backend = backend;
    this.ambient = ambient;
    this.connections = new Connections(backend, SILENCE);
  }

  /**
   * Gives out a connection, at read committed, until {@link #closeConnection} takes it back.
   *
   * @throws SQLException when none is free within a second, none can be made, or this is closed
   */
  @Override
  public Connection openConnection() throws SQLException {
    requirePermit();
    PooledConnection found = null;
    try {
      found = take();
      lent.add(found);
      if (closed) { // meanwhile: close() may not have seen it
        throw new SQLTransientConnectionException("the pool is closed");
      }
      return found.connection;
    } catch (SQLException | RuntimeException | Error e) {
      if (found != null) {
        lent.remove(found);
        end(found.connection);
      }
      permits.release();
      throw e;
    }
  }

  private void requirePermit() throws SQLException {
    try {
      if (!closed && permits.tryAcquire(FOR_ONE.toNanos(), TimeUnit.NANOSECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new SQLTransientConnectionException(
        closed ? "the pool is closed" : "no connection is free");
  }

  private PooledConnection take() throws SQLException {
    for (Idle next = idle.pollFirst(); next != null; next = idle.pollFirst()) {
      if (isUsable(next)) {
        return next.connection();
      }
      end(next.connection().connection);
      endIdle(); // what broke one has broken the others, and checking each would take long
    }
    return new PooledConnection(connect(), ambient.nanoTime());
  }

  private boolean isUsable(Idle resting) {
    long now = ambient.nanoTime();
    if (now - resting.connection().made >= OLDEST.toNanos()) {
      return false;
    }
    Connection connection = resting.connection().connection;
    try {
      return !connection.isClosed()
          && (now - resting.since() < FRESH.toNanos() || showsLife(connection));
    } catch (SQLException | RuntimeException broken) {
      return false;
    }
  }

  private static boolean showsLife(Connection connection) throws SQLException {
    connection.setNetworkTimeout(Runnable::run, (int) FOR_A_SIGN_OF_LIFE.toMillis());
    boolean alive = connection.isValid(1);
    if (alive) {
      connection.setNetworkTimeout(Runnable::run, (int) SILENCE.toMillis());
    }
    return alive;
  }

  private Connection connect() throws SQLException {
    Connection connection = connections.getConnection();
    try {
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      String greeting = backend.connectionInitSql();
      if (greeting != null) {
        try (Statement statement = connection.createStatement()) {
          statement.execute(greeting);
        }
      }
      return connection;
    } catch (SQLException | RuntimeException | Error e) {
      end(connection);
      throw e;
    }
  }

  /** Takes a connection back and rolls back what was not committed. */
  @Override
  public void closeConnection(Connection connection) {
    PooledConnection back = null;
    for (PooledConnection each : lent) {
      if (each.connection == connection) {
        back = each;
      }
    }
    if (back == null || !lent.remove(back)) {
      return; // given back before
    }
    try {
      if (!closed && isClean(connection)) {
        idle.addFirst(new Idle(back, ambient.nanoTime()));
      } else {
        end(connection);
      }
    } finally {
      permits.release();
    }
    if (closed) {
      endIdle(); // added while the pool was being closed
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

  private static void end(@Nullable Connection connection) {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException | RuntimeException broken) {
      LOG.debug("a connection was not closed in good order", broken);
    }
  }

  private void endIdle() {
    for (Idle next = idle.pollFirst(); next != null; next = idle.pollFirst()) {
      end(next.connection().connection);
    }
  }

  /**
   * Ends all connections, including those in use, and waits up to two seconds for their users and
   * for connections being made. Repeatable.
   */
  @Override
  public void close() {
    closed = true;
    endIdle();
    for (PooledConnection each : lent) {
      try {
        each.connection.abort(Runnable::run);
      } catch (SQLException | RuntimeException broken) {
        end(each.connection);
      }
    }
    try {
      if (permits.tryAcquire(MOST, FOR_THE_LAST.toNanos(), TimeUnit.NANOSECONDS)) {
        permits.release(MOST);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    endIdle();
  }
}
