package io.strowger.plugins;

import io.strowger.plugins.advisor.AdvisorTool;
import io.strowger.plugins.advisor.SubagentTool;
import io.strowger.plugins.autorouter.AutoBetaRouterProvider;
import io.strowger.plugins.autorouter.AutoRouterProvider;
import io.strowger.plugins.bodybuilder.BodyBuilderProvider;
import io.strowger.plugins.contextcompression.ContextCompressionProvider;
import io.strowger.plugins.datetime.DatetimeTool;
import io.strowger.plugins.fileparser.FileParserProvider;
import io.strowger.plugins.freerouter.FreeRouterProvider;
import io.strowger.plugins.fusion.FusionProvider;
import io.strowger.plugins.pareto.ParetoRouterProvider;
import io.strowger.plugins.responsehealing.ResponseHealingProvider;
import io.strowger.plugins.searchmodels.SearchModelsTool;
import io.strowger.plugins.tasks.TaskClassifier;
import io.strowger.plugins.tasks.WordClassifier;
import io.strowger.plugins.toolsearch.ToolSearchTool;
import io.strowger.plugins.web.WebProvider;
import io.strowger.plugins.webfetch.WebFetchProvider;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.ServerTool;
import java.util.List;

/**
 * The plugins of the contract, the router of free models and the server tools, for a host that
 * lists them itself instead of discovering them. The plugin {@code moderation} is not included:
 * every gateway has it built in.
 */
public final class BuiltinPlugins {
  private BuiltinPlugins() {}

  /** Returns new providers of all plugins, in the order in which they act on a request. */
  public static List<PluginProvider> all() {
    return all(new WordClassifier());
  }

  /**
   * Returns new providers of all plugins, in the order in which they act on a request.
   *
   * @param classifier determines the kind of task for the automatic routers
   */
  public static List<PluginProvider> all(TaskClassifier classifier) {
    return List.of(
        new AutoRouterProvider(classifier),
        new AutoBetaRouterProvider(classifier),
        new ParetoRouterProvider(),
        new FreeRouterProvider(),
        new FileParserProvider(),
        new WebProvider(),
        new ResponseHealingProvider(),
        new BodyBuilderProvider(),
        new FusionProvider(),
        new WebFetchProvider(),
        new ContextCompressionProvider());
  }

  /** Returns new instances of the server tools that belong to no plugin. */
  public static List<ServerTool> tools() {
    return List.of(
        new DatetimeTool(),
        new SearchModelsTool(),
        new ToolSearchTool(),
        new AdvisorTool(),
        new SubagentTool());
  }
}
