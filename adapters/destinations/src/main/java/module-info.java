/** Exporters of finished calls to observability destinations. */
module io.strowger.destinations {
  requires com.google.protobuf;
  requires io.opentelemetry.proto;
  requires static transitive org.jspecify;
  requires transitive io.strowger.spi;

  exports io.strowger.destinations;

  provides io.strowger.spi.observe.DestinationFactory with
      io.strowger.destinations.StandardDestinations;
}
