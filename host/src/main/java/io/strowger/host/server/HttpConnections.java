package io.strowger.host.server;

import io.helidon.common.buffers.BufferData;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes every connection the web server accepts an {@link HttpConnection}. The web server listens,
 * has the threads, decrypts and shuts down; requests and answers are read and written here, since
 * it neither notices a client that goes away nor reads as strictly as is needed.
 */
final class HttpConnections implements ServerConnectionSelector {
  private final HttpConnection.Shared shared;
  private final AcceptedSockets sockets;

  HttpConnections(HttpConnection.Shared shared, AcceptedSockets sockets) {
    this.shared = shared;
    this.sockets = sockets;
  }

  @Override
  public int bytesToIdentifyConnection() {
    return 0;
  }

  @Override
  public Support supports(BufferData data) {
    return Support.SUPPORTED;
  }

  @Override
  public Set<String> supportedApplicationProtocols() {
    return Set.of("http/1.1");
  }

  @Override
  public ServerConnection connection(ConnectionContext context) {
    long cost = context.isSecure() ? PendingConnections.TLS : PendingConnections.PLAIN;
    return new HttpConnection(shared, sockets.begin(context), cost, client(context));
  }

  private static @Nullable InetAddress client(ConnectionContext context) {
    return context.remotePeer().address() instanceof InetSocketAddress peer
        ? peer.getAddress()
        : null;
  }
}
