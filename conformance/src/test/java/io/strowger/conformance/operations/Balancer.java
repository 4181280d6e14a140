package io.strowger.conformance.operations;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A load balancer that connects clients to the gateways that are ready. */
interface Balancer extends AutoCloseable {
  /** Returns the port at which it listens. */
  int port();

  @Override
  void close() throws IOException, InterruptedException;

  /**
   * Starts HAProxy with the configuration of the compose file, or a simple balancer where HAProxy
   * is not installed.
   */
  static Balancer start(List<Deployment.Ports> gateways, Path folder) throws IOException {
    String program = program("haproxy");
    return program == null
        ? new SimpleBalancer(gateways)
        : HaProxy.start(program, gateways, folder);
  }

  private static @Nullable String program(String name) {
    String path = System.getenv().getOrDefault("PATH", "") + File.pathSeparator + "/usr/sbin";
    return Arrays.stream(path.split(File.pathSeparator))
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst()
        .orElse(null);
  }

  /**
   * HAProxy with the configuration of the compose file, in which the addresses are those of this
   * machine.
   *
   * @param process the process of HAProxy
   */
  record HaProxy(Process process, int port) implements Balancer {
    static HaProxy start(String program, List<Deployment.Ports> gateways, Path folder)
        throws IOException {
      int port = Deployment.freePort();
      String config =
          ContainerFiles.text("haproxy.cfg").replace("bind :8080", "bind 127.0.0.1:" + port);
      for (int i = 0; i < gateways.size(); i++) {
        Deployment.Ports ports = gateways.get(i);
        config =
            config.replaceFirst(
                "server (gateway-%1$d) gateway-%1$d:8080".formatted(i + 1),
                "server $1 127.0.0.1:%d port %d".formatted(ports.api(), ports.admin()));
      }
      Path file = Files.writeString(folder.resolve("haproxy.cfg"), config);
      Process process =
          new ProcessBuilder(program, "-db", "-f", file.toString())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(folder.resolve("haproxy.log").toFile())
              .start();
      return new HaProxy(process, port);
    }

    @Override
    public void close() throws InterruptedException {
      process.destroy();
      process.waitFor();
    }
  }

  /** A balancer that probes a gateway before each connection, and then copies bytes both ways. */
  final class SimpleBalancer implements Balancer {
    private final ServerSocket listening;
    private final List<Deployment.Ports> gateways;
    private final AtomicInteger turn = new AtomicInteger();

    SimpleBalancer(List<Deployment.Ports> gateways) throws IOException {
      this.gateways = gateways;
      listening = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
      Thread.ofVirtual().start(this::accept);
    }

    @Override
    public int port() {
      return listening.getLocalPort();
    }

    private void accept() {
      while (!listening.isClosed()) {
        try {
          Socket client = listening.accept();
          Thread.ofVirtual().start(() -> serve(client));
        } catch (IOException closed) {
          return;
        }
      }
    }

    private void serve(Socket client) {
      try (client;
          Socket gateway = next()) {
        Thread back = Thread.ofVirtual().start(() -> copy(gateway, client));
        copy(client, gateway);
        back.join();
      } catch (IOException noGateway) {
        // the client sees that its connection is closed
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private static void copy(Socket from, Socket to) {
      try {
        from.getInputStream().transferTo(to.getOutputStream());
        to.shutdownOutput();
      } catch (IOException ended) {
        // one of the sockets was closed
      }
    }

    private Socket next() throws IOException {
      int first = turn.getAndIncrement();
      for (int i = 0; i < gateways.size(); i++) {
        Deployment.Ports ports = gateways.get(Math.floorMod(first + i, gateways.size()));
        if (ports.isReady()) {
          try {
            return new Socket(InetAddress.getLoopbackAddress(), ports.api());
          } catch (IOException stopped) {
            // stopped after the probe; the next one is tried
          }
        }
      }
      throw new IOException("no gateway is ready");
    }

    @Override
    public void close() {
      try {
        listening.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
