package io.strowger.core.pipeline;

import io.strowger.core.attempt.GatewayMembers;
import io.strowger.core.attempt.Opener;
import io.strowger.core.meter.PromptSize;
import io.strowger.core.money.Funds;
import io.strowger.core.plan.PluginFailureException;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.InnerCall;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.provider.UpstreamException;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.spi.store.Hold;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The plugins around each attempt, which know the endpoint. What the adapter refuses comes back to
 * them as a stream that failed; the attempt machine reads it as the refusal it is.
 */
final class AroundAttempt implements Opener {
  private final CallChain call;
  private final CallExchange exchange;
  private final List<InterceptorLink> links;
  private final WebCitations.@Nullable Pages pages;

  /**
   * @param pages that the answer cites; null where nobody reads them
   */
  AroundAttempt(
      CallChain call,
      CallExchange exchange,
      List<InterceptorLink> links,
      WebCitations.@Nullable Pages pages) {
    this.call = call;
    this.exchange = exchange;
    this.links = links;
    this.pages = pages;
  }

  @Override
  public EventStream open(ChatProvider adapter, Call asked, Funds funds) {
    var attempt = new One(adapter, asked, funds);
    boolean opened = false;
    try {
      var stream = new Closing(attempt.from(0, asked.request()), attempt);
      opened = true;
      return stream;
    } catch (PluginFailureException failed) {
      exchange.note(new TraceEntry.Note(failed.plugin(), "failed"));
      throw failed;
    } finally {
      if (!opened) {
        attempt.close();
      }
    }
  }

  /** What the outermost plugin gave; also closes what a plugin further in forgot. */
  private record Closing(EventStream outermost, One attempt) implements EventStream {
    @Override
    public @Nullable Event next() {
      return outermost.next();
    }

    @Override
    public boolean ready() {
      return outermost.ready();
    }

    @Override
    public void close() {
      try {
        outermost.close();
      } finally {
        attempt.close();
      }
    }
  }

  /** One attempt: the adapter is asked once. */
  private final class One {
    private final ChatProvider adapter;
    private final Call asked;
    private final Funds funds;
    private boolean dispatched;
    private volatile @Nullable EventStream upstream;
    private volatile boolean closed;

    One(ChatProvider adapter, Call asked, Funds funds) {
      this.adapter = adapter;
      this.asked = asked;
      this.funds = funds;
    }

    EventStream from(int at, InferenceRequest request) {
      if (at == links.size()) {
        return dispatch(request);
      }
      InterceptorLink interceptorLink = links.get(at);
      if (!interceptorLink.actsAt(asked.endpoint())) {
        return from(at + 1, request);
      }
      return call.through(
          interceptorLink, request, new Rest(this, interceptorLink.id(), at + 1, request));
    }

    /** Once: what was set aside covers one answer. */
    private EventStream dispatch(InferenceRequest request) {
      if (dispatched) {
        throw new IllegalStateException("an attempt can only go on once");
      }
      dispatched = true;
      try {
        EventStream opened =
            funds.open(adapter, request == asked.request() ? asked : changed(request));
        upstream = opened;
        if (closed) {
          opened.close();
        }
        return opened;
      } catch (UpstreamException refused) {
        return EventStream.of(List.of(Event.Failed.upstream(refused.failure())));
      }
    }

    /** A plugin may have put back what is the gateway's own. */
    private Call changed(InferenceRequest request) {
      return asked.withRequest(GatewayMembers.removedFrom(request, asked.endUser()));
    }

    void close() {
      closed = true;
      EventStream opened = upstream;
      if (opened != null) {
        opened.close();
      }
    }
  }

  /** The rest of the way, as one plugin around an attempt sees it. */
  private final class Rest implements Interceptor.Chain {
    private final One attempt;
    private final String plugin;
    private final int next;
    private final InferenceRequest given;

    Rest(One attempt, String plugin, int next, InferenceRequest given) {
      this.attempt = attempt;
      this.plugin = plugin;
      this.next = next;
      this.given = given;
    }

    @Override
    public EventStream proceed(InferenceRequest request) {
      if (request != given) {
        note("went on with another request than it was given");
      }
      return attempt.from(next, request);
    }

    @Override
    public List<InnerCall.Result> callAll(List<InnerCall> calls, Duration within) {
      throw new IllegalStateException("around an attempt no calls are made");
    }

    @Override
    public Hold reserve(InnerCall one) {
      throw new IllegalStateException("around an attempt no calls are made");
    }

    @Override
    public void reserveNext(InnerCall likely) {
      throw new IllegalStateException("around an attempt no calls are made");
    }

    @Override
    public Usd price(InnerCall one) {
      throw new IllegalStateException("around an attempt no calls are made");
    }

    @Override
    public Set<String> innerTools() {
      return Set.of();
    }

    @Override
    public Optional<Endpoint> endpoint() {
      return Optional.of(attempt.asked.endpoint());
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
      return attempt.asked.cancellation();
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
}
