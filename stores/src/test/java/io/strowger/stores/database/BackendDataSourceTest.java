package io.strowger.stores.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.provider.Credential;
import io.strowger.stores.ServerExtension;
import io.strowger.tck.TestAmbient;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("A connection to a server")
class BackendDataSourceTest {
  @RegisterExtension static final ServerExtension SERVER = new ServerExtension();

  private static DatabaseBackend place() {
    return new DatabaseSettings(SERVER.url(), ServerExtension.USER, Credential.NONE).backend();
  }

  @Test
  @Timeout(30)
  @DisplayName("that says nothing for too long is broken, so that nobody waits for it for ever")
  void silent() throws SQLException {
    try (Connection connection =
            new BackendDataSource(place(), Duration.ofMillis(200)).getConnection();
        var statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.execute("SELECT pg_sleep(60)"))
          .isInstanceOf(SQLException.class);
      assertThat(connection.isClosed()).isTrue();
    }
  }

  @Test
  @DisplayName("of the pool is one of those")
  void pooled() throws SQLException {
    try (var jdbcConnectionPool = new JdbcConnectionPool(place(), TestAmbient.realTime())) {
      Connection connection = jdbcConnectionPool.openConnection();
      assertThat(connection.getNetworkTimeout())
          .isEqualTo((int) JdbcConnectionPool.READ_TIMEOUT.toMillis());
      jdbcConnectionPool.closeConnection(connection);
    }
  }
}
