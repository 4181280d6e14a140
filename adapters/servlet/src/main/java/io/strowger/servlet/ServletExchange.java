package io.strowger.servlet;

import com.google.common.net.InetAddresses;
import io.strowger.core.http.HttpApi;
import io.strowger.core.wire.TruncatedAnswerException;
import io.strowger.core.wire.WireApi;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.provider.Cancellation;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request in a container, and its answer. For one thread, except the methods of {@link
 * AsyncListener}, which the container calls on its own threads.
 */
final class ServletExchange implements AsyncListener {
  /** The request attribute that holds the {@link Throwable} that broke off the answer. */
  static final String FAILURE_ATTRIBUTE = "io.strowger.servlet.broken";

  private static final Logger log = LoggerFactory.getLogger(GatewayServlet.class);

  /** The most bytes that are read of a refused body, so that its client can read the answer. */
  private static final long LINGER_BYTES = 64L * 1024 * 1024;

  private static final Duration LINGER_TIMEOUT = Duration.ofSeconds(5);

  /** How long the container waits for the answering thread to release a request that failed. */
  private static final Duration RELEASE_TIMEOUT = Duration.ofSeconds(5);

  private final HttpServletRequest request;
  private final HttpServletResponse response;
  private final Duration drainTimeout;
  private final Cancellation cancellation = new Cancellation();
  private final @Nullable String path; // null: not a path of the API
  private final CountDownLatch released = new CountDownLatch(1);
  private @Nullable AsyncContext async;
  private @Nullable RequestBody body; // null before the request is handled
  private @Nullable Throwable failure;

  /**
   * @param drainTimeout how long the servlet waits for its requests when it ends
   */
  ServletExchange(HttpServletRequest request, HttpServletResponse response, Duration drainTimeout) {
    this.drainTimeout = drainTimeout;
    this.request = request;
    this.response = response;
    this.path = RequestPath.of(request);
  }

  Cancellation cancellation() {
    return cancellation;
  }

  /** Returns the path below the servlet's mapping; empty when it is not a path of the API. */
  String path() {
    return path == null ? "" : path;
  }

  /**
   * Returns why the answer broke off, so that its client must see it as incomplete; null when it
   * did not.
   */
  @Nullable Throwable failure() {
    return failure;
  }

  /** Tells the container that another thread answers. */
  void startAsync() {
    AsyncContext context = request.startAsync(request, response);
    context.setTimeout(0); // the gateway has deadlines
    context.addListener(this);
    async = context;
  }

  /** Asks the gateway and writes its answer. Never throws. */
  void answer(WireApi api, Ambient ambient) {
    try {
      send(handle(api));
      linger(ambient);
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
    }
  }

  private void fail(Throwable e) {
    boolean clientGone = e instanceof IOException && !(e instanceof TruncatedAnswerException);
    if (clientGone || cancellation.cause() == Cancellation.Cause.CALLER_GONE) {
      cancellation.cancel(Cancellation.Cause.CALLER_GONE);
      log.debug("the client of a request is gone", e);
      return;
    }
    failure = e;
    if (!(e instanceof TruncatedAnswerException)) {
      log.error("an answer broke off", e);
    }
  }

  /**
   * Discards what the client still sends, within limits: closing a connection with unread bytes
   * resets it, and then the client never sees the answer that tells it to stop.
   */
  private void linger(Ambient ambient) throws IOException {
    RequestBody unreadBody = body;
    if (unreadBody == null || unreadBody.isEnded() || request.getHeader("Expect") != null) {
      return; // nothing is unread, or the client waits for 100 (Continue)
    }
    long start = ambient.nanoTime();
    byte[] buffer = new byte[8192];
    try {
      for (long bytes = 0; bytes < LINGER_BYTES; ) {
        int count = unreadBody.read(buffer, 0, buffer.length);
        if (count < 0 || ambient.nanoTime() - start > LINGER_TIMEOUT.toNanos()) {
          return;
        }
        bytes += count;
      }
    } catch (IOException e) {
      log.debug("the rest of the request could not be read", e);
    }
  }

