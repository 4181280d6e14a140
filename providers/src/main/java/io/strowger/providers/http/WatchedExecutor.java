package io.strowger.providers.http;

import java.io.IOException;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpConnection;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.io.HttpResponseInformationCallback;
import org.apache.hc.core5.http.protocol.HttpContext;

/**
 * Tells an exchange which connection it runs over: the client shows it nowhere else, and reading
 * the rest of a body for a bounded time needs its socket timeout.
 */
final class WatchedExecutor extends HttpRequestExecutor {
  private static final String CONNECTION = "strowger.connection";

  @Override
  public ClassicHttpResponse execute(
      ClassicHttpRequest request,
      HttpClientConnection connection,
      HttpResponseInformationCallback information,
      HttpContext context)
      throws IOException, HttpException {
    context.setAttribute(CONNECTION, connection);
    return super.execute(request, connection, information, context);
  }

  static HttpConnection connection(HttpContext context) {
    return (HttpConnection) context.getAttribute(CONNECTION);
  }
}
