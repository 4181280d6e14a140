package io.strowger.spi.plugin;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
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

/**
 * Code around a call: may change the request, the answer, both, or answer by itself.
 *
 * <p>One object serves all requests of its configuration, on many threads at once: what belongs to
 * a request is in local variables, never in fields. Runs on the request's virtual thread, once per
 * request or per attempt as {@link #scope} says, and may block. Every stream it opens it passes on
 * or closes. An exception fails the request with 500 and names the plugin in the trace.
 *
 * <p>Contract: "Plugins" (moderation, web, file-parser, response-healing, context-compression).
 */
@FunctionalInterface
public non-sealed interface Interceptor extends Plugin {
  /** What an interceptor surrounds. */
  enum Scope {
    /** Around the whole request: sees it before an endpoint is chosen. */
    REQUEST,
    /** Around each attempt: knows the endpoint. */
    ATTEMPT
  }

  /** What this one surrounds. Always the same. */
  default Scope scope() {
    return Scope.REQUEST;
  }

  EventStream intercept(InferenceRequest request, Chain chain);

  /** The remaining chain. Confined to the thread it was passed to. */
  interface Chain {
    /**
     * Goes on with this request; around the request any number of times, around an attempt once.
     * Blocks until the first content is there or nobody will deliver any; that nobody does is a
     * {@code Failed} event. The stream is the caller's to close.
     *
     * @throws IllegalStateException around an attempt, the second time
     */
    EventStream proceed(InferenceRequest request);

    /**
     * Makes calls of its own at the same time, each through the plugins behind this one and a loop
     * over tools of its own, and waits for all of them. Money for the first turn of each is set
     * aside, in the order of the calls, before any is sent; one that cannot be paid fails alone.
     * What is under way when the time is over is cancelled, and what it delivered is paid.
     *
     * @param within time for all of them together; {@link #remaining()} when that is less
     * @return a result for each call, in their order
     * @throws IllegalStateException around an attempt, and within an inner call: inner calls make
     *     none
     */
    List<InnerCall.Result> callAll(List<InnerCall> calls, Duration within);

    /**
     * Sets aside the most that one turn of a call may cost, for a call that is made later
     * {@linkplain InnerCall#on with it}: then nobody else can take the money in between. It cannot
     * be settled. What is neither taken over nor released is free again when the request ends.
     *
     * @throws io.strowger.spi.error.GatewayException when there is no money for it, {@link
     *     io.strowger.spi.error.ErrorCode#PAYMENT_REQUIRED}, with what it would need; or when
     *     nobody can serve the call
     * @throws IllegalStateException as {@link #callAll}
     */
    Hold reserve(InnerCall call);

    /**
     * Sets aside the same for the next turn of the request itself, which takes it over, or holds
     * its own money and gives it back. One is kept at most: a later one replaces it.
     *
     * @throws io.strowger.spi.error.GatewayException as {@link #reserve}
     * @throws IllegalStateException as {@link #callAll}
     */
    void reserveNext(InnerCall likely);

    /**
     * Returns the types of the gateway's tools that inner calls may be offered, such as {@code
     * router:web_search}.
     */
    Set<String> innerTools();

    /** Where the attempt goes; empty around the request. */
    Optional<Endpoint> endpoint();

    /** When the request came. A plugin has no other clock. */
    Instant now();

    /** Time left for the whole request; zero once it is over. */
    Duration remaining();

    Cancellation cancellation();

    /**
     * Begins an exchange of the plugin's own with a site or a service. When its time is over its
     * cancellation trips, whatever the other side does meanwhile: looking the name up, connecting,
     * redirects, head and body are one exchange. To be closed.
     *
     * @param most time for all of it; {@link #remaining()} when that is less
     * @throws io.strowger.spi.error.GatewayException when the caller's key has as many under way as
     *     it may, {@link io.strowger.spi.error.ErrorCode#RATE_LIMIT_EXCEEDED}
     */
    OutgoingCall outgoing(Duration most);

    /** An exchange with a site or a service while it is under way. Safe on any thread. */
    interface OutgoingCall extends AutoCloseable {
      /** Trips when the time is over, and when the request's does. Give it to the transport. */
      Cancellation cancellation();

      /** Time left; zero once it is over. */
      Duration remaining();

      /** The exchange is over; its cancellation trips no more. */
      @Override
      void close();
    }

    /** Returns the catalog that this request is decided over. */
    Catalog catalog();

    /** Returns the reader for JSON that models and services wrote. Safe on any thread. */
    JsonCodec codec();

    /**
     * Returns about how many tokens of prompt a request has: the estimate by which endpoints are
     * chosen, four bytes of text to a token. Decodes no text.
     */
    long promptTokens(InferenceRequest request);

    /**
     * Returns whether somebody could serve a request as things stand: by the catalog, the routers,
     * the rules of the account and the request's preferences. Money is not looked at, nothing is
     * set aside and nobody is asked. Of a model that stands for a plugin around the request, such
     * as {@code router/fusion}, only text can be said to be served.
     */
    boolean canServe(InferenceRequest request);

    /** Money settled and held for this request so far. */
    Usd spent();

    /**
     * Sets money aside for a paid act of the interceptor itself. The act is never billed above
     * that: settling more bills what was set aside, and the rest is the operator's.
     *
     * @throws io.strowger.spi.error.GatewayException when there is not as much
     */
    Hold hold(Usd atMost, String what);

    /**
     * Says what the answer may rest on: a page that was found. It stands beside the first text of
     * the answer, in every dialect, each page once; an answer without text cites nothing but files.
     *
     * @param citation in the chat dialect's form, as of {@link io.strowger.spi.model.Part.Citation}
     */
    void cite(Json.Obj citation);

    /** Counts a search of the web in the usage of the request. It is in no price. */
    void countSearch();

    /** Leaves a note in the trace. */
    void note(String text);

    /**
     * Says that the plugin changed something, for the {@code pipeline} of {@code router_metadata}.
     */
    void stage(TraceEntry.Stage stage);
  }
}
