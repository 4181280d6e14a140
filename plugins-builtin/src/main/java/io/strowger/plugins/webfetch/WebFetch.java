package io.strowger.plugins.webfetch;

import io.strowger.plugins.webclient.PluginErrors;
import io.strowger.spi.catalog.Parameter;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Tool;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.EventStream;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Offers the tool to a request that does not declare it itself.
 *
 * @param tool as it is declared
 * @param unusable why it cannot be run; null when it can
 */
record WebFetch(Tool.Server tool, @Nullable String unusable) implements Interceptor {
  @Override
  public EventStream intercept(InferenceRequest request, Chain chain) {
    if (unusable != null) {
      throw PluginErrors.of(request, "web-fetch", unusable);
    }
    for (Tool declared : request.tools()) {
      if (declared instanceof Tool.Server server && server.type().equals(tool.type())) {
        return chain.proceed(request);
      }
    }
    var tools = new ArrayList<>(request.tools());
    tools.add(tool);
    return chain.proceed(
        request.toBuilder()
            .tools(tools)
            .parameters(request.parameters() | Parameter.TOOLS.bit())
            .build());
  }
}
