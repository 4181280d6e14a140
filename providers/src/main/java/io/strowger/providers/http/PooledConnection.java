package io.strowger.providers.http;

import io.strowger.spi.provider.Transport;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.ssl.TLS;
import org.apache.hc.core5.http.ssl.TlsCiphers;
import org.apache.hc.core5.util.Deadline;
import org.apache.hc.core5.util.TimeValue;
import org.jspecify.annotations.Nullable;

/**
 * A connection that detects bytes its upstream sent unasked. HTTP/1.1 responses do not name their
 * request, so bytes that arrived before a request was sent would be taken for its response.
 *
 * <p>A used connection is checked when it is returned, before the first byte of the next request is
 * sent, and before its last byte is sent. Checks never block: they look at the read buffer, the
 * decrypted bytes of TLS, and the socket underneath, where a partial TLS record and the end of the
 * stream count too. The result decides:
 *
 * <ul>
 *   <li>nothing of the request was sent: the connection is closed and {@link UnsentException} is
 *       thrown, so that the request can use another connection;
 *   <li>a part was sent: the connection is closed and the exchange fails with a {@link
 *       ProtocolException}. The bytes may be an early refusal of this request, but that is not
 *       certain.
 * </ul>
 *
 * <p>No HTTP/1.1 client can detect a complete response that was in transit when the last byte of
 * the request was sent. A new connection has no earlier request to answer, so early responses are
 * accepted there.
 *
 * <p>Threads: the lessee's; {@link #abort()} from any thread, {@link #endSilence} from one other.
 */
final class PooledConnection {
  private static final int BUFFER_BYTES = 8 << 10;
  private static final int LARGE_BYTES = 64 << 10; // too large for a socket's buffer

  private final ConnectionPool.RoutePool route;
  private final InputBuffer buffer = new InputBuffer(this::readSocket, BUFFER_BYTES);
  private final RequestOutput output = new RequestOutput(this::write);
  private final ResponseHeadReader heads = new ResponseHeadReader();
  private final Reads reads = new Reads();
  private final ByteBuffer unexpected = ByteBuffer.allocate(1);
  private int requests;
  private boolean requestBegun; // a part of the current request was sent
  private boolean responseBegun; // a part of the current response arrived
  private boolean persistent;
  private @Nullable ConnectionBody currentBody; // of the current response
  private @Nullable InputStream in;
  private @Nullable OutputStream out;
  private @Nullable Socket socket;
  private @Nullable SSLSocket tlsSocket;
  private int socketTimeoutMillis;
  private Deadline expiry = Deadline.MAX_VALUE;
  private volatile @Nullable SocketChannel channel;
  private volatile long sweepTimeoutNanos = Long.MAX_VALUE;
  private volatile boolean aborted;

  /** Thrown when nothing of the request was sent, so that another connection can be used. */
  static final class UnsentException extends IOException {
    private static final long serialVersionUID = 1L;

    UnsentException() {
      super("the upstream closed the connection, or sent data without a request");
    }
  }

  PooledConnection(ConnectionPool.RoutePool route) {
    this.route = route;
  }

  /** Returns the route that this connection belongs to. */
  ConnectionPool.RoutePool route() {
    return route;
  }

  boolean isConnected() {
    return in != null;
  }

  /**
   * Connects to the first address that accepts, with the timeout for each attempt; cancelling the
   * request aborts the attempt. Resolves the host name once; the sockets connect to the addresses
   * that were found.
   */
  void connect(UpstreamAddress.Server server, Duration timeout, ConnectionOptions connectionOptions)
      throws IOException {
    int millis = millis(timeout);
    List<InetAddress> addresses =
        connectionOptions.hostResolver().resolve(server.host(), server.port(), timeout);
    for (int i = 0; socket == null; i++) {
      try {
        socket = connectSocket(new InetSocketAddress(addresses.get(i), server.port()), millis);
      } catch (IOException refused) {
        if (aborted || i == addresses.size() - 1) {
          throw refused;
        }
      }
    }
    if (server.secure()) {
      tlsSocket = startTls(socket, server, millis, connectionOptions.tls());
      use(tlsSocket, tlsSocket.getInputStream(), tlsSocket.getOutputStream());
    } else {
      use(socket, socket.getInputStream(), socket.getOutputStream());
    }
  }

  private void use(Socket activeSocket, InputStream from, OutputStream to) throws IOException {
    activeSocket.setSoTimeout(0);
    in = from;
    out = to;
  }

