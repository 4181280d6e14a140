package io.strowger.core.pipeline;

import io.strowger.core.attempt.GatewayMembers;
import io.strowger.core.attempt.Opener;
import io.strowger.core.money.Funds;
import io.strowger.core.plan.PluginFailureException;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.provider.Call;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.provider.UpstreamException;
import io.strowger.spi.routing.TraceEntry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs the plugins around each attempt, whose endpoint they can see. When the adapter refuses, the
 * plugins receive a failed stream, which the attempt loop treats as a refusal.
 *
 * @param pages the pages that the answer cites; null when they are not read
 */
record InterceptingOpener(
    CallChain chain,
    CallExchange exchange,
    List<InterceptorLink> links,
    WebCitations.@Nullable Pages pages)
    implements Opener {
  @Override
  public EventStream open(ChatProvider adapter, Call providerCall, Funds funds) {
    var attempt = new SingleAttempt(adapter, providerCall, funds);
    boolean isOpened = false;
    try {
      var stream =
          new ClosingStream(attempt.proceedFrom(0, providerCall.request(), pages), attempt);
      isOpened = true;
      return stream;
    } catch (PluginFailureException e) {
      exchange.work().note(new TraceEntry.Note(e.plugin(), "failed"));
      throw e;
    } finally {
      if (!isOpened) {
        attempt.close();
      }
    }
  }

  /**
   * The stream of the outermost plugin. Closing it also closes an upstream that an inner plugin
   * left open.
   */
  private record ClosingStream(EventStream outermost, SingleAttempt attempt)
      implements EventStream {
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

  /** One attempt, which opens the adapter at most once. */
  private final class SingleAttempt implements PluginChain.LinkSequence {
    private final ChatProvider adapter;
    private final Call providerCall;
    private final Funds funds;
    private boolean dispatched;
    private volatile @Nullable EventStream upstream;
    private volatile boolean closed;

    SingleAttempt(ChatProvider adapter, Call providerCall, Funds funds) {
      this.adapter = adapter;
      this.providerCall = providerCall;
      this.funds = funds;
    }

    @Override
    public Call attempt() {
      return providerCall;
    }

    @Override
    public EventStream proceedFrom(
        int index, InferenceRequest request, WebCitations.@Nullable Pages citedPages) {
      if (index == links.size()) {
        return dispatch(request);
      }
      InterceptorLink link = links.get(index);
      return link.actsAt(providerCall.endpoint())
          ? chain.intercept(
              link,
              request,
              new PluginChain(chain, this, link.id(), index + 1, request, citedPages))
          : proceedFrom(index + 1, request, citedPages);
    }

    /** Opens the adapter; only once, since the hold covers one answer. */
    private EventStream dispatch(InferenceRequest request) {
      if (dispatched) {
        throw new IllegalStateException("a plugin may continue an attempt only once");
      }
      dispatched = true;
      try {
        EventStream stream =
            funds.open(
                adapter, request == providerCall.request() ? providerCall : callWith(request));
        upstream = stream;
        if (closed) {
          stream.close();
        }
        return stream;
      } catch (UpstreamException e) {
        return EventStream.of(List.of(Event.Failed.upstream(e.failure())));
      }
    }

    /** Returns the changed call without gateway members that a plugin put back. */
    private Call callWith(InferenceRequest request) {
      return providerCall.withRequest(GatewayMembers.removeFrom(request, providerCall.endUser()));
    }

    void close() {
      closed = true;
      EventStream stream = upstream;
      if (stream != null) {
        stream.close();
      }
    }
  }
}
