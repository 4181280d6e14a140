package io.strowger.core.pipeline;

import io.strowger.core.registry.Interception;
import io.strowger.core.routing.ContextCompressionScope;
import io.strowger.core.tools.ToolLoop;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.plugin.Interceptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What stands around a call: a plugin, or the engine's own loop over tools.
 *
 * @param id for the trace
 * @param plugin the code
 * @param unasked around an attempt: acts where the context is small, as nobody asked for it
 */
record InterceptorLink(String id, Interceptor plugin, boolean unasked) {
  InterceptorLink(String id, Interceptor plugin) {
    this(id, plugin, false);
  }

  /** Those that look through answers: what plugins behind them cite has to be in there. */
  private static final Set<String> GUARDS = Set.of(EngineInference.CONTENT_FILTER, "moderation");

  /** Whether it looks through answers. */
  boolean guards() {
    return GUARDS.contains(id);
  }

  /** Whether it acts on an attempt at this endpoint. */
  boolean actsAt(Endpoint endpoint) {
    return !unasked || ContextCompressionScope.SMALL_CONTEXTS.covers(endpoint);
  }

  /**
   * The links around the attempt, outermost first.
   *
   * @param plugins in the order they act
   * @param shortener what acts unasked where the context is small; null when nothing does
   */
  static List<InterceptorLink> aroundAttempt(
      List<Interception> plugins, @Nullable Interception shortener) {
    List<InterceptorLink> links = around(Interceptor.Scope.ATTEMPT, plugins, null);
    if (shortener != null && shortener.plugin().scope() == Interceptor.Scope.ATTEMPT) {
      links.add(new InterceptorLink(shortener.descriptor().id(), shortener.plugin(), true));
    }
    return links;
  }

  /** Plugins with a lower order are around the loop, the others inside it. */
  private static final int TOOL_LOOP = 700;

  /**
   * The links of a scope, outermost first.
   *
   * @param plugins in the order they act
   * @param loop null where there is none: around an attempt
   */
  static List<InterceptorLink> around(
      Interceptor.Scope scope, List<Interception> plugins, @Nullable ToolLoop loop) {
    var links = new ArrayList<InterceptorLink>(plugins.size() + 1);
    boolean placed = loop == null;
    for (Interception one : plugins) {
      if (one.plugin().scope() != scope) {
        continue;
      }
      if (!placed && loop != null && one.descriptor().order() > TOOL_LOOP) {
        links.add(new InterceptorLink(ToolLoop.ID, loop));
        placed = true;
      }
      links.add(new InterceptorLink(one.descriptor().id(), one.plugin()));
    }
    if (!placed && loop != null) {
      links.add(new InterceptorLink(ToolLoop.ID, loop));
    }
    return links;
  }

  /** Whether it is the loop over tools. */
  boolean isLoop() {
    return plugin instanceof ToolLoop;
  }

  /**
   * The links around an inner call: those behind who makes it, with another loop over tools in the
   * place of theirs, outermost where theirs is not among them.
   *
   * @param links around the request
   * @param from the first one behind who makes the call
   */
  static List<InterceptorLink> inner(List<InterceptorLink> links, int from, ToolLoop loop) {
    var inner = new ArrayList<InterceptorLink>(links.size() + 1);
    boolean placed = false;
    for (InterceptorLink interceptorLink : links.subList(from, links.size())) {
      inner.add(
          interceptorLink.isLoop() ? new InterceptorLink(ToolLoop.ID, loop) : interceptorLink);
      placed |= interceptorLink.isLoop();
    }
    if (!placed) {
      inner.addFirst(new InterceptorLink(ToolLoop.ID, loop));
    }
    return inner;
  }
}
