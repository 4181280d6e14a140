package io.strowger.spring;

import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.StoreSettings;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.store.Stores;
import io.strowger.stores.JdbcStores;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Opens the store that the configuration or the application names, if the module is present. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(JdbcStores.class)
class StoresConfiguration {
  private static final String H2_FILE_URL = "jdbc:h2:file:";
  private static final String FILE_NAME = "gateway";

  /** Returns the store; null to keep everything in memory. Spring closes it after the gateway. */
  @Bean
  @ConditionalOnMissingBean
  @Nullable Stores strowgerStores(
      GatewayConfig config, StrowgerProperties properties, Ambient ambient) {
    StoreSettings settings = config.store();
    Path dataDir = properties.dataDir();
    String url = settings.url();
    if (settings.isInMemory()) {
      if (settings.isUrlSet() || dataDir == null) {
        return null;
      }
      url = H2_FILE_URL + dataDir.resolve(FILE_NAME).toAbsolutePath();
    } else if (url.startsWith(H2_FILE_URL)) {
      Path file = Path.of(url.substring(H2_FILE_URL.length()));
      url = H2_FILE_URL + (dataDir == null ? file : dataDir.resolve(file)).toAbsolutePath();
      dataDir = dataDir == null ? file.toAbsolutePath().getParent() : dataDir;
    }
    if (dataDir == null) {
      throw new InvalidGatewayException(
          "strowger.data-dir",
          List.of(
              GatewayAssembly.problem(
                  JsonPointer.ROOT,
                  "is not set: a store on a database server needs a directory of this process"
                      + " alone, for the journal of what it spends")),
          null);
    }
    return JdbcStores.open(
        new JdbcStores.Settings(url, settings.user(), settings.password(), dataDir),
        new JacksonCodec(),
        ambient);
  }
}
