package io.strowger.plugins;

import io.strowger.plugins.autobetarouter.AutoBetaRouterProvider;
import io.strowger.plugins.autorouter.AutoRouterProvider;
import io.strowger.plugins.contextcompression.ContextCompressionProvider;
import io.strowger.plugins.fileparser.FileParserProvider;
import io.strowger.plugins.fusion.FusionProvider;
import io.strowger.plugins.moderation.ModerationProvider;
import io.strowger.plugins.pareto.ParetoRouterProvider;
import io.strowger.plugins.responsehealing.ResponseHealingProvider;
import io.strowger.plugins.web.WebProvider;
import io.strowger.plugins.webfetch.WebFetchProvider;
import io.strowger.spi.plugin.PluginProvider;
import java.util.List;

/** The plugins that come with the engine, for a host that names them instead of finding them. */
public final class BuiltinPlugins {
  private BuiltinPlugins() {}

  /** New providers of all ten, in the order they act on a request. */
  public static List<PluginProvider> all() {
    return List.of(
        new AutoRouterProvider(),
        new AutoBetaRouterProvider(),
        new ParetoRouterProvider(),
        new ModerationProvider(),
        new FileParserProvider(),
        new WebProvider(),
        new ResponseHealingProvider(),
        new WebFetchProvider(),
        new FusionProvider(),
        new ContextCompressionProvider());
  }
}
