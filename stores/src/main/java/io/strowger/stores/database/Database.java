package io.strowger.stores.database;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.store.StoreUnavailableException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A database whose callers never wait longer than two seconds, whatever its state.
 *
 * <p>In the embedded database one transaction runs at a time, in order of arrival; queries run at
 * the same time. Work is done on separate threads while the caller waits for the answer: drivers
 * only limit the time of their single steps, and an interrupt that reached the embedded database
 * would close its file. Safe on any thread.
 */
public final class Database implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Database.class);
  static final Duration MAX_WAIT = Duration.ofMillis(1900);

  private final DatabaseBackend backend;
  private final JdbcConnectionPool jdbcConnectionPool;
  private final Jdbi jdbi;
  private final Ambient ambient;
  private final @Nullable ReentrantLock writerLock; // null: transactions run side by side
  private volatile boolean closed;

  /** Work with a connection. It may still run when its caller has stopped waiting for it. */
  public interface Work<T extends @Nullable Object> {
    T run(Handle handle);
  }

  private Database(
      DatabaseBackend backend, JdbcConnectionPool jdbcConnectionPool, Ambient ambient) {
    this.backend = backend;
    this.jdbcConnectionPool = jdbcConnectionPool;
    this.jdbi = Jdbi.create(jdbcConnectionPool);
    this.ambient = ambient;
    this.writerLock = backend.hasSingleWriter() ? new ReentrantLock(true) : null;
  }

  /**
   * Opens a database and brings its tables up to date.
   *
   * @throws io.strowger.spi.store.StoreRefusedException when it cannot be opened as it is
   * @throws StoreUnavailableException when it cannot be reached now; another attempt may succeed
   */
  public static Database open(DatabaseSettings settings, Ambient ambient) {
    DatabaseBackend backend = settings.backend();
    backend.inspect();
    try {
      Schema.update(backend);
    } catch (SQLException e) {
      throw backend.failure(e);
    }
    var database = new Database(backend, new JdbcConnectionPool(backend, ambient), ambient);
    database.warmUp();
    return database;
  }

  /**
   * Runs a first query. It takes long, on a busy machine longer than callers may wait, because code
   * is loaded and connections are made.
   */
  private void warmUp() {
    try {
      jdbi.inTransaction(
          handle -> handle.select("SELECT CAST(? AS INTEGER)", 1).mapTo(Integer.class).one());
    } catch (JdbiException e) {
      // the next caller gets the error
      LOG.debug("the database was reachable and is not any more", e);
    }
  }

  /**
   * Runs work in one transaction, at read committed.
   *
   * @param action what is done, as it follows "cannot" in a message, such as {@code list keys}
   * @throws StoreUnavailableException when the work takes over two seconds; it may still be done
   */
  public <T extends @Nullable Object> T inTransaction(String action, Work<T> work) {
    return runWithTimeout(action, () -> inTurn(action, () -> jdbi.inTransaction(work::run)));
  }

  /**
   * Runs work in one transaction and returns when its commit would survive a power loss. With a
   * server, every commit survives it.
   *
   * @throws StoreUnavailableException when the work takes over two seconds; it may still be done
   */
  public <T extends @Nullable Object> T inLastingTransaction(String action, Work<T> work) {
    return runWithTimeout(
        action,
        () ->
            inTurn(
                action,
                () -> {
                  T result = jdbi.inTransaction(work::run);
                  forceNow();
                  return result;
                }));
  }

  /**
   * Runs a query outside of a transaction.
   *
   * @throws StoreUnavailableException when there is no answer within two seconds
   */
  public <T extends @Nullable Object> T query(String action, Work<T> work) {
    return runWithTimeout(action, () -> jdbi.withHandle(work::run));
  }

  /**
   * Waits until all commits would survive a power loss. With a server, they survive it at once.
   *
   * @throws StoreUnavailableException when it is not done within two seconds
   */
  public void force() {
    if (!backend.forceSql().isEmpty()) {
      String action = "force the database to the disk";
      runWithTimeout(action, () -> inTurn(action, this::forceNow));
    }
  }

  private int forceNow() {
    String forceSql = backend.forceSql();
    return forceSql.isEmpty() ? 0 : jdbi.withHandle(handle -> handle.execute(forceSql));
  }

  /**
   * Frees some of the space that is no longer needed. Does nothing with a server, which frees space
   * itself.
   *
   * @return whether there may be more to free
   * @throws StoreUnavailableException when the work takes over two seconds; it may still be done
   */
  public boolean compact() {
    String action = "make the database smaller";
    return runWithTimeout(action, () -> inTurn(action, () -> jdbi.withHandle(this::compact)));
  }

  private boolean compact(Handle handle) {
    try {
      return backend.compact(handle.getConnection());
    } catch (SQLException e) {
      throw new StoreUnavailableException("cannot make the database smaller", e);
    }
  }

  /**
   * Runs a call. Where only one transaction may run at a time, it first waits for the others, at
   * most {@link #MAX_WAIT}.
   */
  private <T extends @Nullable Object> T inTurn(String action, Call<T> call) {
    ReentrantLock lock = writerLock;
    if (lock == null) {
      return call.run();
    }
    try {
      if (!lock.tryLock(MAX_WAIT.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new StoreUnavailableException(
            "cannot " + action + ": other transactions kept the database busy", null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailableException("cannot " + action + ": interrupted", e);
    }
    try {
      return call.run();
    } finally {
      lock.unlock();
    }
  }

  private interface Call<T extends @Nullable Object> {
    T run();
  }

  private <T extends @Nullable Object> T runWithTimeout(String action, Call<T> call) {
    if (closed) {
      throw new StoreUnavailableException("cannot " + action + ": the store is closed", null);
    }
    var done = new CountDownLatch(1);
    var result = new AtomicReference<@Nullable Call<T>>();
    Runnable work =
        () -> {
          result.set(outcome(action, call));
          done.countDown();
        };
    // on a thread of the caller's kind, so that a service's work needs no carrier thread either
    if (Thread.currentThread().isVirtual()) {
      ambient.start("store", work);
    } else {
      ambient.startService("store", work);
    }
    Call<T> outcome = await(done) ? result.get() : null;
    if (outcome == null) {
      throw new StoreUnavailableException(
          "cannot " + action + ": no answer from the database", null);
    }
    return outcome.run();
  }

  /**
   * Runs a call and returns another call that returns the same result, or throws the failure as a
   * {@link StoreUnavailableException}.
   */
  private static <T extends @Nullable Object> Call<T> outcome(String action, Call<T> call) {
    try {
      T result = call.run();
      return () -> result;
    } catch (Throwable t) { // reported to the caller, whatever it is
      return () -> {
        throw new StoreUnavailableException("cannot " + action, t);
      };
    }
  }

  private static boolean await(CountDownLatch done) {
    try {
      return done.await(MAX_WAIT.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Ends work in progress; every later call is refused. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    jdbcConnectionPool.close();
    runClosingSql(); // after the pool, which would connect again
  }

  private void runClosingSql() {
    String closingSql = backend.closingSql();
    if (closingSql.isEmpty()) {
      return;
    }
    try (var connection = new BackendDataSource(backend).getConnection();
        var statement = connection.createStatement()) {
      statement.execute(closingSql);
    } catch (SQLException e) {
      LOG.warn("the database could not be closed properly; the next start takes longer", e);
    }
  }
}
