package io.strowger.core.flow;

import io.strowger.core.tools.ToolLoop;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.spi.store.Hold;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The rest of the way, as one plugin around a request sees it. That it passed on another request
 * than it was given is noted for it.
 */
record RequestChain(CallChain call, String plugin, int next, InferenceRequest given)
    implements Interceptor.Chain {
  @Override
  public EventStream proceed(InferenceRequest request) {
    noteChange(request);
    return call.from(next, request);
  }

  @Override
  public List<Result> proceedAll(List<InferenceRequest> requests) {
    List<InferenceRequest> all = List.copyOf(requests);
    all.forEach(this::noteChange);
    return call.all(next, all);
  }

  private void noteChange(InferenceRequest request) {
    if (request != given && !plugin.equals(ToolLoop.ID)) { // whose turns tell enough
      note("went on with another request than it was given");
    }
  }

  @Override
  public Optional<Endpoint> endpoint() {
    return Optional.empty();
  }

  @Override
  public Instant now() {
    return call.now();
  }

  @Override
  public Duration remaining() {
    return call.remaining();
  }

  @Override
  public Cancellation cancellation() {
    return call.cancellation();
  }

  @Override
  public Usd spent() {
    return call.spent();
  }

  @Override
  public Hold hold(Usd atMost, String what) {
    return call.hold(plugin, atMost, what);
  }

  @Override
  public void note(String text) {
    call.note(new TraceEntry.Note(plugin, text));
  }

  @Override
  public void stage(TraceEntry.Stage stage) {
    call.note(stage);
  }
}
