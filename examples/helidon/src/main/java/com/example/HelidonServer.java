package com.example;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.simulated.SimulatedFactory;
import io.strowger.spi.provider.Cancellation;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A gateway as one handler of Helidon SE, which runs it on a virtual thread of its own. */
public final class HelidonServer implements AutoCloseable {
  private static final String ROOT = "/api/v1";

  private final Gateway gateway;
  private final WebServer server;

  private HelidonServer(Gateway gateway, int port) {
    this.gateway = gateway;
    server =
        WebServer.builder()
            .host("127.0.0.1")
            .port(port)
            .shutdownHook(false)
            .routing(routing -> routing.any(ROOT + "/*", this::answer))
            .build()
            .start();
  }

  /**
   * Starts a server.
   *
   * @param port the port; 0 for any free one
   */
  static HelidonServer start(Gateway gateway, int port) {
    return new HelidonServer(gateway, port);
  }

  int port() {
    return server.port();
  }

  private void answer(ServerRequest request, ServerResponse response) {
    var cancellation = new Cancellation();
    WireResponse answer = gateway.wire().handle(wire(request, cancellation));
    response.status(answer.status());
    answer.headers().forEach(response::header);
    try (WireBody body = answer.body()) {
      if (body.length() == 0) {
        response.send();
        return;
      }
      if (body.length() > 0) {
        response.contentLength(body.length());
      }
      OutputStream out = response.outputStream();
      body.transferTo(out);
      out.close();
    } catch (IOException e) {
      // the client is gone, or the answer broke off and the client has to notice
      cancellation.cancel(Cancellation.Cause.CALLER_GONE);
      throw new CloseConnectionException("the answer ended early", e);
    }
  }

  private static WireRequest wire(ServerRequest request, Cancellation cancellation) {
    var headers =
        new WireRequest.Headers() {
          @Override
          public String first(String name) {
            return request.headers().first(HeaderNames.create(name)).orElse(null);
          }

          @Override
          public List<String> all(String name) {
            return request.headers().all(HeaderNames.create(name), List::of);
          }
        };
    InetAddress client =
        request.remotePeer().address() instanceof InetSocketAddress address
            ? address.getAddress()
            : null;
    return new WireRequest(
        request.prologue().method().text(),
        request.prologue().uriPath().rawPath().substring(ROOT.length()),
        request.query().rawValue(),
        headers,
        request.content().inputStream(),
        cancellation,
        client);
  }

  @Override
  public void close() {
    server.stop();
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
    HelidonServer server = HelidonServer.start(gateway, 8080);
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
