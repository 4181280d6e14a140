package io.strowger.spring;

import io.strowger.core.Gateway;
import io.strowger.core.PluginDirectory;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.Plugins;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.json.JsonLimits;
import io.strowger.spi.limit.RateLimiter;
import io.strowger.spi.observe.CallTracer;
import io.strowger.spi.observe.DestinationFactory;
import io.strowger.spi.observe.TraceSink;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.Transports;
import io.strowger.spi.store.Stores;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/**
 * Builds a gateway from the configuration that {@code strowger.config} names, and from beans:
 * {@link ProviderFactory}, {@link PluginProvider}, {@link ServerTool}, {@link TraceSink}, {@link
 * DestinationFactory} and {@link GatewayBuilderCustomizer}, as many as there are; {@link Stores},
 * {@link CallTracer}, {@link RateLimiter}, {@link SecretKeySource}, {@link PluginDirectory}, {@link
 * Ambient}, {@link Plugins} and {@link GatewayConfig}, one of each. The gateway is a bean, its HTTP
 * API is served below {@code strowger.path}, and its health is shown.
 */
@AutoConfiguration(
    // some of these exist in Boot 3 only, the others in Boot 4 only
    afterName = {
      "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.actuate.autoconfigure.opentelemetry.OpenTelemetryAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration"
    })
@ConditionalOnProperty(name = "strowger.enabled", matchIfMissing = true)
@EnableConfigurationProperties(StrowgerProperties.class)
@Import({
  Boot3HealthConfiguration.class,
  Boot4HealthConfiguration.class,
  MetricsConfiguration.class,
  ServletConfiguration.class,
  StoresConfiguration.class,
  TracesConfiguration.class
})
@SuppressWarnings("exports") // only Spring reads the imported classes
public class StrowgerAutoConfiguration {
  private static final Logger log = LoggerFactory.getLogger(StrowgerAutoConfiguration.class);

  /** The property for how long Spring waits for the phase in which the web server stops. */
  private static final String PHASE_TIMEOUT = "spring.lifecycle.timeout-per-shutdown-phase";

  private static final Duration DEFAULT_PHASE_TIMEOUT = Duration.ofSeconds(30);

  /** Called by Spring, before anything of the gateway is made. */
  StrowgerAutoConfiguration() {
    SupportedLibraries.check(StrowgerAutoConfiguration.class.getClassLoader());
  }

  @Bean
  @ConditionalOnMissingBean
  Ambient strowgerAmbient() {
    return new SystemAmbient();
  }

  /** Accepts any protocol: a missing factory is reported when the gateway is built. */
  @Bean
  @ConditionalOnMissingBean
  ConfigReader strowgerConfigReader(Environment environment) {
    return new ConfigReader(new JacksonCodec(JsonLimits.DEFAULT), environment::getProperty)
        .withAnyProtocol();
  }

  @Bean
  @ConditionalOnMissingBean
  GatewayConfig strowgerConfig(StrowgerProperties properties, ConfigReader reader) {
    return GatewayAssembly.config(properties.config(), reader);
  }

  /**
   * Returns the transports; null if the class path has none. Spring closes them after the gateway.
   */
  @Bean
  @ConditionalOnMissingBean
  @Nullable Transports strowgerTransports(GatewayConfig config, Ambient ambient) {
    return GatewayAssembly.transports(config, ambient);
  }

  @Bean
  @ConditionalOnMissingBean
  Plugins strowgerPlugins(
      ObjectProvider<Transports> transports,
      ObjectProvider<PluginProvider> plugins,
      ObjectProvider<ServerTool> tools) {
    return GatewayAssembly.plugins(
        transports.getIfAvailable(),
        plugins.orderedStream().toList(),
        tools.orderedStream().toList());
  }

  /** Returns the gateway, which Spring closes before the beans it was built from. */
  @Bean
  @ConditionalOnMissingBean
  Gateway strowgerGateway(
      GatewayConfig config, StrowgerProperties properties, Plugins plugins, BeanFactory beans) {
    Gateway gateway = new GatewayAssembly(config, properties, beans).build(plugins);
    config.unusedMemberWarnings().forEach(sentence -> log.warn("{}", sentence));
    log.info(
        "the gateway has {} models at {} endpoints",
        config.catalog().models().size(),
        config.catalog().endpoints().size());
    return gateway;
  }

  @Bean
  GatewayLifecycle strowgerLifecycle(
      Gateway gateway, Ambient ambient, StrowgerProperties properties, Environment environment) {
    Duration timeout = properties.shutdownTimeout();
    Duration phaseTimeout =
        Binder.get(environment).bind(PHASE_TIMEOUT, Duration.class).orElse(DEFAULT_PHASE_TIMEOUT);
    if (timeout.compareTo(phaseTimeout) >= 0) {
      log.warn(
          "strowger.shutdown-timeout ({}) must be shorter than {} ({}), or Spring stops the web"
              + " server before requests under way may have ended",
          timeout,
          PHASE_TIMEOUT,
          phaseTimeout);
    }
    return new GatewayLifecycle(gateway, ambient, timeout);
  }
}
