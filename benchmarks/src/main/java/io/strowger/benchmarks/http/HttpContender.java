package io.strowger.benchmarks.http;

import io.strowger.benchmarks.GatewayConfigs;
import java.io.IOException;
import java.net.URI;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A server that answers chat requests over HTTP.
 *
 * @param name the name in the table
 * @param uri the address of chat requests
 * @param prefix the part of a model id before the upstream's name of the model
 * @param counters a function that returns what its process has used since its start
 * @param diskBytes a function that returns the bytes of its files
 */
public record HttpContender(
    String name, URI uri, String prefix, Supplier<ProcessUsage> counters, LongSupplier diskBytes)
    implements Contender {
  private static final String CHAT = "/chat/completions";

  static HttpContender direct(URI upstream, Supplier<ProcessUsage> counters) {
    return new HttpContender("direct", URI.create(upstream + CHAT), "", counters, () -> 0);
  }

  /** Returns the relay in front of the upstream. */
  public static HttpContender relay(URI relay, Supplier<ProcessUsage> counters) {
    return new HttpContender("relay", relay, "", counters, () -> 0);
  }

  /** Returns a gateway, whose API is below {@code api}. */
  public static HttpContender gateway(
      String name, URI api, Supplier<ProcessUsage> counters, LongSupplier disk) {
    return new HttpContender(
        name, URI.create(api + CHAT), GatewayConfigs.MODEL_PREFIX, counters, disk);
  }

  @Override
  public ProcessUsage usage() {
    return counters.get();
  }

  @Override
  public long bytesOnDisk() {
    return diskBytes.getAsLong();
  }

  @Override
  public HttpSession open(Scenario scenario) throws IOException {
    return new HttpSession(this, scenario);
  }

  byte[] request(Scenario scenario) {
    return RawConnection.post(uri, GatewayConfigs.KEY, scenario.body(prefix));
  }
}
