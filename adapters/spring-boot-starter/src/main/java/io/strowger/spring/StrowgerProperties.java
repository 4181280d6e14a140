package io.strowger.spring;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.io.Resource;

/**
 * The settings of an application for its gateway, {@code strowger.*}. What the gateway does is in
 * the configuration that {@link #config} names.
 *
 * @param enabled whether there is a gateway at all
 * @param config the gateway's configuration, JSON, such as {@code classpath:gateway.json} or {@code
 *     file:/etc/gateway.json}; null when a {@code GatewayConfig} bean provides it
 * @param serve whether the gateway's HTTP API is served; has an effect in servlet applications only
 * @param path where the API begins: a slash and a path below the application's context path,
 *     without a slash at the end
 * @param dataDir a directory of this process alone, for the journal of a store, and for the store
 *     itself where the configuration names none; null: none
 * @param shutdownTimeout how long requests under way may continue when the application ends; zero
 *     ends them at once. Not negative
 * @param followCallers whether the {@code traceparent} of a caller is the parent of its call's span
 */
@ConfigurationProperties("strowger")
public record StrowgerProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable Resource config,
    @DefaultValue("true") boolean serve,
    @DefaultValue("/api/v1") String path,
    @Nullable Path dataDir,
    @DefaultValue("20s") Duration shutdownTimeout,
    @DefaultValue("true") boolean followCallers) {
  private static final Pattern PATH = Pattern.compile("(?:/[A-Za-z0-9._~-]+)+");

  public StrowgerProperties {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(shutdownTimeout, "shutdownTimeout");
    if (!PATH.matcher(path).matches()) {
      throw new IllegalArgumentException(
          "strowger.path must be a path such as /api/v1, without a slash at the end, was " + path);
    }
    if (shutdownTimeout.isNegative()) {
      throw new IllegalArgumentException(
          "strowger.shutdown-timeout must not be negative, was " + shutdownTimeout);
    }
  }
}
