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
import io.strowger.spi.provider.Call;
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
 * The remaining chain, as one plugin around a request or an attempt sees it. Notes in the trace
 * when the plugin passes on another request than it received.
 *
 * @param rest the links, and the turn or adapter behind them
 * @param next the index of the next link in {@code links}
 * @param pages the pages that the answer cites; null when they are not read
 */
record PluginChain(
    CallChain call,
    LinkSequence rest,
    String plugin,
    int next,
    InferenceRequest given,
    WebCitations.@Nullable Pages pages)
    implements Interceptor.Chain {
  /** The links around a request or an attempt, and the turn or adapter behind the last of them. */
  interface LinkSequence {
    /**
     * Continues with the link at this index.
     *
     * @param pages the pages that the surrounding answer cites; null when there is none
     */
    EventStream from(int place, InferenceRequest request, WebCitations.@Nullable Pages pages);

    /**
     * Returns the provider call of the attempt that these links surround; null around a request.
     */
    default @Nullable Call attempt() {
      return null;
    }
  }

  @Override
  public EventStream proceed(InferenceRequest request) {
    if (request != given && !plugin.equals(ToolLoop.ID)) { // its turns are in the trace
      note("went on with another request than it was given");
    }
    return rest.from(next, request, pages);
  }

  /**
   * Returns the chain for inner calls.
   *
   * @throws IllegalStateException around an attempt, where no inner calls can be made
   */
  private CallChain calling() {
    if (rest.attempt() != null) {
      throw new IllegalStateException("around an attempt no calls are made");
    }
    return call;
  }

  @Override
  public List<InnerCall.Result> callAll(List<InnerCall> calls, Duration within) {
    return calling().inner(next, given.preferences(), List.copyOf(calls), within);
  }

  @Override
  public Hold reserve(InnerCall one) {
    return calling().reserve(given.preferences(), one);
  }

  @Override
  public void reserveNext(InnerCall likely) {
    calling().reserveNext(given.preferences(), likely);
  }

  @Override
  public Usd price(InnerCall one) {
    return calling().price(given.preferences(), one);
  }

  @Override
  public Set<String> innerTools() {
    return rest.attempt() == null ? call.innerTools() : Set.of();
  }

  @Override
  public Optional<Endpoint> endpoint() {
    return Optional.ofNullable(rest.attempt()).map(Call::endpoint);
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
    Call attempt = rest.attempt();
    return attempt == null ? call.cancellation() : attempt.cancellation();
  }

  @Override
  public OutgoingCall outgoing(Duration most) {
    return call.outgoing(cancellation(), most);
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
