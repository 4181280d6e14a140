package io.strowger.core.pipeline;

import io.strowger.core.registry.ActiveInterceptor;
import io.strowger.core.routing.ContextCompressionScope;
import io.strowger.core.tools.ToolLoop;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.plugin.Interceptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One link around a call: a plugin, or the engine's own tool loop.
 *
 * @param id the id in the trace
 * @param plugin the interceptor to run
 * @param automatic whether nobody requested the plugin, so that it acts only around attempts with
 *     small contexts
 */
record InterceptorLink(String id, Interceptor plugin, boolean automatic) {
  InterceptorLink(String id, Interceptor plugin) {
    this(id, plugin, false);
  }

  /** The ids of the links that check answers and the citations of the plugins inside them. */
  private static final Set<String> GUARDS = Set.of(EngineInference.CONTENT_FILTER, "moderation");

  /** Returns whether the link checks answers. */
  boolean isGuard() {
    return GUARDS.contains(id);
  }

  /** Returns whether the link acts on an attempt at this endpoint. */
  boolean actsAt(Endpoint endpoint) {
    return !automatic || ContextCompressionScope.SMALL_CONTEXTS.covers(endpoint);
  }

  /**
   * Returns the links around the attempt, outermost first.
   *
   * @param plugins in the order they act
   * @param shortener the plugin that acts on small contexts without being requested; null for none
   */
  static List<InterceptorLink> aroundAttempt(
      List<ActiveInterceptor> plugins, @Nullable ActiveInterceptor shortener) {
    List<InterceptorLink> links = around(Interceptor.Scope.ATTEMPT, plugins, null);
    if (shortener != null && shortener.interceptor().scope() == Interceptor.Scope.ATTEMPT) {
      links.add(new InterceptorLink(shortener.descriptor().id(), shortener.interceptor(), true));
    }
    return links;
  }

  /**
   * The order of the tool loop: plugins of a higher order are inside it, the others are around it.
   */
  private static final int TOOL_LOOP_ORDER = 700;

  /**
   * Returns the links of a scope, outermost first.
   *
   * @param plugins in the order they act
   * @param loop the tool loop; null for none, as around an attempt
   */
  static List<InterceptorLink> around(
      Interceptor.Scope scope, List<ActiveInterceptor> plugins, @Nullable ToolLoop loop) {
    var links = new ArrayList<InterceptorLink>(plugins.size() + 1);
    boolean loopAdded = loop == null;
    for (ActiveInterceptor interception : plugins) {
      if (interception.interceptor().scope() != scope) {
        continue;
      }
      if (!loopAdded && loop != null && interception.descriptor().order() > TOOL_LOOP_ORDER) {
        links.add(new InterceptorLink(ToolLoop.ID, loop));
        loopAdded = true;
      }
      links.add(new InterceptorLink(interception.descriptor().id(), interception.interceptor()));
    }
    if (!loopAdded && loop != null) {
      links.add(new InterceptorLink(ToolLoop.ID, loop));
    }
    return links;
  }

  /** Returns whether this link is the tool loop. */
  boolean isLoop() {
    return plugin instanceof ToolLoop;
  }

  /**
   * Returns the links around an inner call: those after the plugin that makes the call. The given
   * tool loop replaces the request's tool loop; when the latter is not among these links, the given
   * one becomes the outermost link.
   *
   * @param links the links around the request
   * @param from the index of the first link after the plugin that makes the call
   */
  static List<InterceptorLink> aroundInnerCall(
      List<InterceptorLink> links, int from, ToolLoop loop) {
    var innerLinks = new ArrayList<InterceptorLink>(links.size() + 1);
    boolean loopAdded = false;
    for (InterceptorLink interceptorLink : links.subList(from, links.size())) {
      innerLinks.add(
          interceptorLink.isLoop() ? new InterceptorLink(ToolLoop.ID, loop) : interceptorLink);
      loopAdded |= interceptorLink.isLoop();
    }
    if (!loopAdded) {
      innerLinks.addFirst(new InterceptorLink(ToolLoop.ID, loop));
    }
    return innerLinks;
  }
}
