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
 * A plugin that surrounds a request or an attempt. It may change the request or the answer, send
 * the request several times, or answer it without an upstream.
 *
 * <p>One object serves all requests of its configuration, on many threads at once: keep request
 * state in local variables, never in fields. An interceptor runs on the request's virtual thread,
 * once per request or once per attempt, depending on {@link #scope}; it may block. It returns or
 * closes every stream that it opens. When it throws, the request fails: with the error of a
 * GatewayException, and with 500 for any other exception, which the trace attributes to the plugin.
 *
 * <p>Contract: "Plugins" (moderation, web, file-parser, response-healing, context-compression).
 */
@FunctionalInterface
public non-sealed interface Interceptor extends Plugin {
  /** What an interceptor surrounds. */
  enum Scope {
    /** The whole request, before an endpoint is chosen. */
    REQUEST,
    /** Each attempt, after its endpoint is chosen. */
    ATTEMPT
  }

  /** Returns what this interceptor surrounds. Always the same. */
  default Scope scope() {
    return Scope.REQUEST;
  }

  /**
   * Answers a request, usually by {@link Chain#proceed}.
   *
   * @param request the request, as changed by the plugins further out
   * @param chain the remaining chain, valid until the returned stream is closed
   * @return the answer; never null, closed by the caller of this method
   */
  EventStream intercept(InferenceRequest request, Chain chain);

  /** The remaining chain. Confined to the thread it was passed to. */
  interface Chain {
    /**
     * Passes a request to the remaining chain. Around an attempt, this may be called only once.
     * Blocks until the first content arrives or no endpoint is left that could deliver any; in the
     * latter case the stream contains a {@code Failed} event. The caller closes the stream.
     *
     * @throws IllegalStateException on the second call around an attempt
     */
    EventStream proceed(InferenceRequest request);

    /**
     * Makes inner calls concurrently and waits for all of them. Each goes through the plugins
     * further in than this one and has its own tool loop. Money for the first turn of each call is
     * held before any call is sent, in the order of the calls; a call that cannot be paid for fails
     * alone. A call that is incomplete when the time is over is cancelled, and what it delivered is
     * charged.
     *
     * @param timeLimit time limit for all calls together; {@link #remaining()} when that is less
     * @return one result for each call, in the order of the calls
     * @throws IllegalStateException around an attempt, and within an inner call, which may not make
     *     inner calls
     */
    List<InnerCall.Result> callAll(List<InnerCall> calls, Duration timeLimit);

    /**
     * Holds money for one turn of a call that is made later {@linkplain InnerCall#withReservation
     * with this hold}: the most that the turn can cost at its cheapest endpoint, or more when more
     * expensive endpoints may be tried and there is enough money. No other request can spend the
     * held money in between. The plugin may release this hold but not settle it; only the turn
     * settles it. It is released when the request ends or makes its last turn without tools, unless
     * it was used or released before.
     *
     * <p>If a plugin or tool, also one further out, has already reserved money for a call with the
     * same {@link InnerCall#name}, that reservation is reused when it is large enough, and released
     * otherwise. In this way a plugin can reserve money, before the model is asked, for a tool that
     * it offers.
     *
     * @throws io.strowger.spi.error.GatewayException {@link
     *     io.strowger.spi.error.ErrorCode#PAYMENT_REQUIRED} with the amount needed when there is
     *     not enough money; another code when no endpoint can serve the call
     * @throws IllegalStateException as {@link #callAll}
     */
    Hold reserve(InnerCall call);

    /**
     * Holds money like {@link #reserve}, but for the next turn of the request itself. That turn
     * uses the hold when it is large enough; otherwise it releases the hold and makes one of its
     * own. A later call of this method replaces the hold.
     *
     * @throws io.strowger.spi.error.GatewayException as {@link #reserve}
     * @throws IllegalStateException as {@link #callAll}
     */
    void reserveNextTurn(InnerCall expectedCall);

    /**
     * Returns the smallest amount of money with which {@link #reserve} succeeds for a call. Holds
     * nothing and does not consider how much money is left.
     *
     * @throws io.strowger.spi.error.GatewayException when no endpoint can serve the call
     * @throws IllegalStateException as {@link #callAll}
     */
    Usd minimumReservation(InnerCall call);

    /**
     * Returns the types of the gateway's tools that inner calls may be offered, such as {@code
     * router:web_search}; empty around an attempt.
     */
    Set<String> innerTools();

    /** Returns the endpoint of the attempt; empty around the request. */
    Optional<Endpoint> endpoint();

    /**
     * Returns the time at which the request arrived. Always the same; a plugin has no other clock.
     */
    Instant now();

    /** Returns the time left for the whole request; zero once it is over. */
    Duration remaining();

    /** Returns the cancellation of the request; around an attempt, that of the attempt. */
    Cancellation cancellation();

    /**
     * Begins an outgoing call of the plugin to a site or a service. Name look-up, connection,
     * redirects, head and body are one outgoing call. It is cancelled when its time limit is over,
     * even if the other side still sends. The plugin closes it.
     *
     * @param timeLimit time limit for the whole outgoing call; {@link #remaining()} when that is
     *     less
     * @throws io.strowger.spi.error.GatewayException when the caller's key has too many outgoing
     *     calls in progress, {@link io.strowger.spi.error.ErrorCode#RATE_LIMIT_EXCEEDED}
     */
    OutgoingCall openOutgoingCall(Duration timeLimit);

    /** A call of a plugin to a site or a service, in progress. Safe on any thread. */
    interface OutgoingCall extends AutoCloseable {
      /**
       * Returns the cancellation of this outgoing call. It is cancelled when the time is over or
       * {@link Chain#cancellation()} is cancelled. Pass it to the transport.
       */
      Cancellation cancellation();

      /** Returns the time left; zero once it is over. */
      Duration remaining();

      /** Ends the outgoing call; its cancellation then stays as it is. */
      @Override
      void close();
    }

    /** Returns whether the request belongs to a batch; the gateway does no searches for batches. */
    boolean isOfBatch();

    /** Returns the catalog over which this request is routed. */
    Catalog catalog();

    /** Returns the parser for JSON from models and services. Safe on any thread. */
    JsonCodec codec();

    /**
     * Returns the estimated number of prompt tokens of a request, by which endpoints are chosen:
     * one token for four bytes of text. Cheap: does not decode the JSON strings of the request.
     */
    long promptTokens(InferenceRequest request);

    /**
     * Returns whether an endpoint could serve a request now, by the catalog, the routers, the rules
     * of the account and the request's preferences. Does not consider money, holds nothing and
     * sends nothing. For a model name that selects an interceptor, such as {@code router/fusion},
     * returns whether the request is text only.
     */
    boolean canServe(InferenceRequest request);

    /**
     * Returns the money settled and held for this request so far, without what is reserved for
     * later. The result can fall again, when a hold is settled for less.
     */
    Usd settledAndHeld();

    /**
     * Holds money for something that the plugin itself pays for, such as a search. The caller is
     * never billed more than the hold: when the hold is settled for more, the operator pays the
     * difference.
     *
     * @param maxCost the most that it can cost; at least 0
     * @param purpose what is paid for, as the bill names it, such as {@code one search}. The record
     *     of the request contains this text, so it must not repeat a prompt or an answer; traces
     *     show the id of the plugin instead
     * @throws io.strowger.spi.error.GatewayException {@link
     *     io.strowger.spi.error.ErrorCode#PAYMENT_REQUIRED} when there is not enough money
     */
    Hold hold(Usd maxCost, String purpose);

    /**
     * Cites a page that the answer may rest on. The citation is attached to the first text of the
     * answer, in every dialect and once per page. If the answer has no text, only citations of
     * files are delivered, at its end.
     *
     * @param citation in the chat dialect's form, as in {@link io.strowger.spi.model.Part.Citation}
     */
    void cite(Json.Obj citation);

    /** Counts a search of the web in the usage of the request; this charges nothing. */
    void countSearch();

    /** Adds a note to the trace. */
    void note(String text);

    /**
     * Records a change that the plugin made, for the {@code pipeline} of {@code router_metadata}.
     */
    void recordStage(TraceEntry.Stage stage);
  }
}
