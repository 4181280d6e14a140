package io.strowger.stores.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.provider.Credential;
import io.strowger.stores.ServerExtension;
import io.strowger.tck.TestAmbient;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("The connections of a store")
@Timeout(30)
class JdbcConnectionPoolTest {
  @RegisterExtension static final ServerExtension SERVER = new ServerExtension();

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");

  private JdbcConnectionPool pool() {
    return new JdbcConnectionPool(
        new DatabaseSettings(SERVER.url(), ServerExtension.USER, Credential.NONE).backend(),
        ambient);
  }

  private static int process(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        var row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      return row.getInt(1);
    }
  }

  @Test
  @DisplayName("are reused, even after a pause, without what the last user left open")
  void again() throws SQLException {
    try (JdbcConnectionPool pool = pool()) {
      Connection first = pool.openConnection();
      int process = process(first);
      assertThat(first.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
      first.setAutoCommit(false);
      try (Statement statement = first.createStatement()) {
        statement.execute("CREATE TABLE left_open (id INT)");
      }
      pool.closeConnection(first);
      pool.closeConnection(first); // the second time has no effect
      ambient.advance(Duration.ofMinutes(1));
      Connection second = pool.openConnection();
      assertThat(process(second)).isEqualTo(process);
      assertThat(second.getAutoCommit()).isTrue();
      assertThat(second.getNetworkTimeout())
          .isEqualTo((int) JdbcConnectionPool.READ_TIMEOUT.toMillis());
      try (Statement statement = second.createStatement();
          var row = statement.executeQuery("SELECT to_regclass('left_open') IS NULL")) {
        row.next();
        assertThat(row.getBoolean(1)).isTrue();
      }
      pool.closeConnection(second);
    }
  }

  @Test
  @DisplayName("are replaced when the server ended them, and when they are half an hour old")
  void replaced() throws SQLException {
    try (JdbcConnectionPool pool = pool()) {
      Connection first = pool.openConnection();
      int process = process(first);
      pool.closeConnection(first);
      SERVER.execute("SELECT pg_terminate_backend(" + process + ")");
      ambient.advance(Duration.ofSeconds(1));
      Connection second = pool.openConnection();
      int other = process(second);
      assertThat(other).isNotEqualTo(process);
      pool.closeConnection(second);
      ambient.advance(Duration.ofMinutes(30));
      Connection third = pool.openConnection();
      assertThat(process(third)).isNotEqualTo(other);
      assertThat(second.isClosed()).isTrue();
      pool.closeConnection(third);
    }
  }

  @Test
  @DisplayName("are at most eight: the ninth user gets an error after a second")
  void most() throws SQLException {
    try (JdbcConnectionPool pool = pool()) {
      var taken = new ArrayList<Connection>();
      for (int i = 0; i < 8; i++) {
        taken.add(pool.openConnection());
      }
      assertThatThrownBy(pool::openConnection)
          .isInstanceOf(SQLTransientConnectionException.class)
          .hasMessage("no connection is free");
      pool.closeConnection(taken.removeFirst());
      taken.add(pool.openConnection());
      taken.forEach(pool::closeConnection);
    }
  }

  @Test
  @DisplayName("are closed with the pool, even those in use")
  void closed() throws SQLException {
    JdbcConnectionPool pool = pool();
    Connection idle = pool.openConnection();
    Connection used = pool.openConnection();
    pool.closeConnection(idle);
    ambient.start("user", () -> useUntilClosed(pool, used));
    pool.close();
    pool.close();
    assertThat(idle.isClosed()).isTrue();
    assertThat(used.isClosed()).isTrue();
    assertThatThrownBy(pool::openConnection).hasMessage("the pool is closed");
  }

  /** Uses a connection that the pool closes meanwhile, and gives it back. */
  private static void useUntilClosed(JdbcConnectionPool pool, Connection used) {
    try {
      process(used);
    } catch (SQLException ended) {
      // expected
    }
    pool.closeConnection(used);
  }
}
