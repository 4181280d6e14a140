package io.strowger.core.pipeline;

import io.strowger.core.meter.PromptSize;
import io.strowger.core.tools.ToolLoop;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.InnerCall;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.spi.store.Hold;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rest of the way, as one plugin around a request sees it. That it passed on another request
 * than it was given is noted for it.
 *
 * @param pages that its answer cites
 */
record RequestChain(
    CallChain call,
    String plugin,
    int next,
    InferenceRequest given,
    WebCitations.@Nullable Pages pages)
    implements Interceptor.Chain {
  @Override
  public EventStream proceed(InferenceRequest request) {
    noteChange(request);
    return call.from(next, request, pages);
  }

  @Override
  public List<InnerCall.Result> callAll(List<InnerCall> calls, Duration within) {
    return call.inner(next, given.preferences(), List.copyOf(calls), within);
  }

  @Override
  public Hold reserve(InnerCall one) {
    return call.reserve(given.preferences(), one);
  }

  @Override
  public void reserveNext(InnerCall likely) {
    call.reserveNext(given.preferences(), likely);
  }

  @Override
  public Usd price(InnerCall one) {
    return call.price(given.preferences(), one);
  }

  @Override
  public Set<String> innerTools() {
    return call.innerTools();
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
  public OutgoingCall outgoing(Duration most) {
    return call.outgoing(call.cancellation(), most);
  }

  @Override
  public boolean isOfBatch() {
    return call.isOfBatch();
  }

  @Override
  public Catalog catalog() {
    return call.catalog();
  }

  @Override
  public JsonCodec codec() {
    return call.codec();
  }

  @Override
  public long promptTokens(InferenceRequest request) {
    return RoutingQueryFactory.promptTokens(PromptSize.of(request));
  }

  @Override
  public boolean canServe(InferenceRequest request) {
    return call.canServe(request);
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
  public void cite(Json.Obj citation) {
    if (pages != null) {
      pages.add(citation);
    }
  }

  @Override
  public void countSearch() {
    call.countSearch();
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
