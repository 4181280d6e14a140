/** Simulated providers and upstreams, for demonstrations, tests and benchmarks. */
module io.strowger.simulated {
  requires static transitive org.jspecify;
  requires transitive io.strowger.spi;

  exports io.strowger.simulated;
}
