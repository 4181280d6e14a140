package io.strowger.providers.simulated;

import io.strowger.core.json.JacksonCodec;
import io.strowger.simulated.Script;
import io.strowger.simulated.SimulatedFactory;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.tck.ChatProviderContract;
import io.strowger.tck.Given;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.UpstreamBehaviour;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The simulated adapter")
class SimulatedContractTest extends ChatProviderContract {
  @Override
  protected ProviderSetup connect(TestAmbient ambient) {
    return new InProcessUpstream(ambient);
  }

  private static final class InProcessUpstream implements ProviderSetup {
    private volatile UpstreamBehaviour behaviour = new UpstreamBehaviour.Echoes();
    private final ChatProvider provider;

    InProcessUpstream(TestAmbient ambient) {
      provider =
          new SimulatedFactory(this::script)
              .create(
                  new ProviderSettings(
                      "alpha",
                      URI.create("simulated:alpha"),
                      Map.of(),
                      Duration.ofSeconds(1),
                      new JacksonCodec(),
                      ambient));
    }

    private Script script(Call call) {
      return LoopbackUpstream.script(
          behaviour, () -> Given.lastText(call.request()), (status, message) -> message);
    }

    @Override
    public ChatProvider provider() {
      return provider;
    }

    @Override
    public Endpoint endpoint() {
      return Given.endpoint("alpha", "lab/model", "1");
    }

    @Override
    public boolean sendsParameters() {
      return false; // the adapter invents its answers
    }

    @Override
    public void behave(UpstreamBehaviour newBehaviour) {
      behaviour = newBehaviour;
    }

    @Override
    public String lastBody() {
      return ""; // nothing is sent
    }

    @Override
    public void close() {}
  }
}
