package io.strowger.spring;

import io.strowger.core.Gateway;
import io.strowger.core.PluginDirectory;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.ConfigResult;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.IpNetwork;
import io.strowger.core.config.Plugins;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.loading.ClassPath;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.JsonPointer;
import io.strowger.spi.limit.RateLimiter;
import io.strowger.spi.observe.CallTracer;
import io.strowger.spi.observe.DestinationFactory;
import io.strowger.spi.observe.TraceSink;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.TransportFactory.NetworkReach;
import io.strowger.spi.provider.Transports;
import io.strowger.spi.store.Stores;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.io.Resource;

/**
 * Builds a gateway from parts on the class path and from beans. A bean replaces the part of the
 * class path with the same protocol or plugin id.
 */
final class GatewayAssembly {
  private static final Logger log = LoggerFactory.getLogger(GatewayAssembly.class);

  private final GatewayConfig config;
  private final StrowgerProperties properties;
  private final BeanFactory beans;

  /**
   * Creates the assembly of one gateway.
   *
   * @param beans provides the parts that are beans
   */
  GatewayAssembly(GatewayConfig config, StrowgerProperties properties, BeanFactory beans) {
    this.config = Objects.requireNonNull(config, "config");
    this.properties = Objects.requireNonNull(properties, "properties");
    this.beans = Objects.requireNonNull(beans, "beans");
  }

  /**
   * Reads the configuration of the application.
   *
   * @param resource null when the application names none
   * @throws InvalidGatewayException when it is missing, unreadable or invalid
   */
  static GatewayConfig config(@Nullable Resource resource, ConfigReader reader) {
    if (resource == null) {
      throw new InvalidGatewayException(
          "strowger.config",
          List.of(
              problem(
                  JsonPointer.ROOT,
                  "names no configuration: set it, for example to classpath:gateway.json, offer a"
                      + " GatewayConfig bean, or set strowger.enabled to false")),
          null);
    }
    byte[] document;
    try {
      document = resource.getContentAsByteArray();
    } catch (IOException e) {
      throw new InvalidGatewayException(
          "strowger.config",
          List.of(
              problem(
                  JsonPointer.ROOT,
                  "names "
                      + resource.getDescription()
                      + ", which cannot be read: begin it with classpath: or file:, and check that"
                      + " it is there")),
          e);
    }
    return switch (reader.read(document)) {
      case ConfigResult.Accepted(var config) -> config;
      case ConfigResult.Refused(var problems, var plugins) ->
          throw new InvalidGatewayException(resource.getDescription(), problems, null);
    };
  }

  /**
   * Opens the transports that adapters and plugins share.
   *
   * @return null when the class path has none
   */
  static @Nullable Transports transports(GatewayConfig config, Ambient ambient) {
    return ClassPath.transports(
        ambient,
        new NetworkReach(
            config.network().allowPrivate().stream().map(IpNetwork::toString).toList(),
            config.network().allowedPorts()));
  }

  /** Returns the plugins and tools of the class path and those that are beans. */
  static Plugins plugins(
      @Nullable Transports transports, List<PluginProvider> beans, List<ServerTool> tools) {
    Plugins plugins = ClassPath.plugins(transports);
    Set<String> classPathIds = new HashSet<>();
    for (Plugins.Step step : plugins.steps()) {
      if (step instanceof Plugins.Step.Add(var provider, var ignored)) {
        classPathIds.add(provider.descriptor().id());
      }
    }
    for (PluginProvider bean : beans) {
      String id = bean.descriptor().id();
      plugins = classPathIds.contains(id) ? plugins.replace(id, bean) : plugins.add(bean);
    }
    for (ServerTool tool : tools) {
      plugins = plugins.tool(tool);
    }
    return plugins;
  }

  /**
   * Builds the gateway.
   *
   * @throws InvalidGatewayException when the configuration refers to something that does not exist;
   *     the factories of the class path are then closed
   */
  Gateway build(Plugins plugins) {
    Stores stores = beans.getBeanProvider(Stores.class).getIfAvailable();
    requireStores(stores);
    var classPathFactories = new ArrayList<ProviderFactory>();
    try {
      Gateway.Builder builder = Gateway.builder(config).plugins(plugins);
      if (stores != null) {
        builder.stores(stores);
      }
      Transports transports = beans.getBeanProvider(Transports.class).getIfAvailable();
      factories(classPathFactories, transports).forEach(builder::provider);
      if (transports != null) {
        builder.destinations(transports.destinations(), exporters());
      }
      addBeans(builder);
      return builder.build();
    } catch (GatewayException failure) {
      classPathFactories.forEach(GatewayAssembly::close);
      throw invalid(failure);
    } catch (RuntimeException | Error e) {
      classPathFactories.forEach(GatewayAssembly::close);
      throw e;
    }
  }

