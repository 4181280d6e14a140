package io.strowger.host.server;

import io.helidon.webserver.CloseConnectionException;
import io.strowger.core.http.HttpApi;
import io.strowger.core.wire.TruncatedAnswerException;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.provider.Cancellation;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes each request to the engine and writes the answer to the connection. */
final class HttpExchangeHandler {
  private static final Logger LOG = LoggerFactory.getLogger(HttpHost.class);
  private static final long LINGER_BYTES = 64L * 1024 * 1024;
  private static final Duration LINGER = Duration.ofSeconds(5);

  /**
   * How long to wait for the rest of a request whose client never got a {@code 100 Continue}. Such
   * a client closes the connection itself, or sends its body anyway.
   */
  private static final Duration LINGER_UNASKED = Duration.ofSeconds(1);

  private final Function<WireRequest, WireResponse> api;
  private final Probes probes;
  private final CrossOrigin crossOrigin;
  private volatile boolean isClosing;
  private volatile boolean isRefusing;

  HttpExchangeHandler(
      Function<WireRequest, WireResponse> api, Probes probes, CrossOrigin crossOrigin) {
    this.api = api;
    this.crossOrigin = crossOrigin;
    this.probes = probes;
  }

  /** From now on closes each connection after the answer to its request. */
  void closeConnections() {
    isClosing = true;
  }

  /** From now on answers requests with 503, except probes. */
  void refuseNew() {
    isRefusing = true;
  }

  /** Returns whether new requests are refused. */
  boolean refusesNew() {
    return isRefusing;
  }

  /**
   * Answers a request.
   *
   * @throws CloseConnectionException when the connection must be closed
   */
  void handle(HttpServerExchange exchange) {
    try {
      serve(exchange);
    } finally {
      exchange.connection().endExchange();
    }
  }

  private void serve(HttpServerExchange exchange) {
    RequestHead head = exchange.head();
    RequestBody body = exchange.body();
    WireResponse answer = answer(exchange);
    boolean closeAfter;
    try (WireBody content = answer.body()) {
      closeAfter = isClosing || body.endsConnection() || head.closesConnection();
      send(answer, exchange, closeAfter);
    } catch (TruncatedAnswerException e) {
      if (exchange.framing(answer.body()) == AnswerOutput.Framing.UNTIL_CLOSE) {
        // the client would take a normal close for the end of the answer
        exchange.connection().reset();
      }
      throw new CloseConnectionException("the answer broke off", e);
    } catch (IOException | UncheckedIOException | CloseConnectionException e) {
      exchange.cancellation().cancel(Cancellation.Cause.CALLER_GONE);
      throw new CloseConnectionException("the client is gone", e);
    } catch (RuntimeException e) {
      LOG.error("the answer to {} {} broke off", head.method(), head.path(), e);
      throw new CloseConnectionException("the answer broke off", e);
    }
    if (closeAfter) {
      if (body.isUnfinished()) {
        linger(exchange.connection(), body.mayBeSent() ? LINGER : LINGER_UNASKED);
      }
      throw new CloseConnectionException("this was the last request of the connection");
    }
  }

  /**
   * Drops what the client still sends, up to limits of bytes and time. Closing a connection with
   * unread bytes resets it, and then the client might never see the answer.
   */
  private static void linger(HttpConnection connection, Duration atMost) {
    connection.reader().limitRemainingTime(atMost);
    try {
      connection.requests().drop(LINGER_BYTES);
    } catch (RuntimeException e) {
      LOG.debug("the rest of the request could not be read", e);
    }
  }

  /** Returns the answer of the engine, or an error if the engine or the request body failed. */
  private WireResponse answer(HttpServerExchange exchange) {
    WireResponse answer;
    try {
      answer = ask(exchange);
    } catch (RuntimeException e) {
      RequestHead head = exchange.head();
      LOG.error("the engine failed on {} {}", head.method(), head.path(), e);
      answer = HttpError.response(GatewayError.of(ErrorCode.INTERNAL));
    }
    if (answer.status() == ErrorCode.UNAVAILABLE.status()
        && exchange.cancellation().cause() == Cancellation.Cause.CALLER_GONE) {
      answer.body().close();
      // the request got no place because its client left, not because of a shortage
      answer = callerGone(exchange.head());
    }
    RequestBody body = exchange.body();
    if (body.readFailure() != null) {
      answer.body().close();
      answer = HttpError.response(bodyError(body));
    }
    return answer;
  }

