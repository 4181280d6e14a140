package io.strowger.host.server;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import io.strowger.spi.ambient.Ambient;
import java.net.SocketAddress;
import java.security.Principal;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1 connections that read through a {@link RequestFraming} over a {@link ReadAhead}, and write
 * through a {@link WatchedOutput}. The server has no hook for a client that goes away, and no
 * setting for how strictly it reads; what it offers is that a connection may be handed a reader of
 * our own, and that a request knows its peer, which here knows the connection.
 */
final class WatchedConnections implements ServerConnectionSelector {
  private final Http1ConnectionSelector http;
  private final long largestBody;
  private final Duration patience;
  private final PendingConnections heads;
  private final Ambient ambient;

  /**
   * @param largestBody the most bytes of a body
   * @param patience with a client that is silent in the middle of its request
   */
  WatchedConnections(
      Http1Config config,
      long largestBody,
      Duration patience,
      PendingConnections heads,
      Ambient ambient) {
    this.heads = heads;
    this.largestBody = largestBody;
    this.patience = patience;
    this.http = Http1ConnectionSelector.builder().config(config).build();
    this.ambient = ambient;
  }

  /**
   * What a connection is read with and written to.
   *
   * @param ahead notices a client that goes away
   * @param requests knows the request that is being served
   * @param out the connection itself, also for answers the web server cannot frame
   */
  record Watched(ReadAhead ahead, RequestFraming requests, WatchedOutput out) {}

  /** The connection this request came on. */
  static Watched of(ServerRequest request) {
    if (request.remotePeer() instanceof Peer peer) {
      return peer.connection;
    }
    throw new IllegalStateException("not a watched connection");
  }

  @Override
  public int bytesToIdentifyConnection() {
    return http.bytesToIdentifyConnection();
  }

  @Override
  public Support supports(BufferData data) {
    return http.supports(data);
  }

  @Override
  public Set<String> supportedApplicationProtocols() {
    return http.supportedApplicationProtocols();
  }

  @Override
  public ServerConnection connection(ConnectionContext context) {
    HelidonSocket socket = Objects.requireNonNull(context.serverSocket());
    var ahead = new ReadAhead(() -> bytes(socket), patience, ambient);
    long cost = context.isSecure() ? PendingConnections.TLS : PendingConnections.PLAIN;
    var requests = new RequestFraming(ahead, heads, cost, largestBody);
    return http.connection(
        new Context(
            context, new Watched(ahead, requests, new WatchedOutput(context.dataWriter()))));
  }

  /** With TLS the end of the input is announced by no bytes at all, which are skipped. */
  private static byte @Nullable [] bytes(HelidonSocket socket) {
    byte[] bytes;
    do {
      bytes = socket.get();
    } while (bytes != null && bytes.length == 0);
    return bytes;
  }

  /** The peer, who also leads to the connection. */
  private record Peer(PeerInfo info, Watched connection) implements PeerInfo {
    @Override
    public SocketAddress address() {
      return info.address();
    }

    @Override
    public String host() {
      return info.host();
    }

    @Override
    public int port() {
      return info.port();
    }

    @Override
    public Optional<Principal> tlsPrincipal() {
      return info.tlsPrincipal();
    }

    @Override
    public Optional<Certificate[]> tlsCertificates() {
      return info.tlsCertificates();
    }
  }

  /** The connection as it was, with another reader. */
  private static final class Context implements ConnectionContext {
    private final ConnectionContext context;
    private final DataReader reader;
    private final Peer peer;

    Context(ConnectionContext context, Watched connection) {
      this.context = context;
      this.reader = DataReader.create(connection.requests());
      this.peer = new Peer(context.remotePeer(), connection);
    }

    @Override
    public DataReader dataReader() {
      return reader;
    }

    @Override
    public PeerInfo remotePeer() {
      return peer;
    }

    @Override
    public ListenerContext listenerContext() {
      return context.listenerContext();
    }

    @Override
    public ExecutorService executor() {
      return context.executor();
    }

    @Override
    public DataWriter dataWriter() {
      return peer.connection.out();
    }

    @Override
    public Router router() {
      return context.router();
    }

    @Override
    public Optional<ProxyProtocolData> proxyProtocolData() {
      return context.proxyProtocolData();
    }

    @Override
    public HelidonSocket serverSocket() {
      return context.serverSocket();
    }

    @Override
    public PeerInfo localPeer() {
      return context.localPeer();
    }

    @Override
    public boolean isSecure() {
      return context.isSecure();
    }

    @Override
    public String socketId() {
      return context.socketId();
    }

    @Override
    public String childSocketId() {
      return context.childSocketId();
    }
  }
}
