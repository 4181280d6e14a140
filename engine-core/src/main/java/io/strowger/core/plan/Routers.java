package io.strowger.core.plan;

import io.strowger.core.routing.RouterStep;
import io.strowger.spi.plugin.RouterPlugin;
import org.jspecify.annotations.Nullable;

/** The routers of a gateway, made ready for one catalog. */
@FunctionalInterface
public interface Routers {
  /** There are none. */
  Routers NONE = step -> null;

  /** The router of a step, with the step's configuration; null when there is no such plugin. */
  @Nullable RouterPlugin of(RouterStep step);
}
