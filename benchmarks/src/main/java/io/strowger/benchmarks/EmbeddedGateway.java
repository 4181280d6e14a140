package io.strowger.benchmarks;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.Reading;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Transport;
import io.strowger.telemetry.GatewayMetrics;
import io.strowger.telemetry.OpenTelemetryTracer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A gateway in this process, called as a host calls it. */
public final class EmbeddedGateway implements AutoCloseable {
  private final Gateway gateway;

  /**
   * @param transport stays the caller's
   * @param models the upstream's names
   */
  public EmbeddedGateway(Transport transport, URI upstream, String... models) {
    this(transport, Api.CHAT, upstream, models);
  }

  /**
   * @param transport stays the caller's
   * @param api what the upstream speaks
   * @param models the upstream's names
   */
  EmbeddedGateway(Transport transport, Api api, URI upstream, String... models) {
    byte[] file = GatewayConfigs.file(api, upstream, models).getBytes(StandardCharsets.UTF_8);
    gateway =
        switch (ConfigReader.standard().read(file)) {
          case Reading.Accepted accepted -> gateway(accepted, api, transport);
          case Reading.Refused refused -> throw new IllegalArgumentException(refused.toString());
        };
  }

  /**
   * Makes one whose calls are traced and counted, as a host does that exports everything: spans are
   * recorded and go nowhere.
   *
   * @param transport stays the caller's
   * @param models the upstream's names
   */
  static EmbeddedGateway observed(Transport transport, URI upstream, String... models) {
    byte[] file = GatewayConfigs.file(Api.CHAT, upstream, models).getBytes(StandardCharsets.UTF_8);
    OpenTelemetry traces =
        OpenTelemetrySdk.builder().setTracerProvider(SdkTracerProvider.builder().build()).build();
    return new EmbeddedGateway(
        Gateway.builder(ConfigReader.standard().read(file).orThrow())
            .provider(Api.CHAT.factory(transport))
            .tracer(new OpenTelemetryTracer(traces))
            .sink(new GatewayMetrics(new SimpleMeterRegistry()))
            .build());
  }

  /**
   * Calls a gateway that was built elsewhere, and closes it in the end.
   *
   * @param gateway of {@link GatewayConfigs}
   */
  public EmbeddedGateway(Gateway gateway) {
    this.gateway = gateway;
  }

  private static Gateway gateway(Reading.Accepted accepted, Api api, Transport transport) {
    return Gateway.builder(accepted.config()).provider(api.factory(transport)).build();
  }

  /** The function a host serves. */
  public WireResponse handle(WireRequest request) {
    return gateway.wire().handle(request);
  }

  /**
   * One request for chat, answered to the end.
   *
   * @return the status
   */
  public int chat(byte[] body, OutputStream out) throws IOException {
    return post(Api.CHAT.path(), body, out);
  }

  /**
   * One request of any dialect, answered to the end.
   *
   * @return the status
   */
  int post(String path, byte[] body, OutputStream out) throws IOException {
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