  private Socket connectSocket(InetSocketAddress address, int millis) throws IOException {
    SocketChannel newChannel = SocketChannel.open();
    channel = newChannel;
    try {
      if (aborted) {
        throw new InterruptedIOException("the connection was closed while it was made");
      }
      newChannel.socket().setTcpNoDelay(true);
      newChannel.socket().connect(address, millis);
      return newChannel.socket();
    } catch (IOException | RuntimeException refused) {
      newChannel.close();
      throw refused;
    }
  }

  /** Starts TLS; the context's trust manager checks that the certificate matches the host. */
  private static SSLSocket startTls(
      Socket plainSocket, UpstreamAddress.Server server, int millis, TlsContext tls)
      throws IOException {
    var socket =
        (SSLSocket)
            tls.get()
                .getSocketFactory()
                .createSocket(plainSocket, server.host(), server.port(), true);
    socket.setSoTimeout(millis);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setProtocols(TLS.excludeWeak(parameters.getProtocols()));
    parameters.setCipherSuites(TlsCiphers.excludeWeak(parameters.getCipherSuites()));
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  /**
   * Bounds later reads by {@link #endSilence}, without a socket timeout.
   *
   * @param limit how long a read may wait
   */
  void boundReadsBySweep(Duration limit) throws IOException {
    sweepTimeoutNanos = limit.toNanos();
    setSocketTimeout(0);
  }

  /** Bounds later reads by a socket timeout. */
  void boundReadsByTimeout(Duration limit) throws IOException {
    sweepTimeoutNanos = Long.MAX_VALUE;
    setSocketTimeout(millis(limit));
  }

  private void setSocketTimeout(int millis) throws IOException {
    if (millis != socketTimeoutMillis) {
      Socket activeSocket = tlsSocket != null ? tlsSocket : socket;
      if (activeSocket != null) {
        activeSocket.setSoTimeout(millis);
      }
      socketTimeoutMillis = millis;
    }
  }

  /** Returns at least 1 ms, since 0 would mean no timeout. */
  private static int millis(Duration time) {
    return Math.clamp(time.toMillis(), 1, Integer.MAX_VALUE);
  }

  /** Sends a request; the previous response must have been read completely. */
  void send(UpstreamAddress upstreamAddress, Transport.Request request) throws IOException {
    requests++;
    requestBegun = false;
    responseBegun = false;
    currentBody = null;
    output.sendRequest(upstreamAddress, request);
  }

  /** Waits for the response head. */
  ResponseHeadReader.Head receive() throws IOException, HttpException {
    ResponseHeadReader.Head head = heads.next(buffer);
    persistent = head.persistent();
    currentBody =
        switch (head.framing()) {
          case NONE -> new ConnectionBody.OfLength(buffer, 0);
          case LENGTH -> new ConnectionBody.OfLength(buffer, head.length());
          case CHUNKS -> new ChunkedBody(buffer);
          case END_OF_CONNECTION -> new ConnectionBody.OfConnection(buffer);
        };
    return head;
  }

  /**
   * Returns whether a reused connection ended without a byte of the current response: the upstream
   * may have closed it before the request arrived.
   */
  boolean isClosedUnanswered() {
    return requests > 1 && !responseBegun;
  }

  /** Returns the body of the latest response. */
  ConnectionBody body() {
    if (currentBody == null) {
      throw new IllegalStateException("no response head was received");
    }
    return currentBody;
  }

  private int readSocket(byte[] into, int offset, int length) throws IOException {
    InputStream from = in;
    if (from == null) {
      throw new IllegalStateException("not connected");
    }
    int read = reads.begin();
    try {
      int count = from.read(into, offset, length);
      responseBegun |= count > 0;
      return count;
    } finally {
      reads.end(read);
    }
  }

  /**
   * Closes the connection if the upstream has kept its reader waiting for too long. For one thread,
   * which calls it repeatedly.
   *
   * @param now the current reading of the ambient's nanosecond clock
   */
  void endSilence(long now) {
    if (reads.endSilence(now, sweepTimeoutNanos)) {
      abort();
    }
  }

  /**
   * Tracks reads without a clock or timer: the count is odd while a read waits, and changes with
   * every read.
   */
  private static final class Reads {
    private static final int SILENT = Integer.MIN_VALUE; // even, and never reached by counting

    private final AtomicInteger count = new AtomicInteger();
    private int lastCount; // used by the watching thread only
    private long since; // used by the watching thread only

    int begin() {
      int read = count.get() + 1 & Integer.MAX_VALUE;
      count.lazySet(read); // the watching thread may see it later
      return read;
    }

    void end(int read) throws SocketTimeoutException {
      if (!count.compareAndSet(read, read + 1 & Integer.MAX_VALUE)) {
        throw new SocketTimeoutException("nothing came for too long");
      }
    }

    boolean endSilence(long now, long limit) {
      int current = count.get();
      if (current != lastCount) {
        lastCount = current;
        since = now;
        return false;
      }
      return (current & 1) == 1 && now - since >= limit && count.compareAndSet(current, SILENT);
    }
  }

  /** Returns whether this can serve another request: the response was read, and nothing follows. */
  boolean isReusable() {
    return persistent && currentBody != null && currentBody.isEnded() && isQuiet();
  }

  /** Returns whether the connection is open and no unread bytes have arrived. */
  boolean isQuiet() {
    SocketChannel open = channel;
    if (open == null || buffer.length() > 0) {
      return false;
    }
    try {
      return (tlsSocket == null || tlsSocket.getInputStream().available() == 0) && isQuiet(open);
    } catch (IOException | RuntimeException exception) {
      return false; // a connection that cannot be checked is not reused
    }
  }

  /**
   * Returns whether the channel is open and nothing has arrived. Reads at most one byte, without
   * blocking; the connection cannot be used after a byte was read.
   */
  private boolean isQuiet(SocketChannel open) throws IOException {
    open.configureBlocking(false);
    try {
      unexpected.clear();
      return open.read(unexpected) == 0;
    } finally {
      open.configureBlocking(true);
    }
  }

  /** Makes the connection idle; it expires after this time. */
  void markIdle(TimeValue idleTimeout) {
    expiry = Deadline.calculate(idleTimeout);
  }

  boolean isExpired() {
    return expiry.isExpired();
  }

  /**
   * Sends bytes after checking the connection. All but the last byte of a large request are sent
   * first, so that the check before the last byte happens when the upstream may have seen nearly
   * all of the request.
   */
  private void write(ByteBuffer[] parts, int count) throws IOException {
    long total = 0;
    for (int i = 0; i < count; i++) {
      total += parts[i].remaining();
    }
    ByteBuffer last = parts[count - 1];
    if (requests > 1 && total > LARGE_BYTES) {
      last.limit(last.limit() - 1);
      writeChecked(parts, count);
      last.limit(last.limit() + 1);
      parts[0] = last;
      writeChecked(parts, 1);
    } else {
      writeChecked(parts, count);
    }
  }

  private void writeChecked(ByteBuffer[] parts, int count) throws IOException {
    if (requests > 1 && !isQuiet()) {
      throw requestBegun
          ? new ProtocolException("an answer before the request was sent")
          : new UnsentException();
    }
    requestBegun = true;
    int gatherStart = 0; // small parts from here on are sent together
    for (int i = 0; i < count; i++) {
      if (tlsSocket != null || parts[i].remaining() > LARGE_BYTES) {
        gather(parts, gatherStart, i);
        gatherStart = i + 1;
        writeLarge(parts[i]);
      }
    }
    gather(parts, gatherStart, count);
  }

  /**
   * Sends a large part through the stream, since a channel would copy all of it, and again after
   * every partial write.
   */
  @SuppressWarnings("ByteBufferBackingArray") // parts of a body are over arrays, from their start
  private void writeLarge(ByteBuffer part) throws IOException {
    OutputStream to = out;
    if (to == null) {
      throw new IllegalStateException("not connected");
    }
    to.write(part.array(), part.position(), part.remaining());
    part.position(part.limit());
  }

  private void gather(ByteBuffer[] parts, int from, int to) throws IOException {
    SocketChannel open = channel;
    int first = from;
    while (first < to) {
      if (open == null) {
        throw new IllegalStateException("not connected");
      }
      if (to - first == 1) {
        open.write(parts[first]);
      } else {
        open.write(parts, first, to - first);
      }
      while (first < to && !parts[first].hasRemaining()) {
        first++;
      }
    }
  }

  /** Closes the connection in any state. Does not block: an orderly close would have to write. */
  void abort() {
    aborted = true;
    SocketChannel open = channel;
    if (open != null) {
      try {
        open.socket().setSoLinger(true, 0);
      } catch (IOException | RuntimeException closedAlready) {
        // the connection was never established
      }
      try {
        open.close();
      } catch (IOException closed) {
        // the connection is given up anyway
      }
    }
  }
}
