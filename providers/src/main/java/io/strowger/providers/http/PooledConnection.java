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
 *   <li>nothing of the request was sent: the connection is closed and {@link Unsent} is thrown, so
 *       that the request can use another connection;
 *   <li>a part was sent: the connection is closed and the exchange fails with a {@link
 *       ProtocolException}. It may be an early refusal of this request, but that is not certain.
 * </ul>
 *
 * <p>No HTTP/1.1 client can detect a complete response that was in transit when the last byte of
 * the request was sent. A new connection has no earlier request to answer, so early responses are
 * accepted there.
 *
 * <p>Threads: the lessee's; {@link #abort()} from any thread, {@link #endSilence} from one other.
 */
final class PooledConnection {
  private static final int BUFFER = 8 << 10;
  private static final int LARGE = 64 << 10; // too large for a socket's buffer

  private final ConnectionPool.RoutePool route;
  private final InputBuffer buffer = new InputBuffer(this::readSocket, BUFFER);
  private final RequestOutput output = new RequestOutput(this::write);
  private final ResponseHeads heads = new ResponseHeads();
  private final Reads reads = new Reads();
  private final ByteBuffer unexpected = ByteBuffer.allocate(1);
  private int requests;
  private boolean begun; // a part of the current request was sent
  private boolean heard; // a part of the current response arrived
  private boolean lasting;
  private @Nullable ConnectionBody connectionBody; // of the current response
  private @Nullable InputStream in;
  private @Nullable OutputStream out;
  private @Nullable Socket socket;
  private @Nullable SSLSocket secured;
  private int readTimeout;
  private Deadline expiry = Deadline.MAX_VALUE;
  private volatile @Nullable SocketChannel channel;
  private volatile long silence = Long.MAX_VALUE;
  private volatile boolean aborted;

  /** Thrown when nothing of the request was sent, so that another connection can be used. */
  static final class Unsent extends IOException {
    private static final long serialVersionUID = 1L;

