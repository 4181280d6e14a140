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
 * The options every accepted socket gets, which also remember its channel until its connection
 * begins. The web server hands out a socket that can only be read in pieces, and cannot be told to
 * stop reading without being closed; its channel can.
 */
final class AcceptedSockets implements SocketOptions {
  /** More would be copied through a buffer of that size, which the JDK keeps for ever. */
  private static final int LARGEST_PIECE = 64 * 1024;

  private static final int ACCEPTED = 4096;

  private final SocketOptions options;
  private final Map<Key, SocketChannel> accepted = new ConcurrentHashMap<>();
  private int count; // of the one thread that accepts

  AcceptedSockets() {
    // without it streams stall for a delayed acknowledgement
    this.options = SocketOptions.builder().tcpNoDelay(true).build();
  }

  /**
   * The web server's id of a channel is its identity, the address makes sure of it.
   *
   * @param id such as {@code 0x01b2c3d4}
   */
  private record Key(String id, @Nullable SocketAddress client) {}

  @Override
  public void configureSocket(SocketChannel channel) {
    options.configureSocket(channel);
    count++;
    if (count % ACCEPTED == 0) {
      accepted.values().removeIf(other -> !other.isOpen()); // those that ended before they began
    }
    try {
      String id = "0x" + HexFormat.of().toHexDigits(System.identityHashCode(channel));
      accepted.put(new Key(id, channel.getRemoteAddress()), channel);
    } catch (IOException closed) {
      throw new UncheckedIOException(closed);
    }
  }

  /**
   * Returns the socket of a connection that begins.
   *
   * @throws IllegalStateException when it was not accepted with these options, or has begun before
   */
  ClientSocket begin(ConnectionContext context) {
    HelidonSocket socket = Objects.requireNonNull(context.serverSocket());
    SocketChannel channel =
        accepted.remove(new Key(context.childSocketId(), context.remotePeer().address()));
    if (channel == null) {
      throw new IllegalStateException("the channel of a connection is not known");
    }
    return context.isSecure() ? new Encrypted(socket, channel) : new Plain(socket, channel);
  }

  private static void stopReading(SocketChannel channel) {
    try {
      channel.shutdownInput();
    } catch (IOException closed) {
      // nobody reads it then
    }
  }

  private static void dropArrived(SocketChannel channel, int most) {
    try {
      InputStream waiting = channel.socket().getInputStream();
      int dropped = 0;
      while (dropped < most) {
        int there = waiting.available(); // so that the read never waits
        int count = there == 0 ? 0 : channel.read(ByteBuffer.allocate(Math.min(there, most)));
        if (count <= 0) {
          return;
        }
        dropped += count;
      }
    } catch (IOException closed) {
      // nothing is there then
    }
  }

  /** A connection without TLS. */
  private record Plain(HelidonSocket socket, SocketChannel channel) implements ClientSocket {
    @Override
    public byte @Nullable [] read() {
      return socket.get();
    }

    @Override
    public boolean readsInPlace() {
      return true;
    }

    @Override
    public int read(byte[] into, int from, int length) {
      try {
        return channel.read(ByteBuffer.wrap(into, from, Math.min(length, LARGEST_PIECE)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public int write(byte[] bytes, int from, int length) {
      try {
        return channel.write(ByteBuffer.wrap(bytes, from, Math.min(length, LARGEST_PIECE)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void stopReading() {
      AcceptedSockets.stopReading(channel);
    }

    @Override
    public void dropArrived(int most) {
      try {
        channel.shutdownOutput();
      } catch (IOException closed) {
        return;
      }
      AcceptedSockets.dropArrived(channel, most);
    }
  }

  /** A connection with TLS. */
  private record Encrypted(HelidonSocket socket, SocketChannel channel) implements ClientSocket {
    /** So much takes the slowest client that is waited for a second. */
    private static final int PIECE = 16 * 1024;

    @Override
    public byte @Nullable [] read() {
      byte[] bytes;
      do {
        bytes = socket.get(); // the end is announced by no bytes at all, which are skipped
      } while (bytes != null && bytes.length == 0);
      return bytes;
    }

    @Override
    public boolean readsInPlace() {
      return false;
    }

    @Override
    public int read(byte[] into, int from, int length) {
      throw new UnsupportedOperationException("decrypted bytes come in pieces");
    }

    @Override
    public int write(byte[] bytes, int from, int length) {
      int piece = Math.min(length, PIECE);
      socket.write(BufferData.create(bytes, from, piece));
      return piece;
    }

    @Override
    public void stopReading() {
      AcceptedSockets.stopReading(channel);
    }

    /** The farewell of TLS is still to be written, when it is closed. */
    @Override
    public void dropArrived(int most) {
      AcceptedSockets.dropArrived(channel, most);
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
