package io.strowger.benchmarks;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.strowger.core.Gateway;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.destinations.StandardDestinations;
import io.strowger.spi.observe.DestinationCounts;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Transport;
import io.strowger.telemetry.GatewayMetrics;
import io.strowger.telemetry.OpenTelemetryTracer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A gateway in this process, called as a host calls it. */
public final class EmbeddedGateway implements AutoCloseable {
  private static final String DESTINATIONS =
      """
      , 'observability_destinations': [
        { 'id': 'rows', 'name': 'rows', 'type': 'clickhouse', 'privacy_mode': PRIVACY, 'sampling_rate': RATE,
          'config': { 'host': 'BASE', 'database': 'd', 'username': 'u', 'password': 'p', 'table': 't' } },
        { 'id': 'hook', 'name': 'hook', 'type': 'webhook', 'privacy_mode': PRIVACY, 'sampling_rate': RATE,
          'config': { 'url': 'BASE/' } },
        { 'id': 'spans', 'name': 'spans', 'type': 'langfuse', 'privacy_mode': PRIVACY, 'sampling_rate': RATE,
          'config': { 'publicKey': 'pk', 'secretKey': 'sk', 'baseUrl': 'BASE' } } ]
      """;

  private final Gateway gateway;

  /**
   * Creates a gateway in front of an upstream of the chat dialect.
   *
   * @param transport the transport to the upstream; not closed by the gateway
   * @param models the upstream's names of the models
   */
  public EmbeddedGateway(Transport transport, URI upstream, String... models) {
    this(transport, Api.CHAT, upstream, models);
  }

  /**
   * Creates a gateway in front of an upstream.
   *
   * @param transport the transport to the upstream; not closed by the gateway
   * @param api the dialect of the upstream
   * @param models the upstream's names of the models
   */
  EmbeddedGateway(Transport transport, Api api, URI upstream, String... models) {
    this(
        Gateway.builder(GatewayConfigs.read(GatewayConfigs.file(api, upstream, models)))
            .provider(api.factory(transport))
            .build());
  }

  /**
   * Creates a gateway whose calls are traced and counted, as by a host that exports everything; the
   * spans are recorded and dropped.
   *
   * @param transport the transport to the upstream; not closed by the gateway
   * @param models the upstream's names of the models
   */
  static EmbeddedGateway withTelemetry(Transport transport, URI upstream, String... models) {
    OpenTelemetry traces =
        OpenTelemetrySdk.builder().setTracerProvider(SdkTracerProvider.builder().build()).build();
    return new EmbeddedGateway(
        Gateway.builder(GatewayConfigs.read(GatewayConfigs.file(upstream, models)))
            .provider(Api.CHAT.factory(transport))
            .tracer(new OpenTelemetryTracer(traces))
            .sink(new GatewayMetrics(new SimpleMeterRegistry()))
            .build());
  }

  /**
   * Creates a gateway with three observability destinations of different forms: rows, OTLP in JSON
   * and OTLP in its binary form. The destinations answer at once without a network.
   *
   * @param transport the transport to the upstream; not closed by the gateway
   * @param model the upstream's name of the model
   * @param privacyMode whether the destinations are sent neither messages nor choices
   * @param samplingRate the share of the calls that each is sent, such as 0.1
   */
  static EmbeddedGateway withDestinations(
      Transport transport, URI upstream, String model, boolean privacyMode, String samplingRate) {
    return withDestinations(
        transport,
        upstream,
        model,
        privacyMode,
        samplingRate,
        new MemoryTransport(new byte[0]),
        URI.create("http://127.0.0.1:1"));
  }

  /**
   * Creates a gateway with three observability destinations at an address.
   *
   * @param transport the transport to the upstream; not closed by the gateway
   * @param model the upstream's name of the model
   * @param privacyMode whether the destinations get neither messages nor choices
   * @param samplingRate the share of the calls that each of them is sent, such as 0.1
   * @param destinationTransport the transport to the destinations; not closed by the gateway
   * @param destinations an address without a path
   */
  static EmbeddedGateway withDestinations(
      Transport transport,
      URI upstream,
      String model,
      boolean privacyMode,
      String samplingRate,
      Transport destinationTransport,
      URI destinations) {
    String file = GatewayConfigs.file(Api.CHAT, upstream, model).stripTrailing();
    String configured =
        DESTINATIONS
            .replace("PRIVACY", Boolean.toString(privacyMode))
            .replace("RATE", samplingRate)
            .replace("BASE", destinations.toString())
            .replace('\'', '"');
    String config = file.substring(0, file.lastIndexOf('}')) + configured + "}";
    return new EmbeddedGateway(
        Gateway.builder(GatewayConfigs.read(config))
            .provider(Api.CHAT.factory(transport))
            .destinations(destinationTransport, List.of(new StandardDestinations()))
            .build());
  }

  /** Returns the number of calls delivered to all destinations. */
  long delivered() {
    return gateway.destinations().stream().mapToLong(DestinationCounts::delivered).sum();
  }

  /**
   * Returns the number of calls dropped because the queue of a destination was full, over all
   * destinations.
   */
  long dropped() {
    return gateway.destinations().stream().mapToLong(DestinationCounts::droppedFull).sum();
  }

  /**
   * Wraps a gateway that was built elsewhere; {@link #close} closes it.
   *
   * @param gateway a gateway whose configuration is from {@link GatewayConfigs}
   */
  public EmbeddedGateway(Gateway gateway) {
    this.gateway = gateway;
  }

  /** Handles a request as a host does. */
  public WireResponse handle(WireRequest request) {
    return gateway.wire().handle(request);
  }

  /**
   * Sends a chat request and reads the answer to its end.
   *
   * @return the status
   */
  public int chat(byte[] body, OutputStream out) throws IOException {
    return post(Api.CHAT.path(), body, out);
  }

  /**
   * Sends a request of any dialect and reads the answer into a buffer, which is emptied first.
   *
   * @throws IllegalStateException when the status is not 200
   */
  void answer(Api api, byte[] body, ByteArrayOutputStream answer) throws IOException {
    answer.reset();
    int status = post(api.path(), body, answer);
    if (status != 200) {
      throw new IllegalStateException(status + ": " + answer);
    }
  }

  /**
   * Sends a request of any dialect and reads the answer to its end.
   *
   * @return the status
   */
  private int post(String path, byte[] body, OutputStream out) throws IOException {
    WireResponse response =
        handle(
            new WireRequest(
                "POST",
                path,
                "",
                name -> header(name, body.length),
                new ByteArrayInputStream(body),
                new Cancellation()));
    try (WireBody answer = response.body()) {
      while (answer.writeNext(out)) {
        // to the end
      }
    }
    return response.status();
  }

  private static @Nullable String header(String name, int length) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "authorization" -> "Bearer " + GatewayConfigs.KEY;
      case "content-type" -> "application/json";
      case "content-length" -> Integer.toString(length);
      default -> null;
    };
  }

  @Override
  public void close() {
    gateway.close();
  }
}
