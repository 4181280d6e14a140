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
 * when the plugin passes on a different request from the one it received.
 *
 * @param links the links, and the turn or adapter after them
 * @param nextIndex the index of the next link in {@code links}
 * @param pages collects the pages that the surrounding answer cites; null when citations are not
 *     collected
 */
record PluginChain(
    CallChain callChain,
    LinkSequence links,
    String plugin,
    int nextIndex,
    InferenceRequest receivedRequest,
    WebCitations.@Nullable Pages pages)
    implements Interceptor.Chain {
  /** The links around a request or an attempt, and the turn or adapter after the last of them. */
  interface LinkSequence {
    /**
     * Continues with the link at this index.
     *
     * @param pages collects the pages that the surrounding answer cites; null when citations are
     *     not collected
     */
    EventStream proceedFrom(
        int index, InferenceRequest request, WebCitations.@Nullable Pages pages);

    /**
     * Returns the provider call of the attempt that these links surround; null around a request.
     */
    default @Nullable Call attempt() {
      return null;
    }
  }

  private CallExchange exchange() {
    return callChain.exchange();
  }

  @Override
  public EventStream proceed(InferenceRequest request) {
    // the tool loop needs no note, since its turns are in the trace
    if (request != receivedRequest && !plugin.equals(ToolLoop.ID)) {
      note("passed on a different request from the one it received");
    }
    return links.proceedFrom(nextIndex, request, pages);
  }

  /**
   * Returns the chain for inner calls.
   *
   * @throws IllegalStateException around an attempt, where no inner calls can be made
   */
  private CallChain requireCallChain() {
    if (links.attempt() != null) {
      throw new IllegalStateException("a plugin around an attempt cannot make inner calls");
    }
    return callChain;
  }

  @Override
  public List<InnerCall.Result> callAll(List<InnerCall> calls, Duration timeout) {
    return requireCallChain()
        .makeInnerCalls(nextIndex, receivedRequest.preferences(), List.copyOf(calls), timeout);
  }

  @Override
  public Hold reserve(InnerCall call) {
    return requireCallChain().reserve(receivedRequest.preferences(), call);
  }

  @Override
  public void reserveNextTurn(InnerCall expected) {
    requireCallChain().reserveNext(receivedRequest.preferences(), expected);
  }

  @Override
  public Usd minimumReservation(InnerCall call) {
    return requireCallChain().minimumReservation(receivedRequest.preferences(), call);
  }

  @Override
  public Set<String> innerTools() {
    return links.attempt() == null ? callChain.innerTools() : Set.of();
  }

  @Override
  public Optional<Endpoint> endpoint() {
    return Optional.ofNullable(links.attempt()).map(Call::endpoint);
  }

  @Override
  public Instant now() {
    return exchange().arrivedAt();
  }

  @Override
  public Duration remaining() {
    return callChain.remaining();
  }

  @Override
  public Cancellation cancellation() {
    Call attempt = links.attempt();
    return attempt == null ? callChain.cancellation() : attempt.cancellation();
  }

  @Override
  public OutgoingCall openOutgoingCall(Duration timeout) {
    return callChain.beginOutgoing(cancellation(), timeout);
  }

  @Override
  public boolean isOfBatch() {
    return exchange().isOfBatch();
  }

  @Override
  public Catalog catalog() {
    return exchange().snapshot().catalog();
  }

  @Override
  public JsonCodec codec() {
    return exchange().engine().codec();
  }

  @Override
  public long promptTokens(InferenceRequest request) {
    return RoutingQueryFactory.promptTokens(PromptSize.of(request));
  }

  @Override
  public boolean canServe(InferenceRequest request) {
    return callChain.canServe(request);
  }

  @Override
  public Usd settledAndHeld() {
    return exchange().work().settledAndHeld();
  }

  @Override
  public Hold hold(Usd maxCharge, String purpose) {
    return callChain.hold(plugin, maxCharge, purpose);
  }

  @Override
  public void cite(Json.Obj citation) {
    if (pages != null) {
      pages.add(citation);
    }
  }

  @Override
  public void countSearch() {
    exchange().citations().countSearch();
  }

  @Override
  public void note(String text) {
    exchange().work().note(new TraceEntry.Note(plugin, text));
  }

  @Override
  public void recordStage(TraceEntry.Stage stage) {
    exchange().work().note(stage);
  }
}
