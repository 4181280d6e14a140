package com.example;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.wire.TruncatedAnswerException;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.simulated.SimulatedFactory;
import io.strowger.spi.provider.Cancellation;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A gateway behind the server of the JDK, with a virtual thread for each request. */
public final class JdkServer implements AutoCloseable {
  private static final String ROOT = "/api/v1";

  private final Gateway gateway;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private JdkServer(Gateway gateway, int port) throws IOException {
    this.gateway = gateway;
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.setExecutor(threads);
    server.createContext(ROOT, this::answer);
    server.start();
  }

  /**
   * Starts a server.
   *
   * @param port the port; 0 for any free one
   */
  static JdkServer start(Gateway gateway, int port) throws IOException {
    return new JdkServer(gateway, port);
  }

  int port() {
    return server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    var cancellation = new Cancellation();
    WireResponse response = gateway.wire().handle(request(exchange, cancellation));
    response.headers().forEach(exchange.getResponseHeaders()::set);
    try (WireBody body = response.body()) {
      // to the JDK's server, 0 means a body in chunks, and -1 no body
      long length = body.length() == 0 ? -1 : Math.max(0, body.length());
      exchange.sendResponseHeaders(response.status(), length);
      body.transferTo(exchange.getResponseBody());
      exchange.close();
    } catch (TruncatedAnswerException e) {
      throw e; // without closing: the server then cuts the connection, so that the client notices
    } catch (IOException gone) {
      cancellation.cancel(Cancellation.Cause.CALLER_GONE);
      throw gone;
    }
  }

  private static WireRequest request(HttpExchange exchange, Cancellation cancellation) {
    var headers =
        new WireRequest.Headers() {
          @Override
          public String first(String name) {
            return exchange.getRequestHeaders().getFirst(name);
          }

          @Override
          public List<String> all(String name) {
            return exchange.getRequestHeaders().getOrDefault(name, List.of());
          }
        };
    return new WireRequest(
        exchange.getRequestMethod(),
        exchange.getRequestURI().getRawPath().substring(ROOT.length()),
        Objects.requireNonNullElse(exchange.getRequestURI().getRawQuery(), ""),
        headers,
        exchange.getRequestBody(),
        cancellation,
        exchange.getRemoteAddress().getAddress());
  }

  /** Waits up to ten seconds for requests under way. */
  @Override
  public void close() {
    server.stop(10);
    threads.close();
  }

  /** Serves the gateway of gateway.json, or of the file given as argument, on port 8080. */
  public static void main(String[] args) throws Exception {
    Path file = Path.of(args.length > 0 ? args[0] : "gateway.json");
    // for real providers: Gateway.open(file)
    GatewayConfig config = ConfigReader.standard().read(Files.readAllBytes(file)).orThrow();
    Gateway gateway =
        Gateway.builder(config)
            .provider(new SimulatedFactory())
            .provider(new OpenAiChatFactory())
            .build();
    JdkServer server = JdkServer.start(gateway, 8080);
    System.out.println("listens on http://127.0.0.1:" + server.port() + ROOT);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  server.close();
                  gateway.close();
                }));
  }
}
