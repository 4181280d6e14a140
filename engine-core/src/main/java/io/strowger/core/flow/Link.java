package io.strowger.core.flow;

import io.strowger.core.registry.Interception;
import io.strowger.core.tools.ToolLoop;
import io.strowger.spi.plugin.Interceptor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What stands around a call: a plugin, or the engine's own loop over tools.
 *
 * @param id for the trace
 * @param plugin the code
 */
record Link(String id, Interceptor plugin) {
  /** Plugins with a lower order are around the loop, the others inside it. */
  private static final int TOOL_LOOP = 700;

  /**
   * The links around the request, outermost first.
   *
   * @param plugins in the order they act
   * @param loop null when the request declares no tool the gateway runs
   */
  static List<Link> around(
      Interceptor.Scope scope, List<Interception> plugins, @Nullable ToolLoop loop) {
    var links = new ArrayList<Link>(plugins.size() + 1);
    boolean placed = loop == null;
    for (Interception one : plugins) {
      if (one.plugin().scope() != scope) {
        continue;
      }
      if (!placed && loop != null && one.descriptor().order() > TOOL_LOOP) {
        links.add(new Link(ToolLoop.ID, loop));
        placed = true;
      }
      links.add(new Link(one.descriptor().id(), one.plugin()));
    }
    if (!placed && loop != null) {
      links.add(new Link(ToolLoop.ID, loop));
    }
    return links;
  }
}
