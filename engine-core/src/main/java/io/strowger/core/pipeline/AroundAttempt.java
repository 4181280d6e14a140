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
 * Runs the plugins around each attempt; they know the endpoint. When the adapter refuses, they
 * receive a failed stream, which the attempt loop treats as a refusal.
 */
final class AroundAttempt implements Opener {
  private final CallChain call;
  private final CallExchange exchange;
  private final List<InterceptorLink> links;
  private final WebCitations.@Nullable Pages pages;

  /**
   * @param pages the pages that the answer cites; null when they are not read
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
    var attempt = new SingleAttempt(adapter, asked, funds);
    boolean opened = false;
    try {
      var stream = new Closing(attempt.from(0, asked.request(), pages), attempt);
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

  /**
   * The stream of the outermost plugin. Closing it also closes an upstream that an inner plugin
   * left open.
   */
  private record Closing(EventStream outermost, SingleAttempt attempt) implements EventStream {
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
    private final Call asked;
    private final Funds funds;
    private boolean dispatched;
    private volatile @Nullable EventStream upstream;
    private volatile boolean closed;

    SingleAttempt(ChatProvider adapter, Call asked, Funds funds) {
      this.adapter = adapter;
      this.asked = asked;
      this.funds = funds;
    }

    @Override
    public Call attempt() {
      return asked;
    }

    @Override
    public EventStream from(
        int place, InferenceRequest request, WebCitations.@Nullable Pages cited) {
      if (place == links.size()) {
        return dispatch(request);
      }
      InterceptorLink link = links.get(place);
      return link.actsAt(asked.endpoint())
          ? call.through(
              link, request, new PluginChain(call, this, link.id(), place + 1, request, cited))
          : from(place + 1, request, cited);
    }

    /** Opens the adapter; only once, since the hold covers one answer. */
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

    /** Returns the changed call without gateway members that a plugin put back. */
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
}
