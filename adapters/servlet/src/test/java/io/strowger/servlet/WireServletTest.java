package io.strowger.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.wire.TruncatedAnswerException;
import io.strowger.core.wire.WireApi;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.servlet.Container.Settings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests which requests reach the gateway, and how its responses reach the client. */
@Isolated("the answers that break off are logged")
@DisplayName("A servlet passes on")
class WireServletTest {
  private static final WireResponse EMPTY =
      new WireResponse(200, Map.of(), WireBody.of(new byte[0]));

  private final BlockingQueue<WireRequest> requests = new LinkedBlockingQueue<>();

  private Container.Running start(Container container, Settings settings, WireApi api) {
    return container.start(settings, new GatewayServlet(api, Duration.ofSeconds(10)));
  }

  private Container.Running start(Container container, Settings settings) {
    return start(
        container,
        settings,
        request -> {
          requests.add(request);
          return EMPTY;
        });
  }

  private static String get(String target) {
    return "GET %s HTTP/1.1\r\nHost: h\r\n\r\n".formatted(target);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("paths and queries as they were written")
  void paths(Container container) throws Exception {
    try (var running = start(container, new Settings());
        var client = new RawClient(running.port())) {
      String root = Container.ROOT;
      String[][] expected = {
        {root + "/models?q=a%20b&&x=%C3%BC", "/models", "q=a%20b&&x=%C3%BC"},
        {root + "/m%C3%B6dels/a%20b", "/m%C3%B6dels/a%20b", ""},
        {root + "/models/", "/models/", ""},
        {root + "/models;v=1", "/models;v=1", ""},
        {root, "", ""},
        {"/app/%61pi/v1/models", "/models", ""},
      };
      for (String[] row : expected) {
        assertThat(client.send(get(row[0])).response().status()).as(row[0]).isEqualTo(200);
        WireRequest request = requests.take();
        assertThat(request.path()).as(row[0]).isEqualTo(row[1]);
        assertThat(request.query()).as(row[0]).isEqualTo(row[2]);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("escaped slashes where the container allows them")
  void escapedSlashes(Container container) throws Exception {
    try (var running = start(container, new Settings().escapedSlashes());
        var client = new RawClient(running.port())) {
      client.send(get(Container.ROOT + "/models/acme%2Flarge"));
      assertThat(client.response().status()).isEqualTo(200);
      assertThat(requests.take().path()).isEqualTo("/models/acme%2Flarge");
    }
  }

  @ParameterizedTest
  @CsvSource({"TOMCAT, /*", "JETTY, /*", "TOMCAT, /", "JETTY, /"})
  @DisplayName("paths below a mapping that covers the whole application")
  void wholeApplication(Container container, String mapping) throws Exception {
    try (var running = start(container, new Settings().mappedTo(mapping));
        var client = new RawClient(running.port())) {
      client.send(get(Container.CONTEXT + "/models?x"));
      assertThat(client.response().status()).isEqualTo(200);
      assertThat(requests.take().path()).isEqualTo("/models");
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("no request whose path leads to the servlet only by dots or parameters")
  void dots(Container container) throws Exception {
    try (var running = start(container, new Settings())) {
      for (String path : new String[] {"/app/x/../api/v1/models", "/app/api;x=1/v1/models"}) {
        try (var client = new RawClient(running.port())) {
          assertThat(client.send(get(path)).response().status()).as(path).isIn(400, 404);
        }
      }
      assertThat(requests).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("every method, HEAD as a GET whose body is not sent")
  void methods(Container container) throws Exception {
    try (var running = start(container, new Settings());
        var client = new RawClient(running.port())) {
      for (String method : new String[] {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}) {
        client.send(method, Container.ROOT + "/x", "");
        assertThat(client.response().status()).isEqualTo(200);
        assertThat(requests.take().method()).isEqualTo(method);
      }
      client.send("HEAD", Container.ROOT + "/x", "");
      assertThat(client.head().status()).isEqualTo(200);
      assertThat(requests.take().method()).isEqualTo("GET");
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("the headers of an answer, which for HEAD include the length of the body")
  void head(Container container) throws Exception {
    WireApi api =
        request ->
            new WireResponse(
                402,
                Map.of("Retry-After", "7", "Content-Type", "application/json"),
                WireBody.of("{\"a\":1}".getBytes(StandardCharsets.UTF_8)));
    try (var running = start(container, new Settings(), api);
        var client = new RawClient(running.port())) {
      RawClient.Response head = client.send("HEAD", Container.ROOT + "/x", "").head();
      assertThat(head.status()).isEqualTo(402);
      assertThat(head.headers())
          .containsEntry("content-length", "7")
          .containsEntry("retry-after", "7")
          .containsEntry("content-type", "application/json");
      assertThat(client.send("GET", Container.ROOT + "/x", "").response().body())
          .isEqualTo("{\"a\":1}");
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("repeated headers in their order, and the address of the client")
  void headers(Container container) throws Exception {
    WireApi api =
        request -> {
          String body =
              request.headers().first("x-forwarded-for")
                  + request.headers().all("X-FORWARDED-FOR")
                  + request.headers().all("X-None")
                  + request.headers().first("X-None")
                  + Objects.requireNonNull(request.client()).isLoopbackAddress();
          return new WireResponse(
              200, Map.of(), WireBody.of(body.getBytes(StandardCharsets.UTF_8)));
        };
    try (var running = start(container, new Settings(), api);
        var client = new RawClient(running.port())) {
      client.send(
          "GET %s/x HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: a\r\nx-forwarded-for: b, c\r\n\r\n"
              .formatted(Container.ROOT));
      assertThat(client.response().body()).isEqualTo("a[a, b, c][]nulltrue");
    }
  }

  /** A body that writes one piece for each permit. */
  private static final class SteppedBody implements WireBody {
    private final Semaphore permits = new Semaphore(0);
    private final int count;
    private final boolean fails;
    private int written;

    SteppedBody(int count, boolean fails) {
      this.count = count;
      this.fails = fails;
    }

    @Override
    public boolean writeNext(OutputStream out) throws IOException {
      if (written == count) {
        if (fails) {
          throw new TruncatedAnswerException("the upstream is gone");
        }
        return false;
      }
      permits.acquireUninterruptibly();
      out.write(("event " + written++ + "\n").getBytes(StandardCharsets.UTF_8));
      return true;
    }

    @Override
    public boolean ready() {
      return false;
    }

    @Override
    public long length() {
      return -1;
    }

    @Override
    public void close() {}
  }

  @ParameterizedTest
  @CsvSource({"TOMCAT, true", "TOMCAT, false", "JETTY, true", "JETTY, false"})
  @DisplayName("each event of a stream before the next one is available")
  void oneByOne(Container container, boolean async) throws Exception {
    var body = new SteppedBody(3, false);
    Settings settings = async ? new Settings() : new Settings().synchronous();
    try (var running =
            start(container, settings, request -> new WireResponse(200, Map.of(), body));
        var client = new RawClient(running.port())) {
      client.send(get(Container.ROOT + "/x"));
      body.permits.release();
      assertThat(client.head().headers()).containsEntry("transfer-encoding", "chunked");
      for (int i = 0; i < 3; i++) {
        assertThat(client.chunk()).isEqualTo("event " + i + "\n");
        body.permits.release();
      }
      assertThat(client.chunk()).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"TOMCAT, true", "TOMCAT, false", "JETTY, true", "JETTY, false"})
  @DisplayName("the failure of an answer: its connection ends without the last chunk")
  void breaksOff(Container container, boolean async) throws Exception {
    var body = new SteppedBody(2, true);
    body.permits.release(2);
    Settings settings = async ? new Settings() : new Settings().synchronous();
    try (var running =
            start(container, settings, request -> new WireResponse(200, Map.of(), body));
        var client = new RawClient(running.port())) {
      client.send(get(Container.ROOT + "/x"));
      client.head();
      assertThat(client.chunk()).isEqualTo("event 0\n");
      assertThat(client.rest()).contains("event 1\n").doesNotContain("0\r\n\r\n", "HTTP/1.1");
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("no request once it is destroyed: it answers 503 in the error format of the path")
  void destroyed(Container container) throws Exception {
    var servlet =
        new GatewayServlet(
            request -> {
              requests.add(request);
              return EMPTY;
            },
            Duration.ofSeconds(10));
    try (var running = container.start(new Settings(), servlet)) {
      servlet.destroy();
      try (var client = new RawClient(running.port())) {
        RawClient.Response refused =
            client.send("POST", Container.ROOT + "/messages", "{}").response();
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body()).startsWith("{\"type\":\"error\"");
        assertThat(requests).isEmpty();
      }
      servlet.init();
      try (var client = new RawClient(running.port())) {
        assertThat(client.send(get(Container.ROOT + "/x")).response().status()).isEqualTo(200);
      }
    }
  }
}
