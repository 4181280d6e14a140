/**
 * The plugins and server tools that come with the engine. The public API consists of {@link
 * io.strowger.plugins.BuiltinPlugins} and the plugins for which a host can provide its own parts,
 * such as search engines.
 */
module io.strowger.plugins {
  requires json.schema;
  requires org.apache.fontbox;
  requires org.apache.pdfbox;
  requires org.apache.pdfbox.io;
  requires org.jsoup;
  requires re2j;
  requires static transitive org.jspecify;
  requires transitive io.strowger.spi;

  exports io.strowger.plugins;
  exports io.strowger.plugins.fileparser;
  exports io.strowger.plugins.jsonschema;
  exports io.strowger.plugins.tasks;
  exports io.strowger.plugins.web;
  exports io.strowger.plugins.webclient;
  exports io.strowger.plugins.webfetch;

  provides io.strowger.spi.plugin.PluginProvider with
      io.strowger.plugins.autorouter.AutoRouterProvider,
      io.strowger.plugins.autorouter.AutoBetaRouterProvider,
      io.strowger.plugins.pareto.ParetoRouterProvider,
      io.strowger.plugins.freerouter.FreeRouterProvider,
      io.strowger.plugins.fileparser.FileParserProvider,
      io.strowger.plugins.web.WebProvider,
      io.strowger.plugins.responsehealing.ResponseHealingProvider,
      io.strowger.plugins.bodybuilder.BodyBuilderProvider,
      io.strowger.plugins.webfetch.WebFetchProvider,
      io.strowger.plugins.fusion.FusionProvider,
      io.strowger.plugins.contextcompression.ContextCompressionProvider;
  provides io.strowger.spi.plugin.SchemaValidator with
      io.strowger.plugins.jsonschema.JsonSchemaValidator;
  provides io.strowger.spi.plugin.ServerTool with
      io.strowger.plugins.datetime.DatetimeTool,
      io.strowger.plugins.searchmodels.SearchModelsTool,
      io.strowger.plugins.toolsearch.ToolSearchTool,
      io.strowger.plugins.advisor.AdvisorTool,
      io.strowger.plugins.advisor.SubagentTool;
}
