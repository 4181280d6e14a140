package io.strowger.host.server;

import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.strowger.core.wire.WireApi;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.provider.Cancellation;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every request and its answer, from the web server to the engine and back. */
final class Exchanges implements Handler {
  private static final Logger LOG = LoggerFactory.getLogger(HttpHost.class);
  private static final String HEAD = "HEAD";
  private static final long LINGER_BYTES = 64L * 1024 * 1024;
  private static final Duration LINGER = Duration.ofSeconds(5);

  /** A client that may not send its body closes by itself, or sends it without asking. */
  private static final Duration LINGER_UNASKED = Duration.ofSeconds(1);

  private final Function<WireRequest, WireResponse> api;
  private final Probes probes;
  private final WriteTimeouts readers;
  private final CrossOrigin crossOrigin;
  private final Set<Cancellation> running = ConcurrentHashMap.newKeySet();
  private volatile boolean closing;
  private volatile boolean refusing;

  Exchanges(
      Function<WireRequest, WireResponse> api,
      Probes probes,
      WriteTimeouts readers,
      CrossOrigin crossOrigin) {
    this.api = api;
    this.crossOrigin = crossOrigin;
    this.probes = probes;
    this.readers = readers;
  }

  /** From now on a connection ends with the answer to its request. */
  void closeConnections() {
    closing = true;
  }

  /** From now on a request is told that the service is not available. */
  void refuseNew() {
    refusing = true;
  }

  void cancelAll(Cancellation.Cause why) {
    running.forEach(cancellation -> cancellation.cancel(why));
  }

  @Override
  public void handle(ServerRequest request, ServerResponse response) {
    var cancellation = new Cancellation();
    WatchedConnections.Watched connection = WatchedConnections.of(request);
    ReadAhead ahead = connection.ahead();
    running.add(cancellation);
    WriteTimeouts.Answer watched = readers.watch(connection.out(), cancellation);
    try {
      var body =
          new RequestBody(
              request,
              () -> ahead.watch(() -> cancellation.cancel(Cancellation.Cause.CALLER_GONE)));
      var exchange =
          new Exchange(connection.requests().take(), request, response, connection, body);
      serve(exchange, cancellation);
    } finally {
      watched.close();
      ahead.release();
      running.remove(cancellation);
    }
  }

  /**
   * A request and what its answer goes to.
   *
   * @param head as the client sent it; what the web server knows of it was made plain
   * @param connection what the request came on
   */
  private record Exchange(
      RequestHead head,
      ServerRequest request,
      ServerResponse response,
      WatchedConnections.Watched connection,
      RequestBody body) {
    boolean isHead() {
      return head.method().equals(HEAD);
    }

    /** A client that cannot read chunks learns from the end of the connection where the end is. */
    boolean endsWithConnection(WireBody answer) {
      return head.isHttp10() && answer.length() < 0 && !isHead();
    }
  }

  private void serve(Exchange exchange, Cancellation cancellation) {
    RequestHead head = exchange.head();
    RequestBody body = exchange.body();
    boolean last;
    boolean framed;
    try (WireBody answer = answer(exchange, cancellation)) {
      last = closing || body.endsConnection() || head.close();
      framed = !exchange.endsWithConnection(answer);
      if (last) {
        exchange.response().header(HeaderValues.CONNECTION_CLOSE);
      }
      send(answer, exchange);
    } catch (IOException | UncheckedIOException | CloseConnectionException e) {
      cancellation.cancel(Cancellation.Cause.CALLER_GONE);
      throw new CloseConnectionException("the client is gone", e);
    } catch (RuntimeException e) {
      LOG.error("the answer to {} {} broke off", head.method(), head.path(), e);
      throw new CloseConnectionException("the answer broke off", e);
    }
    if (last) {
      if (framed) {
        // the server would wait for another request all the same
        ((RoutingResponse) exchange.response()).commit();
      }
      if (body.isUnfinished()) {
        linger(exchange.connection(), body.wasAskedFor() ? LINGER : LINGER_UNASKED);
      }
      throw new CloseConnectionException("this was the last request of the connection");
    }
  }

  /**
   * Drops what the client still sends, within limits: a connection closed with unread bytes is
   * reset, and then the client never sees the answer that tells it to stop.
   */
  private static void linger(WatchedConnections.Watched connection, Duration atMost) {
    connection.ahead().hurry(atMost);
    try {
      connection.requests().drop(LINGER_BYTES);
    } catch (RuntimeException e) {
      LOG.debug("the client sent no proper rest of its request", e);
    }
  }

  /** Asks the engine and sets status and headers. */
  private WireBody answer(Exchange exchange, Cancellation cancellation) {
    RequestBody body = exchange.body();
    ServerResponse response = exchange.response();
    WireResponse answer;
    try {
      answer = ask(exchange, cancellation);
    } catch (RuntimeException e) {
      RequestHead head = exchange.head();
      LOG.error("the engine failed on {} {}", head.method(), head.path(), e);
      answer = HttpError.response(GatewayError.of(ErrorCode.INTERNAL));
    }
    if (answer.status() == ErrorCode.UNAVAILABLE.status()
        && cancellation.cause() == Cancellation.Cause.CALLER_GONE) {
      answer.body().close();
      answer = callerGone(exchange.head()); // whatever it waited for was not short of anything
    }
    if (body.broken() != null) {
      answer.body().close();
      answer = HttpError.response(unfinished(body));
    }
    try {
      response.status(Status.create(answer.status()));
      answer.headers().forEach((name, value) -> response.header(HeaderNames.create(name), value));
      if (!answer.headers().containsKey("Vary")) { // a preflight has said all
        crossOrigin
            .of(new RequestHeaders(exchange.request()))
            .forEach((name, value) -> response.header(HeaderNames.create(name), value));
      }
    } catch (RuntimeException e) {
      answer.body().close(); // nobody else knows it yet
      throw e;
    }
    return answer.body();
  }

