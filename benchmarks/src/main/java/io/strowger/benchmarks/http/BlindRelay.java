package io.strowger.benchmarks.http;

import io.helidon.common.socket.SocketOptions;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;

/**
 * A relay made of the gateway's web server and HTTP client without any logic: the floor for a
 * gateway with these libraries. It reads a request completely, sends the same bytes to the
 * upstream, and passes on status, content type and body as they arrive.
 */
public final class BlindRelay {
  private static final Logger LIBRARY = Logger.getLogger("io.helidon");
  private static final int BUFFER = 16 * 1024;
  private static final int CONNECTIONS = 2_000;

  private final String upstream;
  private final HttpHost host;
  private final CloseableHttpClient client =
      HttpClients.custom()
          .setConnectionManager(
              PoolingHttpClientConnectionManagerBuilder.create()
                  .setMaxConnPerRoute(CONNECTIONS)
                  .setMaxConnTotal(CONNECTIONS)
                  .setDefaultSocketConfig(SocketConfig.custom().setTcpNoDelay(true).build())
                  .build())
          .disableRedirectHandling()
          .disableAutomaticRetries()
          .disableCookieManagement()
          .disableContentCompression()
          .disableAuthCaching()
          .build();

  private BlindRelay(String upstream) {
    this.upstream = upstream;
    this.host = HttpHost.create(URI.create(upstream));
  }

  /**
   * @param args the URI that every request is sent to
   */
  public static void main(String[] args) {
    LIBRARY.setLevel(Level.WARNING);
    ChildProcess.announceAndWait(uri(start(args[0])).toString());
  }

  /**
   * Relays from a free port of the loopback interface.
   *
   * @param upstream the URI that every request is sent to
   */
  static WebServer start(String upstream) {
    var relay = new BlindRelay(upstream);
    return WebServer.builder()
        .address(InetAddress.getLoopbackAddress())
        .port(0)
        .shutdownHook(false)
        // otherwise streams stall for delayed acknowledgements
        .connectionOptions(SocketOptions.builder().tcpNoDelay(true).build())
        .routing(HttpRouting.builder().any(relay::handle))
        .build()
        .start();
  }

  static URI uri(WebServer relay) {
    return URI.create("http://127.0.0.1:" + relay.port() + "/");
  }

  private void handle(ServerRequest request, ServerResponse response) throws IOException {
    byte[] body;
    try (InputStream in = request.content().inputStream()) {
      body = in.readAllBytes();
    }
    var post = new HttpPost(upstream);
    post.setEntity(new ByteArrayEntity(body, ContentType.APPLICATION_JSON));
    try (ClassicHttpResponse answer = client.executeOpen(host, post, null)) {
      forward(answer, response);
    }
  }

  private static void forward(ClassicHttpResponse answer, ServerResponse response)
      throws IOException {
    HttpEntity entity = answer.getEntity();
    response.status(Status.create(answer.getCode()));
    Header type = answer.getFirstHeader("content-type");
    if (type != null) {
      response.header(HeaderNames.CONTENT_TYPE, type.getValue());
    }
    if (entity.getContentLength() >= 0) {
      response.contentLength(entity.getContentLength());
    }
    byte[] buffer = new byte[BUFFER];
    try (InputStream in = entity.getContent();
        OutputStream out = response.outputStream()) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        out.write(buffer, 0, read);
        if (in.available() == 0) {
          out.flush();
        }
      }
    }
  }
}
