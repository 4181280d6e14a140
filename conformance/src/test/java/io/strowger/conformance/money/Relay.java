package io.strowger.conformance.money;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * An address that stays while the server behind it comes and goes: connections are passed on to it,
 * and closed at once while there is none.
 */
final class Relay implements AutoCloseable {
  private final ServerSocket listening;
  private volatile int target; // a port; 0: nobody is there

  Relay() throws IOException {
    listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** From now on connections go to this port of the same machine; to nobody when it is 0. */
  void to(int port) {
    target = port;
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
    int port = target;
    if (port == 0) {
      close(client);
      return;
    }
    try {
      var server = new Socket(InetAddress.getLoopbackAddress(), port);
      Thread.ofVirtual().start(() -> copy(server, client));
      copy(client, server);
    } catch (IOException away) {
      close(client);
    }
  }

  /** Until one of them ends: then both do. */
  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException ended) {
      // as it was meant to
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException closedAnyway) {
      // nobody is there
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
