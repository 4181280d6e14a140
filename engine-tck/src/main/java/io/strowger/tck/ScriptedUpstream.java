package io.strowger.tck;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.ChatProvider;
import io.strowger.spi.provider.JsonCodec;
import io.strowger.spi.provider.ProviderFactory;
import io.strowger.spi.provider.ProviderSettings;
import io.strowger.spi.provider.Transport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * An upstream on loopback for {@link ChatProviderContract}, with an adapter that is connected to it
 * over real sockets. The upstream speaks HTTP; the author of the adapter supplies the messages of
 * the protocol as a {@link Protocol}.
 *
 * <p>{@link #close} closes the factory, as the engine does after it has closed all adapters, and
 * fails when a connection is left open.
 *
 * <p>Safe on any thread.
 */
public final class ScriptedUpstream implements ChatProviderContract.ProviderSetup {
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  /** The value of a header in the adapter's settings. */
  static final String HEADER_VALUE = "sent-with-every-request";

  private final TestAmbient ambient;
  private final Protocol protocol;
  private final RawUpstream server;
  private final TestTransport transport = new TestTransport();
  private final ProviderFactory factory;
  private final ChatProvider provider;
  private volatile UpstreamBehaviour behaviour = new UpstreamBehaviour.Echoes();
  private final AtomicInteger requests = new AtomicInteger();
  private volatile String lastBody = "";
  private volatile String lastHead = "";

  /** The messages of a protocol whose requests are JSON objects. */
  public interface Protocol {
    /**
     * Makes the adapter's factory.
     *
     * @param transport sends the adapter's requests; an adapter with an HTTP client of its own
     *     ignores it
     */
    ProviderFactory factory(Transport transport);

    /** Returns the text of the last message of a request. */
    String lastText(Json.Obj request);

    /** Returns the body of a complete answer with this text and a usage. */
    String answer(String text);

    /**
     * Returns whether a request asks for a stream; by default, whether its {@code stream} is true.
     */
    default boolean wantsStream(Json.Obj request) {
      return request.get("stream") == Json.TRUE;
    }

    /** Returns one event of a stream, such as a server-sent event, with this text. */
    default String piece(String text) {
      throw new UnsupportedOperationException("the protocol has no streams");
    }

    /** Returns the last events of a stream, with the usage. */
    default String end() {
      throw new UnsupportedOperationException("the protocol has no streams");
    }

    /** Returns the body of a refusal. */
    default String refusal(int status, String message) {
      Json.Obj error = Json.object().put("message", message).build();
      return Json.object().put("error", error).build().toString();
    }

    /**
     * Returns the endpoint of the calls; its parameters are those that the protocol has, by default
     * all.
     */
    default Endpoint endpoint() {
      return Given.endpoint("acme", "acme/one", "1").toBuilder()
          .upstreamModel("upstream-model")
          .build();
    }

    /**
     * Returns whether requests name the model in the body rather than in the address; true unless
     * overridden.
     */
    default boolean namesModelInBody() {
      return true;
    }
  }

  /**
   * @param ambient starts the upstream's threads; also passed to the adapter
   */
  public ScriptedUpstream(TestAmbient ambient, Protocol protocol) {
    this.ambient = ambient;
    this.protocol = protocol;
    this.server = RawUpstream.start(ambient, false, this::serve);
    this.factory = protocol.factory(transport);
    this.provider =
        factory.create(
            new ProviderSettings(
                protocol.endpoint().provider().slug(),
                server.baseUri(),
                Map.of("X-Of-Configuration", HEADER_VALUE),
                Duration.ofSeconds(5),
                new TestJsonCodec(),
                ambient));
  }

  @Override
  public ChatProvider provider() {
    return provider;
  }

  @Override
  public Endpoint endpoint() {
    return protocol.endpoint();
  }

  @Override
  public boolean namesModelInBody() {
    return protocol.namesModelInBody();
  }

  @Override
  public void behave(UpstreamBehaviour newBehaviour) {
    behaviour = newBehaviour;
  }

  @Override
  public String lastBody() {
    return lastBody;
  }

  @Override
  public String lastHead() {
    return lastHead;
  }

  @Override
  public int requests() {
    return requests.get();
  }

  private void serve(RawUpstream.Connection connection) throws IOException {
    while (true) {
      String head = connection.readHead();
      String body = connection.readBody(head);
      requests.incrementAndGet();
      lastHead = head;
      lastBody = body;
      Json.Obj request = parse(body);
      boolean streaming = protocol.wantsStream(request);
      switch (behaviour) {
        case UpstreamBehaviour.Echoes echoes -> echo(connection, request, streaming);
        case UpstreamBehaviour.Stalls(String text) -> {
          begin(connection, text, streaming);
          connection.awaitHangUp();
        }
        case UpstreamBehaviour.Silent silent -> connection.awaitHangUp();
        case UpstreamBehaviour.Cuts(String text) -> {
          begin(connection, text, streaming);
          return; // returning closes the connection
        }
        case UpstreamBehaviour.Garbage garbage ->
            connection.write(response(200, "", "<html>no answer</html>"));
        case UpstreamBehaviour.Refuses(int status, int wait, String message) ->
            connection.write(
                response(
                    status,
                    wait < 0 ? "" : "Retry-After: " + wait + "\r\n",
                    protocol.refusal(status, message)));
      }
    }
  }

  private static Json.Obj parse(String body) {
    try {
      return (Json.Obj) new TestJsonCodec().parse(body.getBytes(StandardCharsets.UTF_8));
    } catch (JsonCodec.MalformedJsonException | ClassCastException e) {
      throw new AssertionError("the adapter sent a body that is not a JSON object: " + body, e);
    }
  }

  private void echo(RawUpstream.Connection connection, Json.Obj request, boolean streaming)
      throws IOException {
    String text = protocol.lastText(request);
    if (!streaming) {
      connection.write(response(200, "", protocol.answer(text)));
      return;
    }
    int half = text.length() / 2;
    connection.write(streamHead());
    for (String piece :
        List.of(
            protocol.piece(text.substring(0, half)),
            protocol.piece(text.substring(half)),
            protocol.end())) {
      connection.write(chunk(piece));
    }
    connection.write("0\r\n\r\n");
  }

  /** Writes an incomplete answer with this text. */
  private void begin(RawUpstream.Connection connection, String text, boolean streaming)
      throws IOException {
    if (streaming) {
      connection.write(streamHead() + chunk(protocol.piece(text)));
    } else {
      byte[] response = response(200, "", protocol.answer(text)).getBytes(StandardCharsets.UTF_8);
      connection.write(Arrays.copyOf(response, response.length - 1));
    }
  }

  private static String streamHead() {
    return "HTTP/1.1 200 OK\r\n"
        + "Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
  }

  private static String chunk(String text) {
    int length = text.getBytes(StandardCharsets.UTF_8).length;
    return Integer.toHexString(length) + "\r\n" + text + "\r\n";
  }

  private static String response(int status, String headers, String body) {
    int length = body.getBytes(StandardCharsets.UTF_8).length;
    return "HTTP/1.1 %d Scripted\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s"
        .formatted(status, headers, length, body);
  }

  /**
   * Closes the factory, the transport and the upstream.
   *
   * @throws AssertionError when adapter and factory have left a response or a connection open
   */
  @Override
  public void close() {
    int leftOpen;
    try {
      factory.close();
    } finally {
      leftOpen = connectionsLeft();
      transport.close();
      server.close();
    }
    if (leftOpen > 0) {
      throw new AssertionError(
          "adapter and factory were closed, but have not closed "
              + leftOpen
              + " of their connections: close every response, also of a refusal, and what you"
              + " opened yourself; ProviderFactory.close() must close what adapters share");
    }
  }

  private int connectionsLeft() {
    long start = ambient.nanoTime();
    while (server.openConnections() > 0 && ambient.nanoTime() - start < CLOSE_TIMEOUT.toNanos()) {
      LockSupport.parkNanos(200_000);
    }
    return server.openConnections();
  }
}
