package io.strowger.core.config;

import java.time.Duration;
import java.util.Objects;

/**
 * Where a host listens.
 *
 * @param host address or name to bind
 * @param port 0 to 65535; 0 picks a free one
 * @param drain how long running requests may go on after a stop; 0 to an hour
 */
public record ServerSettings(String host, int port, Duration drain) {
  public ServerSettings {
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(drain, "drain");
  }
}
