package com.example;

import io.strowger.core.Gateway;
import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.providers.chat.OpenAiChatFactory;
import io.strowger.servlet.GatewayServlet;
import io.strowger.simulated.SimulatedFactory;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;

/** A gateway as a servlet in an embedded Jetty; your own servlets and filters go beside it. */
public final class JettyServer implements AutoCloseable {
  private static final String ROOT = "/api/v1";
  private static final int STOP_MILLIS = 10_000;

  private final Server server;

  private JettyServer(Gateway gateway, int port) throws Exception {
    server = new Server(new InetSocketAddress("127.0.0.1", port));
    var context = new ServletContextHandler();
    var holder = new ServletHolder(new GatewayServlet(gateway));
    holder.setAsyncSupported(true);
    context.addServlet(holder, ROOT + "/*");
    server.setHandler(new GracefulHandler(context)); // lets stop() wait for requests
    server.setStopTimeout(STOP_MILLIS);
    server.start();
  }

  /**
   * Starts a server.
   *
   * @param port the port; 0 for any free one
   */
  static JettyServer start(Gateway gateway, int port) throws Exception {
    return new JettyServer(gateway, port);
  }

  int port() {
    return ((ServerConnector) server.getConnectors()[0]).getLocalPort();
  }

  /** Waits up to ten seconds for requests under way. */
  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the server could not be stopped", e);
    }
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
    JettyServer server = JettyServer.start(gateway, 8080);
    System.out.println("listens on http://127.0.0.1:" + server.port() + ROOT);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    server.close();
                  } finally { // a stream that does not end in time fails the first
                    gateway.close();
                  }
                }));
  }
}
