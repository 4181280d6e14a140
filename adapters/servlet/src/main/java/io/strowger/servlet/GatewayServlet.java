package io.strowger.servlet;

import io.strowger.core.Gateway;
import io.strowger.core.ambient.SystemAmbient;
import io.strowger.core.http.HttpApi;
import io.strowger.core.wire.WireApi;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the HTTP API of a gateway in a servlet container, below the path that the servlet is
 * mapped to:
 *
 * <pre>{@code
 * ServletRegistration.Dynamic servlet = context.addServlet("gateway", new GatewayServlet(gateway));
 * servlet.addMapping("/api/v1/*");
 * servlet.setAsyncSupported(true);
 * }</pre>
 *
 * <p>The mapping must be a path that ends in {@code /*}, or {@code /}. Paths and queries reach the
 * gateway as the client wrote them; escaped slashes only where the container lets them in (Tomcat:
 * {@code encodedSolidusHandling}, Jetty: {@code UriCompliance} and {@code decodeAmbiguousURIs}).
 * Where the servlet and all filters before it support asynchronous requests, each request is
 * answered by a virtual thread of its own, so that slow models hold none of the container's
 * threads. Otherwise the container's thread answers, and a warning says so once.
 *
 * <p>Requests and answers are passed on as they come, without buffers of their own: the limits on
 * bodies, keys and money are those of the gateway. Request bodies with a {@code Content-Encoding}
 * are refused with 415 unless the container or a filter decodes them before. Listening, TLS and
 * cross-origin requests are up to the container; what the section {@code server} of the
 * configuration says about them has no effect. Tomcat closes the connection after some errors, such
 * as 400 and 413, and may itself answer a body that is no valid HTTP with 500. The container's own
 * timeouts (Tomcat: {@code connectionTimeout}, Jetty: {@code idleTimeout}) end a request whose
 * client does not send its body or does not read its answer; they do not end a request that waits
 * for its model.
 *
 * <p><b>When a client vanishes</b>, the request is cancelled, its upstream connection is aborted
 * and what was delivered is charged. How early that is noticed depends on the protocol. Over HTTP/2
 * Tomcat and Jetty report it at once. Over HTTP/1.1 neither reads from a connection whose request
 * is complete, so it is noticed when a write fails: the first write after the client has gone may
 * still succeed, a later one does not. An answer that is not streamed is then computed in vain.
 *
 * <p><b>At the end</b>, {@link #destroy} refuses new requests with 503 and waits for those under
 * way. Tomcat calls it while connections are still open. Jetty closes its connections first, unless
 * the server has a {@code GracefulHandler} and a {@code stopTimeout}; it then waits for the
 * requests. Set the {@code shutdownIdleTimeout} of Jetty's connector to more than the longest pause
 * within an answer: a write that begins just when that time ends may fail. Close the gateway after
 * the container has stopped; the servlet does not close it.
 *
 * <p>Safe on any thread. An instance that was destroyed can be initialized again.
 */
public final class GatewayServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final Logger log = LoggerFactory.getLogger(GatewayServlet.class);

  /** How long {@link #destroy} waits unless the constructor says otherwise. */
  private static final Duration DRAIN = Duration.ofSeconds(30);

  private final transient WireApi api;
  private final Duration drain;
  private final transient Ambient ambient = new SystemAmbient();
  private final transient ActiveRequests active;
  private final AtomicBoolean warned = new AtomicBoolean();

  /**
   * Creates a servlet whose {@link #destroy} waits up to 30 seconds for requests under way.
   *
   * @param gateway serves the requests; stays open
   */
  public GatewayServlet(Gateway gateway) {
    this(gateway, DRAIN);
  }

  /**
   * Creates a servlet.
   *
   * @param gateway serves the requests; stays open
   * @param drain how long {@link #destroy} waits for requests under way before it cancels them; not
   *     negative
   */
  public GatewayServlet(Gateway gateway, Duration drain) {
    this(gateway.wire(), drain);
  }

  GatewayServlet(WireApi api, Duration drain) {
    if (drain.isNegative()) {
      throw new IllegalArgumentException("drain must not be negative, was " + drain);
    }
    this.api = api;
    this.drain = drain;
    this.active = new ActiveRequests(drain);
  }

  /**
   * Begins to serve.
   *
   * @throws ServletException when a mapping of the servlet is not {@code /} and does not end in
   *     {@code /*}
   */
  @Override
  public void init() throws ServletException {
    ServletRegistration registration = getServletContext().getServletRegistration(getServletName());
    if (registration != null) {
      for (String mapping : registration.getMappings()) {
        if (!mapping.endsWith("/*") && !mapping.equals("/")) {
          throw new ServletException(
              "GatewayServlet is mapped to "
                  + mapping
                  + ": map it to a path and all below it, such as /api/v1/*");
        }
      }
    }
    active.open();
  }

  /** Answers a request of any method. */
  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (request.getDispatcherType() == DispatcherType.ASYNC
        && request.getAttribute(ServletExchange.FAILURE_ATTRIBUTE) instanceof Throwable failure) {
      // only the container can abort the connection, and it does so when the servlet throws
      throw new IOException("the answer broke off", failure);
    }
    var exchange = new ServletExchange(request, response, drain);
    if (!active.begin(exchange.cancellation())) {
      WireResponse refusal =
          HttpApi.refusal(exchange.path(), GatewayError.of(ErrorCode.UNAVAILABLE));
      exchange.send(refusal);
    } else if (request.isAsyncSupported()) {
      answerAsynchronously(exchange);
    } else {
      if (warned.compareAndSet(false, true)) {
        log.warn(
            "answers hold the container's threads: register GatewayServlet and the filters before"
                + " it with asyncSupported = true");
      }
      answerSynchronously(exchange);
    }
  }

  private void answerAsynchronously(ServletExchange exchange) {
    boolean started = false;
    try {
      exchange.startAsync();
      ambient.start(
          "strowger-servlet",
          () -> {
            try {
              exchange.answer(api, ambient);
              exchange.complete();
            } finally {
              active.end(exchange.cancellation());
            }
          });
      started = true;
    } finally {
      if (!started) {
        active.end(exchange.cancellation());
      }
    }
  }

  private void answerSynchronously(ServletExchange exchange) throws IOException {
    try {
      exchange.answer(api, ambient);
    } finally {
      active.end(exchange.cancellation());
    }
    Throwable failure = exchange.failure();
    if (failure != null) {
      throw new IOException("the answer broke off", failure);
    }
  }

  /**
   * Refuses new requests with 503 and waits for those under way. Requests that are still under way
   * after the constructor's {@code drain} time are cancelled, which ends streams with an error.
   */
  @Override
  public void destroy() {
    active.close();
  }
}
