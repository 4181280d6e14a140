/** Traces of calls through the OpenTelemetry API, and metrics through Micrometer. */
module io.strowger.telemetry {
  // a host that uses one of the two need not have the other
  requires static io.opentelemetry.context;
  requires static transitive io.opentelemetry.api;
  requires static transitive micrometer.core;
  requires static transitive org.jspecify;
  requires transitive io.strowger.spi;

  exports io.strowger.telemetry;
}
