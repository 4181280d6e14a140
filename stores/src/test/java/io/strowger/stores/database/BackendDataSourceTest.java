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

  private static DatabaseBackend backend() {
    return new DatabaseSettings(SERVER.url(), ServerExtension.USER, Credential.NONE).backend();
  }

  @Test
  @Timeout(30)
  @DisplayName("is closed when the server is silent for too long, so that no thread waits for ever")
  void silent() throws SQLException {
    try (Connection connection =
            new BackendDataSource(backend(), Duration.ofMillis(200)).getConnection();
        var statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.execute("SELECT pg_sleep(60)"))
          .isInstanceOf(SQLException.class);
      assertThat(connection.isClosed()).isTrue();
    }
  }

  @Test
  @DisplayName("from the pool has the read timeout of the pool")
  void pooled() throws SQLException {
    try (var pool = new JdbcConnectionPool(backend(), TestAmbient.realTime())) {
      Connection connection = pool.openConnection();
      assertThat(connection.getNetworkTimeout())
          .isEqualTo((int) JdbcConnectionPool.READ_TIMEOUT.toMillis());
      pool.closeConnection(connection);
    }
  }
}
