package io.strowger.benchmarks.http;

import io.strowger.benchmarks.GatewayConfigs;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Somebody who answers chat requests.
 *
 * @param name for the table
 * @param uri where chat requests go
 * @param prefix what comes before the upstream's name of a model
 * @param cpu processor time used so far by whoever answers
 */
record Party(String name, URI uri, String prefix, Supplier<Duration> cpu) {
  private static final String CHAT = "/chat/completions";

  static Party direct(URI upstream, Supplier<Duration> cpu) {
    return new Party("direct", URI.create(upstream + CHAT), "", cpu);
  }

  static Party relay(URI relay, Supplier<Duration> cpu) {
    return new Party("relay", relay, "", cpu);
  }

  static Party gateway(URI api, Supplier<Duration> cpu) {
    return new Party("gateway", URI.create(api + CHAT), GatewayConfigs.PREFIX, cpu);
  }

  RawConnection connect() throws IOException {
    return new RawConnection(uri);
  }

  byte[] request(Scenario scenario) {
    return RawConnection.post(uri, GatewayConfigs.KEY, scenario.body(prefix));
  }
}
