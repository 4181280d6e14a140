/**
 * The SPI that authors of plugins, providers and stores compile against. All of it is public API.
 */
module io.strowger.spi {
  requires static transitive org.jspecify;

  exports io.strowger.spi.ambient;
  exports io.strowger.spi.catalog;
  exports io.strowger.spi.error;
  exports io.strowger.spi.json;
  exports io.strowger.spi.limit;
  exports io.strowger.spi.model;
  exports io.strowger.spi.observe;
  exports io.strowger.spi.plugin;
  exports io.strowger.spi.provider;
  exports io.strowger.spi.routing;
  exports io.strowger.spi.speech;
  exports io.strowger.spi.store;
}
