package io.strowger.benchmarks.ladder;

import io.strowger.benchmarks.AdapterCalls;
import io.strowger.benchmarks.EmbeddedGateway;
import io.strowger.benchmarks.GatewayConfigs;
import io.strowger.benchmarks.http.Scenario;
import io.strowger.benchmarks.http.Upstream;
import io.strowger.core.Gateway;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.attempt.GatewayMembers;
import io.strowger.core.authentication.Caller;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.SecretKeySource;
import io.strowger.core.inference.Reply;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.memory.MemoryStores;
import io.strowger.host.server.RunningGateway;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.providers.http.ApacheTransport;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import io.strowger.spi.provider.UpstreamException;
import io.strowger.spi.store.Stores;
import io.strowger.stores.JdbcStores;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The layers of a gateway in this process, over an upstream in another process. */
final class Layers implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final String AUTHORIZATION = "Bearer upstream-key";
  private static final int BUFFER = 2048;

  private final SystemAmbient ambient = new SystemAmbient();
  private final JacksonCodec codec = new JacksonCodec();
  private final ApacheTransport transport = new ApacheTransport();
  private final URI upstream;
  private final Stores stores;
  private final RunningGateway runningGateway;
  private final Gateway gateway;
  private final Caller caller;
  private final ChatProvider adapter;
  private @Nullable AttemptLayers attempts;

  /**
   * Opens a gateway as the host does.
   *
   * @param data the data directory; null to keep everything in memory
   */
  Layers(URI upstream, @Nullable Path data) {
    this.upstream = upstream;
    transport.startSweeping(ambient);
    stores = data == null ? new MemoryStores() : openDurableStores(data);
    runningGateway =
        RunningGateway.open(
            config(upstream),
            ambient,
            new RunningGateway.HostResources(stores, SecretKeySource.NONE, null));
    gateway = runningGateway.gateway();
    caller = gateway.authenticator().caller("Bearer " + GatewayConfigs.KEY);
    adapter =
        new OpenAiChatFactory(transport)
            .create(new ProviderSettings("alpha", upstream, Map.of(), TIMEOUT, codec, ambient));
  }

  private Stores openDurableStores(Path data) {
    var settings =
        new JdbcStores.Settings(
            "jdbc:h2:file:" + data.resolve("gateway").toAbsolutePath(),
            null,
            Credential.NONE,
            data);
    return JdbcStores.open(settings, codec, ambient);
  }

  static GatewayConfig config(URI upstream) {
    return GatewayConfigs.read(GatewayConfigs.file(upstream, Upstream.SHORT, Upstream.LONG));
  }

  /**
   * Returns a layer for the requests of a scenario.
   *
   * @throws IllegalArgumentException for {@link Rung#HOST}, which is a process of its own
   */
  Layer of(Rung rung, Scenario scenario) {
    return switch (rung) {
      case TRANSPORT -> transport(scenario);
      case ADAPTER -> adapter(scenario);
      case ATTEMPT -> attempts().attemptOnly(request(scenario));
      case TURN -> attempts().turn(request(scenario));
      case INFERENCE -> inference(request(scenario));
      case WIRE -> wire(scenario);
      case HOST -> throw new IllegalArgumentException("the host is a process of its own");
    };
  }

  private Layer transport(Scenario scenario) {
    URI chat = URI.create(upstream + "/chat/completions");
    byte[] body = scenario.body("");
    Map<String, String> headers = Map.of("Authorization", AUTHORIZATION);
    return () -> {
      var request =
          new Transport.Request(
              chat, headers, JsonOutput.of(body), TIMEOUT, TIMEOUT, new Cancellation());
      try (Transport.Response response = transport.send(request)) {
        drain(response.body());
      }
    };
  }

  private static void drain(InputStream in) throws IOException {
    byte[] buffer = new byte[BUFFER];
    int read = 0;
    while (read >= 0) {
      read = in.read(buffer);
    }
  }

  private Layer adapter(Scenario scenario) {
    InferenceRequest request = GatewayMembers.removeFrom(request(scenario), null);
    Endpoint endpoint = endpoint(request);
    return () -> {
      var call =
          new Call(
              endpoint,
              new Credential("upstream-key"),
              request,
              0,
              null,
              TIMEOUT,
              new Cancellation());
      try {
        drain(adapter.open(call));
      } catch (UpstreamException e) {
        throw new IOException(e);
      }
    };
  }

  /** Reads a stream to its end and closes it. */
  static void drain(EventStream events) throws IOException {
    try (events) {
      for (Event event = events.next(); event != null; event = events.next()) {
        if (event instanceof Event.Failed failed) {
          throw new IOException("the answer broke off: " + failed.error().message());
        }
      }
    }
  }

  private Layer inference(InferenceRequest request) {
    return () -> {
      Reply reply = gateway.inference().serve(caller, request, new Cancellation());
      switch (reply) {
        case Reply.Answered answered -> {
          try (Reply.MeteredAnswer answer = answered.answer()) {
            drain(answer);
          }
        }
        case Reply.Refused refused -> throw new IOException(refused.error().message());
      }
    };
  }

  private Layer wire(Scenario scenario) {
    var embedded = new EmbeddedGateway(gateway);
    byte[] body = scenario.body(GatewayConfigs.MODEL_PREFIX);
    return () -> {
      int status = embedded.chat(body, OutputStream.nullOutputStream());
      if (status != 200) {
        throw new IOException("answered " + status);
      }
    };
  }

  /** Returns a request of the scenario as the gateway decodes it. */
  private static InferenceRequest request(Scenario scenario) {
    return AdapterCalls.read(scenario.body(GatewayConfigs.MODEL_PREFIX));
  }

  private Endpoint endpoint(InferenceRequest request) {
    String model = request.models().getFirst().toString();
    return Objects.requireNonNull(gateway.config().catalog().model(model), model)
        .endpoints()
        .getFirst();
  }

  private AttemptLayers attempts() {
    AttemptLayers result = attempts;
    if (result == null) {
      result = new AttemptLayers(gateway, caller, adapter, codec, ambient);
      attempts = result;
    }
    return result;
  }

  @Override
  public void close() {
    if (attempts != null) {
      attempts.close();
    }
    runningGateway.close();
    stores.close();
    transport.close();
  }

  /** One layer of the gateway with everything below it. Safe on any thread. */
  @FunctionalInterface
  interface Layer {
    /**
     * Serves one request to the end of its answer.
     *
     * @throws IOException when there is no complete answer
     */
    void call() throws IOException;
  }
}
