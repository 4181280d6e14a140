package io.strowger.providers.embeddings;

import io.strowger.core.json.JacksonCodec;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.providers.simulated.Fault;
import io.strowger.providers.simulated.Script;
import io.strowger.providers.simulated.SimulatedUpstream;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.EmbeddingsProvider;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.tck.EmbeddingsProviderContract;
import io.strowger.tck.Given;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.TestTransport;
import io.strowger.tck.UpstreamBehaviour;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The adapter for embeddings in the OpenAI form")
class OpenAiEmbeddingsContractTest extends EmbeddingsProviderContract {
  @Override
  protected Upstream connect(TestAmbient ambient) {
    return new Loopback(ambient);
  }

  private static final class Loopback implements Upstream {
    private static final String MODEL = "upstream-model";

    private final SimulatedUpstream server;
    private final TestTransport transport = new TestTransport();
    private final EmbeddingsProvider provider;

    Loopback(TestAmbient ambient) {
      server = SimulatedUpstream.start(ambient);
      behave(new UpstreamBehaviour.Echoes());
      provider =
          Objects.requireNonNull(
              new OpenAiChatFactory(transport)
                  .createEmbeddings(
                      new ProviderSettings(
                          "acme",
                          server.baseUri(),
                          Map.of(),
                          Duration.ofSeconds(5),
                          new JacksonCodec(),
                          ambient)));
    }

    @Override
    public EmbeddingsProvider provider() {
      return provider;
    }

    @Override
    public Endpoint endpoint() {
      return Given.endpoint("acme", "acme/one", "1").toBuilder()
          .kind(Endpoint.Kind.EMBEDDINGS)
          .upstreamModel(MODEL)
          .build();
    }

    @Override
    public void behave(UpstreamBehaviour behaviour) {
      server.script(
          MODEL,
          switch (behaviour) {
            case UpstreamBehaviour.Echoes echoes -> Script.builder().tokens(3, 0).build();
            case UpstreamBehaviour.Stalls stalls ->
                Script.failing(new Fault.Stall(Fault.AFTER_HEAD));
            case UpstreamBehaviour.Silent silent ->
                Script.failing(new Fault.Stall(Fault.BEFORE_HEAD));
            case UpstreamBehaviour.Cuts cuts -> Script.failing(new Fault.Cut(Fault.AFTER_HEAD));
            case UpstreamBehaviour.Garbage garbage ->
                Script.failing(
                    new Fault.Refuse(200, Map.of("Content-Type", "text/html"), "<html>no</html>"));
            case UpstreamBehaviour.Refuses(int status, int wait, String message) ->
                Script.failing(new Fault.Refuse(status, Map.of(), refusal(message)));
          });
    }

    private static String refusal(String message) {
      Json.Obj error = Json.object().put("message", message).build();
      return Json.object().put("error", error).build().toString();
    }

    @Override
    public String lastBody() {
      return server.last().text();
    }

    @Override
    public boolean awaitRequests(long count, Duration atMost) throws InterruptedException {
      return server.awaitRequests(count, atMost);
    }

    @Override
    public void close() {
      server.close();
      transport.close();
    }
  }
}
