package io.strowger.providers.upstream;

import io.strowger.providers.http.AddressRules;
import io.strowger.providers.http.AnswerMemory;
import io.strowger.providers.http.ApacheTransport;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.TransportFactory;
import io.strowger.spi.provider.Transports;
import java.util.List;

/**
 * The HTTP transports of one gateway, and the memory that all of its adapters share for answers of
 * upstreams. Safe on any thread.
 */
public final class HttpTransports implements Transports {
  /**
   * Limits for requests to web sites, which are few; further requests wait. The transport for
   * providers has limits of its own.
   */
  private static final ApacheTransport.Limits WEB_LIMITS = new ApacheTransport.Limits(32, 512);

  /**
   * Limits for deliveries to destinations: each has one delivery at a time, and destinations at one
   * host share its connections.
   */
  private static final ApacheTransport.Limits DESTINATION_LIMITS =
      new ApacheTransport.Limits(256, 4_096);

  /** Ports of OpenTelemetry collectors and ClickHouse, in addition to 80 and 443. */
  private static final List<Integer> DESTINATION_PORTS = List.of(4318, 8443);

  private final AnswerMemory memory = AnswerMemory.ofHeap();
  private final ApacheTransport providers = new ApacheTransport();
  private final ApacheTransport web;
  private final ApacheTransport destinations;

  private HttpTransports(AddressRules rules) {
    web = new ApacheTransport(WEB_LIMITS, rules);
    destinations = new ApacheTransport(DESTINATION_LIMITS, rules.allowingPorts(DESTINATION_PORTS));
  }

  /** Opens the transports of a gateway. */
  public static final class Factory implements TransportFactory {
    @Override
    public HttpTransports open(Ambient ambient, NetworkReach networkReach) {
      var transports =
          new HttpTransports(
              AddressRules.publicOnly()
                  .allowing(networkReach.networks())
                  .allowingPorts(networkReach.ports()));
      try {
        transports.providers.startSweeping(ambient);
        transports.web.startSweeping(ambient);
        transports.destinations.startSweeping(ambient);
        return transports;
      } catch (RuntimeException | Error e) {
        transports.close();
        throw e;
      }
    }
  }

  /**
   * Returns the memory for the answers of all adapters over these transports: the shared one if
   * they are {@link HttpTransports}, otherwise a new one.
   */
  public static AnswerMemory memory(Transports shared) {
    return shared instanceof HttpTransports http ? http.memory : AnswerMemory.ofHeap();
  }

  /**
   * Loads the certificates that the JDK trusts, so that problems with them are found now and the
   * first call to a provider does not wait for that.
   */
  public void prepareTls() {
    providers.prepareTls();
  }

  @Override
  public Transport providers() {
    return providers;
  }

  @Override
  public Transport web() {
    return web;
  }

  @Override
  public Transport destinations() {
    return destinations;
  }

  @Override
  public void close() {
    providers.close();
    web.close();
    destinations.close();
  }
}
