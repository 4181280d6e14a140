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
 * Code around a request or an attempt. It may change the request or the answer, ask several times,
 * or answer by itself.
 *
 * <p>One object serves all requests of its configuration, on many threads at once: what belongs to
 * a request is in local variables, never in fields. Runs on the request's virtual thread, once per
 * request or per attempt as {@link #scope} says, and may block. It returns or closes every stream
 * it opens. An exception fails the request with 500 and names the plugin in the trace.
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

  /** Returns what this interceptor surrounds. Always the same. */
  default Scope scope() {
    return Scope.REQUEST;
  }

  /**
   * Answers a request, usually by {@link Chain#proceed}.
   *
   * @param request as the plugins further out left it
   * @param chain the remaining chain, valid until the returned stream is closed
   * @return never null; closed by the caller
   */
  EventStream intercept(InferenceRequest request, Chain chain);

  /** The remaining chain. Confined to the thread it was passed to. */
  interface Chain {
    /**
     * Passes a request to the remaining chain: around the request any number of times, around an
     * attempt once. Blocks until the first content has arrived or no endpoint will deliver any; the
     * stream then holds a {@code Failed} event. The caller closes the stream.
     *
     * @throws IllegalStateException around an attempt, the second time
     */
    EventStream proceed(InferenceRequest request);

    /**
     * Makes inner calls at the same time and waits for all of them. Each goes through the plugins
     * behind this one and has a loop over tools of its own. Money for the first turn of each is
     * held before any is sent, in the order of the calls; a call that cannot be paid fails alone. A
     * call that is not complete when the time is over is cancelled, and what it delivered is
     * charged.
     *
     * @param within time for all of them together; {@link #remaining()} when that is less
     * @return a result for each call, in their order
     * @throws IllegalStateException around an attempt, and within an inner call: inner calls make
     *     none
     */
    List<InnerCall.Result> callAll(List<InnerCall> calls, Duration within);

    /**
     * Holds what one turn of a call costs at most where it is cheapest, for a call that is made
     * later {@linkplain InnerCall#on with that hold}; no other request can take the money in
     * between. A turn that may also try dearer endpoints holds more when there is more. The hold
     * cannot be settled. It is released when the request ends or makes its last turn without tools,
     * if it was not used or released before.
     *
     * <p>What was reserved before under the same name, also by a plugin or tool further out, pays
     * for this reservation where it is enough and is released otherwise. So a plugin can reserve
     * money for the tool it offers, before the model is asked.
     *
     * @throws io.strowger.spi.error.GatewayException {@link
     *     io.strowger.spi.error.ErrorCode#PAYMENT_REQUIRED} with the amount needed when there is
     *     not enough money; another code when no endpoint can serve the call
     * @throws IllegalStateException as {@link #callAll}
     */
    Hold reserve(InnerCall call);

    /**
     * Holds money as {@link #reserve} for the next turn of the request itself, which uses this hold
     * when it is enough and otherwise releases it and holds its own money. At most one is kept: a
     * later call replaces it.
     *
     * @throws io.strowger.spi.error.GatewayException as {@link #reserve}
     * @throws IllegalStateException as {@link #callAll}
     */
    void reserveNext(InnerCall likely);

    /**
     * Returns the least that must be left to {@linkplain #reserve reserve} money for a call.
     * Nothing is held, and what is left is not considered.
     *
     * @throws io.strowger.spi.error.GatewayException when no endpoint can serve the call
     * @throws IllegalStateException as {@link #callAll}
     */
    Usd price(InnerCall call);

    /**
     * Returns the types of the gateway's tools that inner calls may be offered, such as {@code
     * router:web_search}.
     */
    Set<String> innerTools();

    /** Returns the endpoint of the attempt; empty around the request. */
    Optional<Endpoint> endpoint();

    /**
     * Returns when the request came: the same moment in every call. A plugin has no other clock.
     */
    Instant now();

    /** Returns the time left for the whole request; zero once it is over. */
    Duration remaining();

    /** Returns what is cancelled when the request ends early. */
    Cancellation cancellation();

    /**
     * Begins an exchange of the plugin's own with a site or a service: the look-up of the name, the
     * connection, redirects, head and body are one exchange. Its cancellation trips when its time
     * is over, whatever the other side does. The caller closes it.
     *
     * @param most time for all of it; {@link #remaining()} when that is less
     * @throws io.strowger.spi.error.GatewayException when the caller's key has as many under way as
     *     are allowed, {@link io.strowger.spi.error.ErrorCode#RATE_LIMIT_EXCEEDED}
     */
    OutgoingCall outgoing(Duration most);

    /** An exchange with a site or a service while it is under way. Safe on any thread. */
    interface OutgoingCall extends AutoCloseable {
      /**
       * Returns what trips when the time is over, and when that of the request does. Give it to the
       * transport.
       */
      Cancellation cancellation();

      /** Returns the time left; zero once it is over. */
      Duration remaining();

      /** Ends the exchange; its cancellation does not trip any more. */
      @Override
      void close();
    }

    /** Returns whether this is a request of a batch, for which the gateway searches nothing. */
    boolean isOfBatch();

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
     * Returns whether an endpoint could serve a request now, by the catalog, the routers, the rules
     * of the account and the request's preferences. Money is not considered, nothing is held and
     * nothing is sent. For a model that stands for a plugin around the request, such as {@code
     * router/fusion}, this is known of requests of text only.
     */
    boolean canServe(InferenceRequest request);

    /**
     * Returns the money settled and held for this request so far; what is reserved for later is not
     * in it.
     */
    Usd spent();

    /**
     * Holds money for a paid act of the plugin itself. The caller is never billed more than the
     * hold: when the act is settled above it, the operator bears the difference.
     *
     * @param atMost the most the act may cost; at least 0
     * @param what the act, for the bill, such as {@code one search}. It is kept with the record of
     *     the request, so it must not repeat anything of a prompt or an answer; traces show the id
     *     of the plugin instead
     * @throws io.strowger.spi.error.GatewayException {@link
     *     io.strowger.spi.error.ErrorCode#PAYMENT_REQUIRED} when there is not enough money
     */
    Hold hold(Usd atMost, String what);

    /**
     * Cites a page that the answer may rest on. The citation is put beside the first text of the
     * answer, in every dialect and each page once; an answer without text cites only files.
     *
     * @param citation in the chat dialect's form, as of {@link io.strowger.spi.model.Part.Citation}
     */
    void cite(Json.Obj citation);

    /** Counts a search of the web in the usage of the request; this charges nothing. */
    void countSearch();

    /** Adds a note to the trace. */
    void note(String text);

    /**
     * Records that the plugin changed something, for the {@code pipeline} of {@code
     * router_metadata}.
     */
    void stage(TraceEntry.Stage stage);
  }
}
