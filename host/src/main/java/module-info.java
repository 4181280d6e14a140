/** The reference HTTP host and command line: an application, which exports nothing. */
module io.strowger.host {
  requires com.github.luben.zstd_jni;
  requires info.picocli;
  requires io.helidon.common.buffers;
  requires io.helidon.common.concurrency.limits;
  requires io.helidon.common.configurable;
  requires io.helidon.common.pki;
  requires io.helidon.common.socket;
  requires io.helidon.common.tls;
  requires io.helidon.common.uri;
  requires io.helidon.http;
  requires io.helidon.webserver;
  requires io.opentelemetry.api;
  requires io.opentelemetry.exporter.otlp;
  requires io.opentelemetry.sdk;
  requires io.opentelemetry.sdk.common;
  requires io.opentelemetry.sdk.trace;
  requires io.prometheus.metrics.model;
  requires io.strowger.core;
  requires io.strowger.plugins;
  requires io.strowger.providers;
  requires io.strowger.simulated;
  requires io.strowger.stores;
  requires io.strowger.telemetry;
  requires java.logging;
  requires java.net.http;
  requires jdk.httpserver;
  requires jdk.unsupported;
  requires micrometer.core;
  requires micrometer.registry.prometheus;
  requires org.slf4j;
  requires org.snakeyaml.engine.v2;
  requires static org.jspecify;

  opens io.strowger.host.cli to
      info.picocli;

  uses io.strowger.spi.observe.DestinationFactory;
  uses io.strowger.spi.plugin.PluginProvider;
  uses io.strowger.spi.plugin.ServerTool;

  provides java.net.spi.InetAddressResolverProvider with
      io.strowger.host.server.NoReverseLookup;
}
