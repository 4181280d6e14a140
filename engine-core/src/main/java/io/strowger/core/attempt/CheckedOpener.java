package io.strowger.core.attempt;

import io.strowger.core.money.Funds;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.UpstreamException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Opens adapters so that none of their answers goes beyond what its hold covers, or beyond the
 * memory there is: the innermost step of every attempt, in front of all plugins.
 *
 * @param delegate what else stands around each attempt
 * @param whenCut is told the endpoint of an answer that is cut
 * @param collected memory for what is collected of the answers; null when they are only passed on
 */
public record CheckedOpener(
    Opener delegate, Consumer<String> whenCut, OutputBudget.@Nullable Share collected)
    implements Opener {
  @Override
  public EventStream open(ChatProvider adapter, Call call, Funds funds) throws UpstreamException {
    return delegate.open(new Checked(adapter, funds, whenCut, collected), call, funds);
  }

  /** Asks the adapter, and checks what it gives. */
  private record Checked(
      ChatProvider adapter,
      Funds funds,
      Consumer<String> whenCut,
      OutputBudget.@Nullable Share collected)
      implements ChatProvider {
    @Override
    public EventStream open(Call call) throws UpstreamException {
      EventStream stream = funds.open(adapter, call);
      return new CheckedStream(
          stream,
          call,
          () -> whenCut.accept(call.endpoint().id()),
          collected == null ? null : new CollectedOutput(collected));
    }

    @Override
    public Json body(Call call) {
      return adapter.body(call);
    }

    @Override
    public void close() {
      adapter.close();
    }
  }
}
