package io.strowger.stores;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Stores in a host's application")
class HostClassPathTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.flywaydb.core.Flyway",
        "liquibase.change.DatabaseChange",
        "com.zaxxer.hikari.HikariDataSource",
        "org.apache.tomcat.jdbc.pool.DataSource",
        "org.apache.commons.dbcp2.BasicDataSource",
        "oracle.ucp.jdbc.PoolDataSource",
        "com.mchange.v2.c3p0.ComboPooledDataSource",
        "org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType"
      })
  @DisplayName("bring nothing by which a framework would configure the host's own database")
  void triggers(String name) {
    assertThatThrownBy(() -> Class.forName(name)).isInstanceOf(ClassNotFoundException.class);
  }
}
