package io.strowger.conformance.money;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A fixed address for a server that is stopped and started on other ports. It relays connections to
 * the present port, and closes them at once while there is none.
 */
final class TcpRelay implements AutoCloseable {
  private final ServerSocket listening;
  private volatile int targetPort; // 0 for none

  TcpRelay() throws IOException {
    listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Relays new connections to this port of the loopback address. */
  void connectTo(int port) {
    targetPort = port;
  }

  /** Closes new connections at once. */
  void disconnect() {
    targetPort = 0;
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
    int port = targetPort;
    if (port == 0) {
      close(client);
      return;
    }
    try {
      var server = new Socket(InetAddress.getLoopbackAddress(), port);
      Thread.ofVirtual().start(() -> copy(server, client));
      copy(client, server);
    } catch (IOException noServer) {
      close(client);
    }
  }

  /** Copies until one of the sockets is closed, and then closes both. */
  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException ended) {
      // one of the sockets was closed
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException closedAnyway) {
      // there is nothing left to close
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