  private WireResponse handle(WireApi api) throws IOException {
    RequestBody requestBody = new RequestBody(request.getInputStream());
    body = requestBody;
    if (path == null) {
      return HttpApi.refusal("", GatewayError.of(ErrorCode.NOT_FOUND));
    }
    String encoding = request.getHeader("Content-Encoding");
    if (encoding != null && !encoding.isBlank() && !encoding.strip().equalsIgnoreCase("identity")) {
      return HttpApi.refusal(
          path,
          GatewayError.of(
              ErrorCode.UNSUPPORTED_MEDIA_TYPE,
              "Send the body without a Content-Encoding: this server does not decode it"));
    }
    return api.handle(
        new WireRequest(
            isHead() ? "GET" : request.getMethod(), // HEAD is GET without a body
            path,
            Objects.requireNonNullElse(request.getQueryString(), ""),
            new RequestHeaders(request),
            requestBody,
            cancellation,
            address(request.getRemoteAddr())));
  }

  private boolean isHead() {
    return request.getMethod().equals("HEAD");
  }

  /**
   * Writes an answer and closes it.
   *
   * @throws TruncatedAnswerException when it breaks off
   * @throws IOException when the client is gone
   */
  void send(WireResponse answer) throws IOException {
    try (WireBody content = answer.body()) {
      response.setStatus(answer.status());
      answer.headers().forEach(response::setHeader);
      if (content.length() >= 0 && mayHaveLength(answer.status())) {
        response.setContentLengthLong(content.length());
      }
      if (!isHead()) {
        content.transferTo(response.getOutputStream());
      }
      // flushed, so that the container cannot replace it: Tomcat answers 500 after a failed read
      response.flushBuffer();
    }
  }

  /** Returns whether an answer may have a Content-Length, by RFC 9110, section 8.6. */
  private static boolean mayHaveLength(int status) {
    return status != HttpServletResponse.SC_NO_CONTENT
        && status != HttpServletResponse.SC_NOT_MODIFIED;
  }

  /** Gives the request back to the container, after which nothing here may touch it. */
  void complete() {
    AsyncContext context = Objects.requireNonNull(async);
    try {
      if (failure != null) {
        request.setAttribute(FAILURE_ATTRIBUTE, failure);
        context.dispatch();
      } else {
        context.complete();
      }
    } catch (IllegalStateException e) {
      log.debug("the container has ended a request whose client is gone", e);
    } finally {
      released.countDown();
    }
  }

  /**
   * Cancels the request: its client is gone. Returns when the answering thread has released it,
   * because the container then reuses its objects for other requests.
   */
  @Override
  public void onError(AsyncEvent event) {
    cancellation.cancel(Cancellation.Cause.CALLER_GONE);
    awaitRelease(RELEASE_TIMEOUT);
  }

  /**
   * Keeps the request open while the servlet ends: when an application is stopped, Tomcat times out
   * its requests under way, even those without a timeout.
   */
  @Override
  public void onTimeout(AsyncEvent event) {
    awaitRelease(drainTimeout.plus(RELEASE_TIMEOUT));
  }

  private void awaitRelease(Duration timeout) {
    try {
      if (!released.await(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
        log.warn("a request that its container has ended is still being answered");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void onComplete(AsyncEvent event) {
    // the answering thread has completed the request itself
  }

  @Override
  public void onStartAsync(AsyncEvent event) {
    // happens once, before there is a listener
  }

  /** Returns the address that the container reports; null when it is not a literal IP address. */
  static @Nullable InetAddress address(@Nullable String name) {
    if (name == null) {
      return null;
    }
    String literal =
        name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
    int zone = literal.indexOf('%');
    literal = zone < 0 ? literal : literal.substring(0, zone);
    return InetAddresses.isInetAddress(literal) ? InetAddresses.forString(literal) : null;
  }

  /** The headers of a request, repeated ones in the order they came in. */
  private record RequestHeaders(HttpServletRequest request) implements WireRequest.Headers {
    @Override
    public @Nullable String first(String name) {
      return request.getHeader(name);
    }

    @Override
    public List<String> all(String name) {
      return Collections.list(request.getHeaders(name));
    }
  }
}
