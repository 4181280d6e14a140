package io.strowger.providers.simulated;

import io.strowger.core.json.JacksonCodec;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.simulated.SimulatedUpstream;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.tck.Given;
import io.strowger.tck.TestTransport;
import io.strowger.tck.UpstreamBehaviour;
import java.time.Duration;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * A simulated upstream of one kind of endpoint, and an adapter that is connected to it.
 *
 * @param <P> the type of the adapter
 */
public class Loopback<P> implements AutoCloseable {
  private static final String MODEL = "upstream-model";

  private final SimulatedUpstream server;
  private final TestTransport transport = new TestTransport();
  private final Endpoint.Kind kind;
  private final P provider;

  /**
   * Starts the upstream and connects an adapter to it.
   *
   * @param adapter creates the adapter over a transport
   */
  public Loopback(
      Ambient ambient, Endpoint.Kind kind, BiFunction<TestTransport, ProviderSettings, P> adapter) {
    this.kind = kind;
    server = SimulatedUpstream.start(ambient);
    behave(new UpstreamBehaviour.Echoes());
    provider =
        adapter.apply(
            transport,
            new ProviderSettings(
                "acme",
                server.baseUri(),
                Map.of(),
                Duration.ofSeconds(5),
                new JacksonCodec(),
                ambient));
  }

  public P provider() {
    return provider;
  }

  public Endpoint endpoint() {
    return Given.endpoint("acme", "acme/one", "1").toBuilder()
        .kind(kind)
        .upstreamModel(MODEL)
        .build();
  }

  /** Sets how the upstream answers every further request. */
  public final void behave(UpstreamBehaviour behaviour) {
    server.script(
        MODEL,
        switch (behaviour) {
          case UpstreamBehaviour.Echoes echoes -> Script.builder().tokens(3, 0).build();
          case UpstreamBehaviour.Stalls stalls ->
              Script.failing(new ScriptedFault.Stall(ScriptedFault.AFTER_HEAD));
          case UpstreamBehaviour.Silent silent ->
              Script.failing(new ScriptedFault.Stall(ScriptedFault.BEFORE_HEAD));
          case UpstreamBehaviour.Cuts cuts ->
              Script.failing(new ScriptedFault.Cut(ScriptedFault.AFTER_HEAD));
          case UpstreamBehaviour.Garbage garbage ->
              Script.responding(200, Map.of("Content-Type", "text/html"), "<html>no</html>");
          case UpstreamBehaviour.Refuses(int status, int wait, String message) ->
              Script.responding(status, Map.of(), refusal(message));
        });
  }

  private static String refusal(String message) {
    Json.Obj error = Json.object().put("message", message).build();
    return Json.object().put("error", error).build().toString();
  }

  public String lastBody() {
    return server.last().text();
  }

  public boolean awaitRequests(long count, Duration atMost) throws InterruptedException {
    return server.awaitRequests(count, atMost);
  }

  @Override
  public void close() {
    server.close();
    transport.close();
  }
}
