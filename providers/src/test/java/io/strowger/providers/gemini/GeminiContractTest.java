package io.strowger.providers.gemini;

import io.strowger.core.json.JacksonCodec;
import io.strowger.providers.http.ApacheTransport;
import io.strowger.providers.simulated.Fault;
import io.strowger.providers.simulated.Received;
import io.strowger.providers.simulated.Script;
import io.strowger.providers.simulated.SimulatedUpstream;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.tck.ChatProviderContract;
import io.strowger.tck.Given;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.UpstreamBehaviour;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The gemini adapter")
class GeminiContractTest extends ChatProviderContract {
  @Override
  protected Upstream connect(TestAmbient ambient) {
    return new LoopbackUpstream(ambient);
  }

  /** A simulated upstream, and the adapter over real sockets. */
  private static final class LoopbackUpstream implements Upstream {
    private static final String MODEL = "upstream-model";

    private final SimulatedUpstream server;
    private final ApacheTransport transport = new ApacheTransport();
    private final ChatProvider provider;

    LoopbackUpstream(TestAmbient ambient) {
      server = SimulatedUpstream.start(ambient);
      provider =
          new GeminiFactory(transport)
              .create(
                  new ProviderSettings(
                      "alpha",
                      server.baseUri(),
                      Map.of(),
                      Duration.ofSeconds(5),
                      new JacksonCodec(),
                      ambient));
    }

    @Override
    public ChatProvider provider() {
      return provider;
    }

    @Override
    public Endpoint endpoint() {
      return Given.endpoint("alpha", "lab/model", "1").toBuilder().upstreamModel(MODEL).build();
    }

    @Override
    public boolean namesModelInBody() {
      return false; // it stands in the address
    }

    @Override
    public void behave(UpstreamBehaviour behaviour) {
      server.respond(
          MODEL,
          request ->
              switch (behaviour) {
                case UpstreamBehaviour.Echoes echo -> Script.answer(lastText(request));
                case UpstreamBehaviour.Stalls(String text) -> begins(text, new Fault.Stall(1));
                case UpstreamBehaviour.Silent silent ->
                    Script.failing(new Fault.Stall(Fault.BEFORE_HEAD));
                case UpstreamBehaviour.Cuts(String text) -> begins(text, new Fault.Cut(1));
                case UpstreamBehaviour.Garbage garbage ->
                    Script.failing(new Fault.Garbage(Fault.AFTER_HEAD));
                case UpstreamBehaviour.Refuses(int status, int wait, String message) ->
                    refuses(status, wait, message);
              });
    }

    private static Script begins(String text, Fault fault) {
      return Script.builder().text(text).chunks(1).fault(fault).build();
    }

    private static Script refuses(int status, int wait, String message) {
      Json.Obj inner = Json.object().put("code", status).put("message", message).build();
      Json.Obj error = Json.object().put("error", inner).build();
      Map<String, String> headers =
          wait < 0 ? Map.of() : Map.of("Retry-After", Integer.toString(wait));
      return Script.failing(new Fault.Refuse(status, headers, error.toString()));
    }

    private static String lastText(Received request) {
      try {
        var body = (Json.Obj) new JacksonCodec().parse(request.body());
        var content =
            (Json.Obj) Objects.requireNonNull(body.list("contents")).reversed().getFirst();
        var part = (Json.Obj) Objects.requireNonNull(content.list("parts")).reversed().getFirst();
        return Objects.requireNonNull(part.text("text"));
      } catch (JsonCodec.MalformedJson unreadable) {
        throw new AssertionError(unreadable);
      }
    }

    @Override
    public void close() {
      transport.close();
      server.close();
    }
  }
}
