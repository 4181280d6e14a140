package io.strowger.core.registry;

import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Interceptor;
import java.util.Objects;

/**
 * One interceptor that acts on one request.
 *
 * @param descriptor of its provider; names it in the trace
 * @param plugin made for the configuration of this request; shared with other requests
 */
public record Interception(Descriptor descriptor, Interceptor plugin) {
  public Interception {
    Objects.requireNonNull(descriptor, "descriptor");
    Objects.requireNonNull(plugin, "plugin");
  }
}