  private void addBeans(Gateway.Builder builder) {
    applyBean(Ambient.class, builder::ambient);
    applyBean(CallTracer.class, builder::tracer);
    applyBean(RateLimiter.class, builder::rateLimiter);
    applyBean(SecretKeySource.class, builder::secretKey);
    applyBean(PluginDirectory.class, builder::pluginDirectory);
    beansOf(TraceSink.class).forEach(builder::sink);
    beansOf(GatewayBuilderCustomizer.class).forEach(bean -> bean.customize(builder));
  }

  private <T> void applyBean(Class<T> type, Consumer<T> consumer) {
    beans.getBeanProvider(type).ifAvailable(consumer);
  }

  private <T> List<T> beansOf(Class<T> type) {
    return beans.getBeanProvider(type).orderedStream().toList();
  }

  private List<DestinationFactory> exporters() {
    var exporters = new ArrayList<>(ClassPath.exporters());
    exporters.addAll(beansOf(DestinationFactory.class));
    return exporters;
  }

  /**
   * Requires a store when the configuration or {@code strowger.data-dir} names one; otherwise warns
   * that everything is in memory.
   */
  private void requireStores(@Nullable Stores stores) {
    if (stores != null) {
      return;
    }
    if (config.store().isUrlSet() && !config.store().isInMemory()) {
      throw new InvalidGatewayException(
          source(),
          List.of(
              problem(
                  JsonPointer.ROOT.child("store").child("url"),
                  "names a store, but no stores are on the class path: add"
                      + " io.strowger:strowger-stores, and com.h2database:h2 for a store in a file,"
                      + " or offer a Stores bean")),
          null);
    }
    if (properties.dataDir() != null && !config.store().isUrlSet()) {
      throw new InvalidGatewayException(
          "strowger.data-dir",
          List.of(
              problem(
                  JsonPointer.ROOT,
                  "names a directory for a store, but no stores are on the class path: add"
                      + " io.strowger:strowger-stores and com.h2database:h2")),
          null);
    }
    log.warn(
        "keys, balances and records are kept in memory only; strowger.data-dir or store.url keeps"
            + " them");
  }

  private InvalidGatewayException invalid(GatewayException failure) {
    List<Problem> problems = failure.error().problems();
    return new InvalidGatewayException(
        source(),
        problems.isEmpty()
            ? List.of(problem(JsonPointer.ROOT, failure.error().message()))
            : problems,
        failure);
  }

  /** Returns a description of the configuration's source, for messages. */
  private String source() {
    Resource resource = properties.config();
    return resource == null ? "the GatewayConfig bean" : resource.getDescription();
  }

  /**
   * Returns the factory beans, and the factories of the class path whose protocol no bean has.
   *
   * @param classPathFactories receives the factories of the class path that are used; they must be
   *     closed if the gateway cannot be built
   */
  private List<ProviderFactory> factories(
      List<ProviderFactory> classPathFactories, @Nullable Transports transports) {
    ClassPath.addProviderFactories(classPathFactories);
    List<ProviderFactory> beanFactories = beansOf(ProviderFactory.class);
    Set<String> replacedProtocols =
        beanFactories.stream().map(ProviderFactory::protocol).collect(Collectors.toSet());
    classPathFactories.removeIf(
        factory -> {
          boolean isReplaced = replacedProtocols.contains(factory.protocol());
          if (isReplaced) {
            close(factory);
          }
          return isReplaced;
        });
    if (transports != null) {
      classPathFactories.replaceAll(factory -> factory.withTransports(transports));
    }
    var result = new ArrayList<ProviderFactory>(classPathFactories);
    beanFactories.forEach(bean -> result.add(new ProviderFactoryBean(bean)));
    return result;
  }

  /**
   * Closes a factory. Logs a failure, because it must not keep the others open or hide the first
   * failure.
   */
  private static void close(ProviderFactory factory) {
    try {
      factory.close();
    } catch (RuntimeException | LinkageError e) {
      log.error("closing the factory for {} failed; the others are closed", factory.protocol(), e);
    }
  }

  static Problem problem(JsonPointer pointer, String message) {
    return new Problem(pointer, message, "");
  }
}
