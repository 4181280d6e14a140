package io.strowger.stores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.provider.Credential;
import io.strowger.stores.database.DatabaseSettings;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
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
  @DisplayName("bring no class that makes a framework configure the host's own database")
  void triggers(String name) {
    assertThatThrownBy(() -> Class.forName(name)).isInstanceOf(ClassNotFoundException.class);
  }

  /** Returns the summary of settings, or their failure, without the embedded database. */
  private static String summaryWithoutEmbedded(String url) throws Exception {
    List<URL> others = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (!entry.contains("com" + File.separator + "h2database")) {
        others.add(Path.of(entry).toUri().toURL());
      }
    }
    try (var loader =
        new URLClassLoader(others.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Class<?> credential = loader.loadClass(Credential.class.getName());
      Class<?> settings = loader.loadClass(DatabaseSettings.class.getName());
      Object secret = credential.getConstructor(String.class).newInstance("s3cret");
      Object given =
          settings
              .getConstructor(String.class, String.class, credential)
              .newInstance(url, "me", secret);
      return (String) settings.getMethod("summary").invoke(given);
    } catch (InvocationTargetException e) {
      return String.valueOf(e.getCause());
    }
  }

  @Test
  @DisplayName("need the embedded database only for a file, and say which dependency to add")
  void withoutEmbedded() throws Exception {
    assertThat(summaryWithoutEmbedded("jdbc:postgresql://db.example/strowger"))
        .contains("db.example");
    assertThat(summaryWithoutEmbedded("jdbc:h2:file:/var/lib/strowger/store"))
        .contains("com.h2database:h2", "add it");
  }
}
