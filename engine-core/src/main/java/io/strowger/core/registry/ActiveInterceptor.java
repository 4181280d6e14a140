package io.strowger.core.registry;

import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Interceptor;
import java.util.Objects;

/**
 * One interceptor that acts on one request.
 *
 * @param descriptor of its provider; names it in the trace
 * @param interceptor made for the configuration of this request; shared with other requests
 */
public record ActiveInterceptor(Descriptor descriptor, Interceptor interceptor) {
  public ActiveInterceptor {
    Objects.requireNonNull(descriptor, "descriptor");
    Objects.requireNonNull(interceptor, "interceptor");
  }
}
