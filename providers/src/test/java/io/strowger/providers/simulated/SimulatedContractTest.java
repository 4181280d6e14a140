package io.strowger.providers.simulated;

import io.strowger.core.json.JacksonCodec;
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
  protected Upstream connect(TestAmbient ambient) {
    return new InProcess(ambient);
  }

  private static final class InProcess implements Upstream {
    private volatile UpstreamBehaviour behaviour = new UpstreamBehaviour.Echoes();
    private final ChatProvider provider;

    InProcess(TestAmbient ambient) {
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
      return switch (behaviour) {
        case UpstreamBehaviour.Echoes echo -> Script.answer(Given.lastText(call.request()));
        case UpstreamBehaviour.Stalls(String text) -> begins(text, new Fault.Stall(1));
        case UpstreamBehaviour.Silent silent -> Script.failing(new Fault.Stall(Fault.BEFORE_HEAD));
        case UpstreamBehaviour.Cuts(String text) -> begins(text, new Fault.Cut(1));
        case UpstreamBehaviour.Garbage garbage ->
            Script.failing(new Fault.Garbage(Fault.AFTER_HEAD));
        case UpstreamBehaviour.Refuses(int status, int wait, String message) ->
            Script.failing(
                new Fault.Refuse(
                    status,
                    wait < 0 ? Map.of() : Map.of("Retry-After", Integer.toString(wait)),
                    message));
      };
    }

    private static Script begins(String text, Fault fault) {
      return Script.builder().text(text).chunks(1).fault(fault).build();
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
    public void behave(UpstreamBehaviour wanted) {
      behaviour = wanted;
    }

    @Override
    public void close() {}
  }
}