  private WireResponse ask(HttpServerExchange exchange) {
    RequestHead head = exchange.head();
    String path = head.path();
    // HEAD is handled like GET; the body is not sent
    String method = exchange.isHead() ? "GET" : head.method();
    WireResponse probeAnswer = probes.answer(method, path);
    if (probeAnswer != null) {
      return probeAnswer;
    }
    if (isRefusing) {
      return HttpError.response(GatewayError.of(ErrorCode.UNAVAILABLE));
    }
    WireRequest.Headers headers = head.fields();
    WireResponse preflight = crossOrigin.preflight(method, headers);
    if (preflight != null) {
      return preflight;
    }
    if (path.equals("*")) {
      // OPTIONS * only asks whether the server answers
      return new WireResponse(200, Map.of(), WireBody.of(new byte[0]));
    }
    if (!path.startsWith(HttpHost.ROOT + "/")) {
      return HttpError.response(GatewayError.of(ErrorCode.NOT_FOUND));
    }
    String encoding = headers.first("Content-Encoding");
    if (ContentDecoding.isIdentity(encoding) || encoding == null) {
      return call(exchange, method, headers, exchange.body());
    }
    InputStream decoded =
        headers.all("Content-Encoding").size() > 1
            ? null
            : ContentDecoding.of(encoding, exchange.body());
    if (decoded == null) {
      return HttpApi.refusal(
          path.substring(HttpHost.ROOT.length()),
          GatewayError.of(
              ErrorCode.UNSUPPORTED_MEDIA_TYPE,
              "The Content-Encoding of a request must be gzip, zstd or identity"));
    }
    try {
      return call(exchange, method, new DecodedHeaders(headers), decoded);
    } finally {
      close(decoded); // the request body is not read any more once there is an answer
    }
  }

  private static void close(InputStream decoded) {
    try {
      decoded.close();
    } catch (IOException e) {
      LOG.debug("a decoder did not close", e);
    }
  }

  private WireResponse call(
      HttpServerExchange exchange, String method, WireRequest.Headers headers, InputStream body) {
    RequestHead head = exchange.head();
    return api.apply(
        new WireRequest(
            method,
            head.path().substring(HttpHost.ROOT.length()),
            head.query(),
            headers,
            body,
            exchange.cancellation(),
            exchange.connection().client()));
  }

  /**
   * The headers of a request whose body is decoded here: without Content-Length and
   * Content-Encoding, which describe the encoded body.
   */
  private record DecodedHeaders(WireRequest.Headers original) implements WireRequest.Headers {
    @Override
    public @Nullable String first(String name) {
      return describesEncodedBody(name) ? null : original.first(name);
    }

    @Override
    public List<String> all(String name) {
      return describesEncodedBody(name) ? List.of() : original.all(name);
    }

    private static boolean describesEncodedBody(String name) {
      return name.equalsIgnoreCase("Content-Length") || name.equalsIgnoreCase("Content-Encoding");
    }
  }

  private static WireResponse callerGone(RequestHead head) {
    String path = head.path();
    GatewayError error = GatewayError.of(ErrorCode.CLIENT_CLOSED_REQUEST);
    return path.startsWith(HttpHost.ROOT)
        ? HttpApi.refusal(path.substring(HttpHost.ROOT.length()), error)
        : HttpError.response(error);
  }

  private static GatewayError bodyError(RequestBody body) {
    if (body.isTooLarge()) {
      return GatewayError.of(ErrorCode.PAYLOAD_TOO_LARGE);
    }
    return GatewayError.of(
        ErrorCode.INVALID_REQUEST, "The body of the request is incomplete or not valid HTTP");
  }

  private void send(WireResponse answer, HttpServerExchange exchange, boolean closeAfter)
      throws IOException {
    WireBody content = answer.body();
    AnswerOutput.Framing framing = exchange.framing(content);
    // a preflight's answer already has these headers
    Map<String, String> crossOriginHeaders =
        answer.headers().containsKey("Vary") ? Map.of() : crossOrigin.of(exchange.head().fields());
    var out =
        new AnswerOutput(
            answer,
            framing,
            content.length(),
            crossOriginHeaders,
            closeAfter,
            exchange.connection().out());
    if (framing != AnswerOutput.Framing.HEAD_ONLY) {
      content.transferTo(out);
    }
    out.close();
  }
}
