package io.strowger.host.server;

import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.provider.Cancellation;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every request and its answer, from the web server to the engine and back. */
final class Exchanges implements Handler {
  private static final Logger LOG = LoggerFactory.getLogger(HttpHost.class);

  private final Function<WireRequest, WireResponse> api;
  private final Ambient ambient;
  private final Set<Cancellation> running = ConcurrentHashMap.newKeySet();
  private volatile boolean refusing;

  Exchanges(Function<WireRequest, WireResponse> api, Ambient ambient) {
    this.api = api;
    this.ambient = ambient;
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
    ReadAhead connection = WatchedConnections.readAhead(request);
    running.add(cancellation);
    try {
      var body =
          new RequestBody(
              request,
              () -> connection.watch(() -> cancellation.cancel(Cancellation.Cause.CALLER_GONE)));
      serve(request, response, body, cancellation);
    } finally {
      connection.release();
      running.remove(cancellation);
    }
  }

  private void serve(
      ServerRequest request, ServerResponse response, RequestBody body, Cancellation cancellation) {
    boolean last;
    try (WireBody answer = answer(request, response, body, cancellation)) {
      last =
          refusing
              || body.muchLeft()
              || request.headers().containsToken(HeaderValues.CONNECTION_CLOSE);
      if (last) {
        response.header(HeaderValues.CONNECTION_CLOSE);
      }
      send(answer, request, response);
    } catch (IOException | UncheckedIOException | CloseConnectionException e) {
      cancellation.cancel(Cancellation.Cause.CALLER_GONE);
      throw new CloseConnectionException("the client is gone", e);
    } catch (RuntimeException e) {
      LOG.error("the answer to {} {} broke off", request.prologue().method(), path(request), e);
      throw new CloseConnectionException("the answer broke off", e);
    }
    if (last) {
      // the server would wait for another request all the same
      ((RoutingResponse) response).commit();
      body.linger(ambient);
      throw new CloseConnectionException("this was the last request of the connection");
    }
  }

  /** Asks the engine and sets status and headers. */
  private WireBody answer(
      ServerRequest request, ServerResponse response, RequestBody body, Cancellation cancellation) {
    WireResponse answer;
    try {
      answer = ask(request, body, cancellation);
    } catch (RuntimeException e) {
      LOG.error("the engine failed on {} {}", request.prologue().method(), path(request), e);
      answer = HttpError.response(GatewayError.of(ErrorCode.INTERNAL));
    }
    if (body.broken() != null) {
      answer.body().close();
      answer = HttpError.response(unfinished(body));
    }
    response.status(Status.create(answer.status()));
    answer.headers().forEach((name, value) -> response.header(HeaderNames.create(name), value));
    return answer.body();
  }

  private WireResponse ask(ServerRequest request, RequestBody body, Cancellation cancellation) {
    String path = path(request);
    if (refusing) {
      return HttpError.response(GatewayError.of(ErrorCode.UNAVAILABLE));
    }
    if (!path.startsWith(HttpHost.ROOT + "/")) {
      return HttpError.response(GatewayError.of(ErrorCode.NOT_FOUND));
    }
    String inApi = path.substring(HttpHost.ROOT.length());
    return api.apply(
        new WireRequest(
            // the same as GET, whose body is then not sent
            isHead(request) ? Method.GET.text() : request.prologue().method().text(),
            inApi,
            request.prologue().query().rawValue(),
            name -> request.headers().first(HeaderNames.create(name)).orElse(null),
            body,
            cancellation));
  }

  private static boolean isHead(ServerRequest request) {
    return request.prologue().method().equals(Method.HEAD);
  }

  private static String path(ServerRequest request) {
    return request.path().path();
  }

  private static GatewayError unfinished(RequestBody body) {
    if (body.isTooLarge()) {
      return GatewayError.of(ErrorCode.PAYLOAD_TOO_LARGE);
    }
    return GatewayError.of(
        ErrorCode.INVALID_REQUEST, "The body of the request is incomplete or not valid HTTP");
  }

  private static void send(WireBody answer, ServerRequest request, ServerResponse response)
      throws IOException {
    long length = answer.length();
    if (length >= 0) {
      response.contentLength(length);
    }
    if (isHead(request)) {
      response.send();
      return;
    }
    OutputStream out = response.outputStream();
    while (answer.writeNext(out)) {
      if (!answer.ready()) {
        out.flush();
      }
    }
    out.close();
  }
}
