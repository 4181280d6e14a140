package io.strowger.benchmarks.http;

import io.strowger.benchmarks.GatewayConfigs;
import java.io.IOException;
import java.net.URI;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A server that answers chat requests.
 *
 * @param name for the table
 * @param uri where chat requests go
 * @param prefix what comes before the upstream's name of a model
 * @param usage what its process has used since its start
 * @param disk bytes it has on disk
 */
record Party(String name, URI uri, String prefix, Supplier<Usage> usage, LongSupplier disk) {
  private static final String CHAT = "/chat/completions";
  private static final LongSupplier NOTHING = () -> 0;

  static Party direct(URI upstream, Supplier<Usage> usage) {
    return new Party("direct", URI.create(upstream + CHAT), "", usage, NOTHING);
  }

  static Party relay(URI relay, Supplier<Usage> usage) {
    return new Party("relay", relay, "", usage, NOTHING);
  }

  static Party gateway(String name, URI api, Supplier<Usage> usage, LongSupplier disk) {
    return new Party(name, URI.create(api + CHAT), GatewayConfigs.PREFIX, usage, disk);
  }

  RawConnection connect() throws IOException {
    return new RawConnection(uri);
  }

  byte[] request(Scenario scenario) {
    return RawConnection.post(uri, GatewayConfigs.KEY, scenario.body(prefix));
  }
}
