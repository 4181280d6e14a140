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

/**
 * HTTP/1.1 connections that read through a {@link ReadAhead}. The server has no hook for a client
 * that goes away; what it offers is that a connection may be handed a reader of our own, and that a
 * request knows its peer, which here knows the reader.
 */
final class WatchedConnections implements ServerConnectionSelector {
  private final Http1ConnectionSelector http;
  private final Duration patience;
  private final Ambient ambient;

  WatchedConnections(Http1Config config, Duration patience, Ambient ambient) {
    this.patience = patience;
    this.http = Http1ConnectionSelector.builder().config(config).build();
    this.ambient = ambient;
  }

  /** The reader of the connection this request came on. */
  static ReadAhead readAhead(ServerRequest request) {
    if (request.remotePeer() instanceof Peer peer) {
      return peer.reader;
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
    return http.connection(
        new Context(context, new ReadAhead(() -> socket.get(), patience, ambient)));
  }

  /** The peer, who also leads to the reader. */
  private record Peer(PeerInfo info, ReadAhead reader) implements PeerInfo {
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

    Context(ConnectionContext context, ReadAhead readAhead) {
      this.context = context;
      this.reader = DataReader.create(readAhead);
      this.peer = new Peer(context.remotePeer(), readAhead);
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
      return context.dataWriter();
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
