package io.strowger.core.inference;

import io.strowger.core.decode.PluginChecks;
import io.strowger.spi.model.InferenceRequest;
import java.util.Objects;
import java.util.function.Function;

/**
 * The plugins that a request was decoded with, and a way to decode the request with other plugins.
 * When the plugins are replaced before the request is served, it is first decoded again with the
 * new plugins.
 *
 * @param plugins the current plugins when the request was decoded
 * @param decoder decodes the same body with other plugins; throws {@link
 *     io.strowger.spi.error.GatewayException} when they find a problem in it
 */
public record RequestDecoding(
    PluginChecks plugins, Function<PluginChecks, InferenceRequest> decoder) {
  public RequestDecoding {
    Objects.requireNonNull(plugins, "plugins");
    Objects.requireNonNull(decoder, "decoder");
  }
}