  private WireResponse ask(Exchange exchange, Cancellation cancellation) {
    RequestHead head = exchange.head();
    String path = head.path();
    // the same as GET, whose body is then not sent
    String method = exchange.isHead() ? "GET" : head.method();
    WireResponse probed = probes.answer(method, path);
    if (probed != null) {
      return probed;
    }
    if (refusing) {
      return HttpError.response(GatewayError.of(ErrorCode.UNAVAILABLE));
    }
    ServerRequest request = exchange.request();
    var headers = new RequestHeaders(request);
    WireResponse preflight = crossOrigin.preflight(method, headers);
    if (preflight != null) {
      return preflight;
    }
    if (path.equals("*")) {
      return new WireResponse(200, Map.of(), WireBody.of(new byte[0])); // asks whether we are there
    }
    if (!path.startsWith(HttpHost.ROOT + "/")) {
      return HttpError.response(GatewayError.of(ErrorCode.NOT_FOUND));
    }
    String encoding = headers.first("Content-Encoding");
    if (ContentDecoding.isIdentity(encoding) || encoding == null) {
      return called(exchange, method, headers, exchange.body(), cancellation);
    }
    InputStream decoded =
        headers.all("Content-Encoding").size() > 1
            ? null
            : ContentDecoding.of(encoding, exchange.body());
    if (decoded == null) {
      return WireApi.refusal(
          path.substring(HttpHost.ROOT.length()),
          GatewayError.of(
              ErrorCode.UNSUPPORTED_MEDIA_TYPE,
              "The Content-Encoding of a request must be gzip, zstd or identity"));
    }
    try {
      return called(exchange, method, new DecodedHeaders(headers), decoded, cancellation);
    } finally {
      close(decoded); // an answer reads nothing of its request any more
    }
  }

  private static void close(InputStream decoded) {
    try {
      decoded.close();
    } catch (IOException e) {
      LOG.debug("a decoder did not close", e);
    }
  }

  private WireResponse called(
      Exchange exchange,
      String method,
      WireRequest.Headers headers,
      InputStream body,
      Cancellation cancellation) {
    RequestHead head = exchange.head();
    return api.apply(
        new WireRequest(
            method,
            head.path().substring(HttpHost.ROOT.length()),
            head.query(),
            headers,
            body,
            cancellation,
            client(exchange.request())));
  }

  /** Of a body that was decoded: neither its encoding nor its length is what the client said. */
  private record DecodedHeaders(WireRequest.Headers given) implements WireRequest.Headers {
    @Override
    public @Nullable String first(String name) {
      return isOfEncoded(name) ? null : given.first(name);
    }

    @Override
    public List<String> all(String name) {
      return isOfEncoded(name) ? List.of() : given.all(name);
    }

    private static boolean isOfEncoded(String name) {
      return name.equalsIgnoreCase("Content-Length") || name.equalsIgnoreCase("Content-Encoding");
    }
  }

  /** Looks headers up in what the web server read. */
  private record RequestHeaders(ServerRequest request) implements WireRequest.Headers {
    @Override
    public @Nullable String first(String name) {
      return request.headers().first(HeaderNames.create(name)).orElse(null);
    }

    @Override
    public List<String> all(String name) {
      return request.headers().all(HeaderNames.create(name), List::of);
    }
  }

  /** The address the connection comes from; null when it is not one of the network. */
  private static @Nullable InetAddress client(ServerRequest request) {
    return request.remotePeer().address() instanceof InetSocketAddress peer
        ? peer.getAddress()
        : null;
  }

  private static WireResponse callerGone(RequestHead head) {
    String path = head.path();
    GatewayError error = GatewayError.of(ErrorCode.CLIENT_CLOSED_REQUEST);
    return path.startsWith(HttpHost.ROOT)
        ? WireApi.refusal(path.substring(HttpHost.ROOT.length()), error)
        : HttpError.response(error);
  }

  private static GatewayError unfinished(RequestBody body) {
    if (body.isTooLarge()) {
      return GatewayError.of(ErrorCode.PAYLOAD_TOO_LARGE);
    }
    return GatewayError.of(
        ErrorCode.INVALID_REQUEST, "The body of the request is incomplete or not valid HTTP");
  }

  private static void send(WireBody answer, Exchange exchange) throws IOException {
    ServerResponse response = exchange.response();
    long length = answer.length();
    if (length >= 0) {
      response.contentLength(length);
    }
    if (exchange.isHead()) {
      response.send();
      return;
    }
    OutputStream out =
        new PiecewiseOutput(
            exchange.endsWithConnection(answer)
                ? new UnframedOutput(response, exchange.connection().out())
                : response.outputStream());
    while (answer.writeNext(out)) {
      if (!answer.ready()) {
        out.flush();
      }
    }
    out.close();
  }
}
