package io.strowger.core.registry;

import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.Interceptor;

/**
 * One interceptor that acts on one request.
 *
 * @param descriptor the descriptor of its provider, which names it in the trace
 * @param interceptor the interceptor, made for the configuration of this request; may be shared
 *     with other requests
 */
public record ActiveInterceptor(Descriptor descriptor, Interceptor interceptor) {}
