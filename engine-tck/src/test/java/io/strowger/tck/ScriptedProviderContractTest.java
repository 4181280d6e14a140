package io.strowger.tck;

import static io.strowger.tck.Given.answer;
import static io.strowger.tck.Given.lastText;
import static io.strowger.tck.Step.emit;
import static io.strowger.tck.Step.failed;
import static io.strowger.tck.Step.finished;
import static io.strowger.tck.Step.stall;
import static io.strowger.tck.Step.started;
import static io.strowger.tck.Step.text;
import static io.strowger.tck.Step.usage;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.model.Event;
import io.strowger.spi.provider.Call;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The scripted provider keeps the contract of adapters:")
class ScriptedProviderContractTest extends ChatProviderContract {
  @Override
  protected ProviderSetup connect(TestAmbient ambient) {
    return new ScriptedConnection(new ScriptedProvider(ambient));
  }

  private record ScriptedConnection(ScriptedProvider provider) implements ProviderSetup {
    @Override
    public Endpoint endpoint() {
      return Given.endpoint("alpha", "author/model", "1");
    }

    @Override
    public boolean sendsParameters() {
      return false; // it sends no request
    }

    @Override
    public void behave(UpstreamBehaviour behaviour) {
      switch (behaviour) {
        case UpstreamBehaviour.Echoes echoes -> provider.always(ScriptedConnection::echo);
        case UpstreamBehaviour.Stalls(var begin) ->
            provider.always(call -> List.of(started(), text(begin), stall()));
        case UpstreamBehaviour.Silent silent -> provider.stallsInOpen();
        case UpstreamBehaviour.Cuts(var begin) ->
            provider.always(
                call -> List.of(text(begin), failed(Failure.of(FailureKind.UNAVAILABLE, "cut"))));
        case UpstreamBehaviour.Garbage garbage ->
            provider.alwaysRefuses(Failure.of(FailureKind.PROTOCOL, "garbage"));
        case UpstreamBehaviour.Refuses(var status, var retryAfter, var message) ->
            provider.alwaysRefuses(
                new Failure(FailureKind.ofStatus(status), status, retryAfter, "refused by script"));
      }
    }

    private static List<Step> echo(Call call) {
      String text = lastText(call.request());
      if (!call.request().streaming()) {
        var whole = answer(text);
        return List.of(usage(10, text.length()), emit(new Event.CompleteAnswer(whole)));
      }
      int half = text.length() / 2;
      return List.of(
          started(),
          text(text.substring(0, half)),
          text(text.substring(half)),
          usage(10, text.length()),
          finished());
    }

    @Override
    public String lastBody() {
      return ""; // nothing is sent
    }

    @Override
    public void close() {}
  }
}