    Unsent() {
      super("the upstream closed the connection, or spoke without being asked");
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
   * request aborts it. Resolves the host name once; the sockets connect to the addresses that were
   * found.
   */
  void connect(UpstreamAddress.Server server, Duration timeout, ConnectionOptions dialing)
      throws IOException {
    int millis = millis(timeout);
    List<InetAddress> all = dialing.addresses().of(server.host(), server.port(), timeout);
    for (int i = 0; socket == null; i++) {
      try {
        socket = connected(new InetSocketAddress(all.get(i), server.port()), millis);
      } catch (IOException refused) {
        if (aborted || i == all.size() - 1) {
          throw refused;
        }
      }
    }
    if (server.secured()) {
      secured = secured(socket, server, millis, dialing.tls());
      use(secured, secured.getInputStream(), secured.getOutputStream());
    } else {
      use(socket, socket.getInputStream(), socket.getOutputStream());
    }
  }

  private void use(Socket spoken, InputStream from, OutputStream to) throws IOException {
    spoken.setSoTimeout(0);
    in = from;
    out = to;
  }

  private Socket connected(InetSocketAddress address, int millis) throws IOException {
    SocketChannel opened = SocketChannel.open();
    channel = opened;
    try {
      if (aborted) {
        throw new InterruptedIOException("the connection was closed while it was made");
      }
      opened.socket().setTcpNoDelay(true);
      opened.socket().connect(address, millis);
      return opened.socket();
    } catch (IOException | RuntimeException refused) {
      opened.close();
      throw refused;
    }
  }

  /** Starts TLS; the context's trust manager checks that the certificate matches the host. */
  private static SSLSocket secured(
      Socket plain, UpstreamAddress.Server server, int millis, TlsContext tls) throws IOException {
    var socket =
        (SSLSocket)
            tls.get().getSocketFactory().createSocket(plain, server.host(), server.port(), true);
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
   * @param most how long a read may wait
   */
  void watched(Duration most) throws IOException {
    silence = most.toNanos();
    socketTimeout(0);
  }

  /** Bounds later reads by a socket timeout. */
  void timed(Duration most) throws IOException {
    silence = Long.MAX_VALUE;
    socketTimeout(millis(most));
  }

  private void socketTimeout(int millis) throws IOException {
    if (millis != readTimeout) {
      Socket spoken = secured != null ? secured : socket;
      if (spoken != null) {
        spoken.setSoTimeout(millis);
      }
      readTimeout = millis;
    }
  }

  /** Returns at least 1 ms, since 0 would mean no timeout. */
  private static int millis(Duration time) {
    return Math.clamp(time.toMillis(), 1, Integer.MAX_VALUE);
  }

  /** Sends a request; the previous response must have been read completely. */
  void send(UpstreamAddress upstreamAddress, Transport.Request request) throws IOException {
    requests++;
    begun = false;
    heard = false;
    connectionBody = null;
    output.request(upstreamAddress, request);
  }

  /** Waits for the response head. */
  ResponseHeads.Head receive() throws IOException, HttpException {
    ResponseHeads.Head head = heads.next(buffer);
    lasting = head.lasting();
    connectionBody =
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
    return requests > 1 && !heard;
  }

  /** Returns the body of the latest response. */
  ConnectionBody body() {
    if (connectionBody == null) {
      throw new IllegalStateException("no head has come");
    }
    return connectionBody;
  }

  private int readSocket(byte[] into, int offset, int length) throws IOException {
    InputStream from = in;
    if (from == null) {
      throw new IllegalStateException("not connected");
    }
    int read = reads.begin();
    try {
      int count = from.read(into, offset, length);
      heard |= count > 0;
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
    if (reads.endSilence(now, silence)) {
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
    private int seen; // the watcher's own
    private long since; // the watcher's own

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

    boolean endSilence(long now, long most) {
      int current = count.get();
      if (current != seen) {
        seen = current;
        since = now;
        return false;
      }
      return (current & 1) == 1 && now - since >= most && count.compareAndSet(current, SILENT);
    }
  }

  /** Returns whether this can serve another request: the response was read, and nothing follows. */
  boolean isReusable() {
    return lasting && connectionBody != null && connectionBody.isEnded() && isQuiet();
  }

  /** Returns whether the connection is open and no unread bytes have arrived. */
  boolean isQuiet() {
    SocketChannel open = channel;
    if (open == null || buffer.length() > 0) {
      return false;
    }
    try {
      return (secured == null || secured.getInputStream().available() == 0) && isQuiet(open);
    } catch (IOException | RuntimeException broken) {
      return false; // a connection that cannot be checked is not reused
    }
  }

  /** Reads at most one byte, without blocking; a byte read makes the connection unusable. */
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
  void rest(TimeValue most) {
    expiry = Deadline.calculate(most);
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
    if (requests > 1 && total > LARGE) {
      last.limit(last.limit() - 1);
      guarded(parts, count);
      last.limit(last.limit() + 1);
      parts[0] = last;
      guarded(parts, 1);
    } else {
      guarded(parts, count);
    }
  }

  private void guarded(ByteBuffer[] parts, int count) throws IOException {
    if (requests > 1 && !isQuiet()) {
      throw begun ? new ProtocolException("an answer before it was asked") : new Unsent();
    }
    begun = true;
    int together = 0; // small parts from here on are sent together
    for (int i = 0; i < count; i++) {
      if (secured != null || parts[i].remaining() > LARGE) {
        gather(parts, together, i);
        together = i + 1;
        whole(parts[i]);
      }
    }
    gather(parts, together, count);
  }

  /**
   * Sends a large part through the stream, since a channel would copy all of it, and again after
   * every partial write.
   */
  @SuppressWarnings("ByteBufferBackingArray") // parts of a body are over arrays, from their start
  private void whole(ByteBuffer part) throws IOException {
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
