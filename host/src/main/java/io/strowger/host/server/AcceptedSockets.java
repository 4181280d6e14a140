package io.strowger.host.server;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.SocketOptions;
import io.helidon.webserver.ConnectionContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The socket options of every accepted connection. This class also remembers the channel of each
 * connection until the connection is handled. The reason: the web server's socket returns received
 * bytes only as arrays of its own, and its input cannot be shut down without closing the socket;
 * the channel reads into a given array and can shut down its input alone.
 */
final class AcceptedSockets implements SocketOptions {
  /**
   * The most bytes of one read or write; for a larger one the JDK allocates a direct buffer of that
   * size and keeps it.
   */
  private static final int MAX_TRANSFER = 64 * 1024;

  private static final int CLEANUP_INTERVAL = 4096;

  private final SocketOptions options;
  private final Map<Key, SocketChannel> channels = new ConcurrentHashMap<>();
  private int acceptedCount; // confined to the accepting thread

  AcceptedSockets() {
    // without this option, streams stall until a delayed acknowledgement
    this.options = SocketOptions.builder().tcpNoDelay(true).build();
  }

  /**
   * Identifies a channel. The web server's id is the identity hash code of the channel; the address
   * makes it unambiguous.
   *
   * @param id such as {@code 0x01b2c3d4}
   */
  private record Key(String id, @Nullable SocketAddress client) {}

  @Override
  public void configureSocket(SocketChannel channel) {
    options.configureSocket(channel);
    acceptedCount++;
    if (acceptedCount % CLEANUP_INTERVAL == 0) {
      channels.values().removeIf(pending -> !pending.isOpen()); // closed before they were handled
    }
    try {
      String id = "0x" + HexFormat.of().toHexDigits(System.identityHashCode(channel));
      channels.put(new Key(id, channel.getRemoteAddress()), channel);
    } catch (IOException closed) {
      throw new UncheckedIOException(closed);
    }
  }

  /**
   * Returns the socket of a connection that is about to be handled.
   *
   * @throws IllegalStateException when this server did not accept the connection, or this method
   *     was called for the connection before
   */
  ClientSocket begin(ConnectionContext context) {
    HelidonSocket socket = Objects.requireNonNull(context.serverSocket());
    SocketChannel channel =
        channels.remove(new Key(context.childSocketId(), context.remotePeer().address()));
    if (channel == null) {
      throw new IllegalStateException(
          "the connection was not accepted with these options, or was already begun");
    }
    return context.isSecure() ? new Encrypted(socket, channel) : new Plain(socket, channel);
  }

  private static void stopReading(SocketChannel channel) {
    try {
      channel.shutdownInput();
    } catch (IOException closed) {
      // already closed, so nothing is read
    }
  }

  private static void dropUnread(SocketChannel channel, int maxBytes) {
    try {
      InputStream input = channel.socket().getInputStream();
      int dropped = 0;
      while (dropped < maxBytes) {
        int available = input.available(); // so that the read never blocks
        int count =
            available == 0 ? 0 : channel.read(ByteBuffer.allocate(Math.min(available, maxBytes)));
        if (count <= 0) {
          return;
        }
        dropped += count;
      }
    } catch (IOException closed) {
      // already closed, so there is nothing to drop
    }
  }

  /** A connection without TLS. */
  private record Plain(HelidonSocket socket, SocketChannel channel) implements ClientSocket {
    @Override
    public byte @Nullable [] read() {
      return socket.get();
    }

    @Override
    public boolean supportsDirectRead() {
      return true;
    }

    @Override
    public int read(byte[] into, int from, int length) {
      try {
        return channel.read(ByteBuffer.wrap(into, from, Math.min(length, MAX_TRANSFER)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public int write(byte[] bytes, int from, int length) {
      try {
        return channel.write(ByteBuffer.wrap(bytes, from, Math.min(length, MAX_TRANSFER)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void stopReading() {
      AcceptedSockets.stopReading(channel);
    }

    @Override
    public void dropUnread(int maxBytes) {
      try {
        channel.shutdownOutput();
      } catch (IOException closed) {
        return;
      }
      AcceptedSockets.dropUnread(channel, maxBytes);
    }
  }

  /** A connection with TLS. */
  private record Encrypted(HelidonSocket socket, SocketChannel channel) implements ClientSocket {
    /** The most bytes of one write: what the slowest tolerated client reads in a second. */
    private static final int MAX_WRITE = 16 * 1024;

    @Override
    public byte @Nullable [] read() {
      byte[] bytes;
      do {
        // at the end of the input, the server's TLS socket returns an empty array before null
        bytes = socket.get();
      } while (bytes != null && bytes.length == 0);
      return bytes;
    }

    @Override
    public boolean supportsDirectRead() {
      return false;
    }

    @Override
    public int read(byte[] into, int from, int length) {
      throw new UnsupportedOperationException(
          "a TLS connection supports only read() without an array; see supportsDirectRead()");
    }

    @Override
    public int write(byte[] bytes, int from, int length) {
      int piece = Math.min(length, MAX_WRITE);
      socket.write(BufferData.create(bytes, from, piece));
      return piece;
    }

    @Override
    public void stopReading() {
      AcceptedSockets.stopReading(channel);
    }

    /** The output stays open: closing the connection still writes the close message of TLS. */
    @Override
    public void dropUnread(int maxBytes) {
      AcceptedSockets.dropUnread(channel, maxBytes);
    }
  }

  @Override
  public Map<SocketOption<?>, Object> socketOptions() {
    return options.socketOptions();
  }

  @Override
  public Duration connectTimeout() {
    return options.connectTimeout();
  }

  @Override
  public Duration readTimeout() {
    return options.readTimeout();
  }

  @Override
  public Optional<Integer> socketReceiveBufferSize() {
    return options.socketReceiveBufferSize();
  }

  @Override
  public Optional<Integer> socketSendBufferSize() {
    return options.socketSendBufferSize();
  }

  @Override
  public boolean socketReuseAddress() {
    return options.socketReuseAddress();
  }

  @Override
  public boolean socketKeepAlive() {
    return options.socketKeepAlive();
  }

  @Override
  public boolean tcpNoDelay() {
    return options.tcpNoDelay();
  }
}
