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
  @DisplayName("are used again, also after a rest, without what the last user left open")
  void again() throws SQLException {
    try (JdbcConnectionPool jdbcConnectionPool = pool()) {
      Connection first = jdbcConnectionPool.openConnection();
      int process = process(first);
      assertThat(first.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
      first.setAutoCommit(false);
      try (Statement statement = first.createStatement()) {
        statement.execute("CREATE TABLE left_open (id INT)");
      }
      jdbcConnectionPool.closeConnection(first);
      jdbcConnectionPool.closeConnection(first); // twice is once
      ambient.advance(Duration.ofMinutes(1));
      Connection second = jdbcConnectionPool.openConnection();
      assertThat(process(second)).isEqualTo(process);
      assertThat(second.getAutoCommit()).isTrue();
      assertThat(second.getNetworkTimeout())
          .isEqualTo((int) JdbcConnectionPool.READ_TIMEOUT.toMillis());
      try (Statement statement = second.createStatement();
          var row = statement.executeQuery("SELECT to_regclass('left_open') IS NULL")) {
        row.next();
        assertThat(row.getBoolean(1)).isTrue();
      }
      jdbcConnectionPool.closeConnection(second);
    }
  }

  @Test
  @DisplayName("are replaced when the server ended them, and when they are half an hour old")
  void replaced() throws SQLException {
    try (JdbcConnectionPool jdbcConnectionPool = pool()) {
      Connection first = jdbcConnectionPool.openConnection();
      int process = process(first);
      jdbcConnectionPool.closeConnection(first);
      SERVER.execute("SELECT pg_terminate_backend(" + process + ")");
      ambient.advance(Duration.ofSeconds(1));
      Connection second = jdbcConnectionPool.openConnection();
      int other = process(second);
      assertThat(other).isNotEqualTo(process);
      jdbcConnectionPool.closeConnection(second);
      ambient.advance(Duration.ofMinutes(30));
      Connection third = jdbcConnectionPool.openConnection();
      assertThat(process(third)).isNotEqualTo(other);
      assertThat(second.isClosed()).isTrue();
      jdbcConnectionPool.closeConnection(third);
    }
  }

  @Test
  @DisplayName("are eight at most: the ninth user waits a second and is told")
  void most() throws SQLException {
    try (JdbcConnectionPool jdbcConnectionPool = pool()) {
      var taken = new ArrayList<Connection>();
      for (int i = 0; i < 8; i++) {
        taken.add(jdbcConnectionPool.openConnection());
      }
      assertThatThrownBy(jdbcConnectionPool::openConnection)
          .isInstanceOf(SQLTransientConnectionException.class)
          .hasMessage("no connection is free");
      jdbcConnectionPool.closeConnection(taken.removeFirst());
      taken.add(jdbcConnectionPool.openConnection());
      taken.forEach(jdbcConnectionPool::closeConnection);
    }
  }

  @Test
  @DisplayName("end with the pool, those in use as well")
  void closed() throws SQLException {
    JdbcConnectionPool jdbcConnectionPool = pool();
    Connection resting = jdbcConnectionPool.openConnection();
    Connection used = jdbcConnectionPool.openConnection();
    jdbcConnectionPool.closeConnection(resting);
    ambient.start("user", () -> endOf(jdbcConnectionPool, used));
    jdbcConnectionPool.close();
    jdbcConnectionPool.close();
    assertThat(resting.isClosed()).isTrue();
    assertThat(used.isClosed()).isTrue();
    assertThatThrownBy(jdbcConnectionPool::openConnection).hasMessage("the pool is closed");
  }

  /** What a user does whose connection is ended below him. */
  private static void endOf(JdbcConnectionPool jdbcConnectionPool, Connection used) {
    try {
      process(used);
    } catch (SQLException ended) {
      // told so
    }
    jdbcConnectionPool.closeConnection(used);
  }
}
