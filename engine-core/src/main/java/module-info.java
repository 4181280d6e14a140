/**
 * The engine. The packages exported to everybody are public API; those exported to named modules
 * are for the other modules of this project, and change without notice.
 */
@SuppressWarnings("module") // the modules named behind "to" are compiled after this one
module io.strowger.core {
  requires com.fasterxml.jackson.core;
  requires com.github.benmanes.caffeine;
  requires com.google.common;
  requires org.slf4j;
  requires re2j;
  requires static transitive org.jspecify;
  requires transitive io.strowger.spi;

  exports io.strowger.core;
  exports io.strowger.core.client;
  exports io.strowger.core.config;
  exports io.strowger.core.wire;
  exports io.strowger.core.authentication to
      io.strowger.host;
  exports io.strowger.core.ambient to
      io.strowger.host,
      io.strowger.servlet,
      io.strowger.spring;
  exports io.strowger.core.audit to
      io.strowger.host;
  exports io.strowger.core.decisionlog to
      io.strowger.host;
  exports io.strowger.core.destination to
      io.strowger.host;
  exports io.strowger.core.dialect to
      io.strowger.host;
  exports io.strowger.core.health to
      io.strowger.host;
  exports io.strowger.core.http to
      io.strowger.host,
      io.strowger.servlet;
  exports io.strowger.core.json to
      io.strowger.host,
      io.strowger.spring,
      io.strowger.typed;
  exports io.strowger.core.loading to
      io.strowger.spring;
  exports io.strowger.core.memory to
      io.strowger.host;
  exports io.strowger.core.registry to
      io.strowger.host;
  exports io.strowger.core.routing to
      io.strowger.host;

  uses io.strowger.spi.observe.DestinationFactory;
  uses io.strowger.spi.plugin.PluginProvider;
  uses io.strowger.spi.plugin.SchemaValidator;
  uses io.strowger.spi.plugin.ServerTool;
  uses io.strowger.spi.provider.ProviderFactory;
  uses io.strowger.spi.provider.TransportFactory;
}
