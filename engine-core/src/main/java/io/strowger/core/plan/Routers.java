package io.strowger.core.plan;

import io.strowger.core.routing.RouterStep;
import io.strowger.spi.plugin.RouterPlugin;
import org.jspecify.annotations.Nullable;

/** The routers of a gateway, prepared for one catalog. */
@FunctionalInterface
public interface Routers {
  /** No routers. */
  Routers NONE = step -> null;

  /** Returns the router of a step, with its configuration; null when there is no such plugin. */
  @Nullable RouterPlugin find(RouterStep step);
}
