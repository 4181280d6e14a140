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
 * A connection that knows whether its upstream has said more than it was asked. Responses of
 * HTTP/1.1 carry no name of the request they answer, so whatever stands on a connection before a
 * request was sent would be taken for its answer.
 *
 * <p>A used connection is looked at when it is put back, before the first byte of the next request
 * leaves, and before its last byte does. Looking never waits: it asks the bytes that were read
 * ahead, the decrypted ones of TLS, and the socket underneath, where a part of a TLS record counts,
 * and the end of the stream too. What is found decides:
 *
 * <ul>
 *   <li>nothing of the request has left: the connection is closed and {@link Unsent} is thrown, for
 *       the request can go over another one;
 *   <li>a part has left: the connection is closed and the exchange fails with a {@link
 *       ProtocolException}. It may have been an early refusal of this request, but nobody can tell.
 * </ul>
 *
 * <p>What no client of HTTP/1.1 can find: a complete response that was under way when the last byte
 * of the request left. On its first use a connection has nobody else's response to give, and early
 * answers pass.
 *
 * <p>Threads: whoever leased it; {@link #abort()} any; {@link #endSilence} one other.
 */
final class PooledConnection {
  private static final int BUFFER = 8 << 10;
  private static final int LARGE = 64 << 10; // does not wait in a socket's buffer

  private final ConnectionPool.RoutePool route;
  private final InputBuffer buffer = new InputBuffer(this::readSocket, BUFFER);
  private final RequestOutput output = new RequestOutput(this::write);
  private final ResponseHeads heads = new ResponseHeads();
  private final Reads reads = new Reads();
  private final ByteBuffer unexpected = ByteBuffer.allocate(1);
  private int requests;
  private boolean begun; // something of the present request has left
  private boolean heard; // something of the present response has come
  private boolean lasting;
  private @Nullable ConnectionBody connectionBody; // of the present response
  private @Nullable InputStream in;
  private @Nullable OutputStream out;
  private @Nullable Socket socket;
  private @Nullable SSLSocket secured;
  private int readTimeout;
  private Deadline expiry = Deadline.MAX_VALUE;
  private volatile @Nullable SocketChannel channel;
  private volatile long silence = Long.MAX_VALUE;
  private volatile boolean aborted;

  /** Nothing of the request has left, so that it can be sent over another connection. */
  static final class Unsent extends IOException {
    private static final long serialVersionUID = 1L;

    Unsent() {
      super("the upstream closed the connection, or spoke without being asked");
    }
  }

  PooledConnection(ConnectionPool.RoutePool route) {
    this.route = route;
  }

  /** Where it waits to be used again. */
  ConnectionPool.RoutePool route() {
    return route;
  }

  boolean isConnected() {
    return in != null;
  }

  /**
   * Connects to the first address of the server that lets it, each within the time, which the
   * request's cancellation may end sooner. Looks the host's name up once; the sockets are given the
   * addresses that were found.
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

  /** Whether the certificate is of this host is for the context's trust manager to say. */
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
   * Bounds each read from now on by what {@link #endSilence} finds.
   *
   * @param most a reader waits; the socket has no timeout of its own then, and no read a timer
   */
  void watched(Duration most) throws IOException {
    silence = most.toNanos();
    socketTimeout(0);
  }

  /** Bounds each read from now on by a timeout of the socket's. */
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

  /** Zero would mean for ever. */
  private static int millis(Duration time) {
    return Math.clamp(time.toMillis(), 1, Integer.MAX_VALUE);
  }

  /** Sends a request; nothing may be left of the response before. */
  void send(UpstreamAddress upstreamAddress, Transport.Request request) throws IOException {
    requests++;
    begun = false;
    heard = false;
    connectionBody = null;
    output.request(upstreamAddress, request);
  }

  /** Waits for the head of the response. */
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
   * Whether a connection that was used before ended without a byte of the present response: its
   * upstream may have closed it before the request came.
   */
  boolean isClosedUnanswered() {
    return requests > 1 && !heard;
  }

  /** The body of the response whose head came last. */
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
   * Whether the upstream has kept its reader waiting for so long: then it is not waited for any
   * more. For one thread, which asks again and again.
   *
   * @param now in nanoseconds
   */
  void endSilence(long now) {
    if (reads.endSilence(now, silence)) {
      abort();
    }
  }

  /**
   * Watches reads without a clock, or a timer, of theirs: a number that is odd while a read waits,
   * and another for each.
   */
  private static final class Reads {
    private static final int SILENT = Integer.MIN_VALUE; // even, and far from being counted to

    private final AtomicInteger count = new AtomicInteger();
    private int seen; // the watcher's own
    private long since; // the watcher's own

    int begin() {
      int read = count.get() + 1 & Integer.MAX_VALUE;
      count.lazySet(read); // who watches need not see it at once
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

  /** True when this can serve another request: all of the response was read, and nothing more. */
  boolean isReusable() {
    return lasting && connectionBody != null && connectionBody.isEnded() && isQuiet();
  }

  /** True when the connection is open and its upstream has said nothing that was not read. */
  boolean isQuiet() {
    SocketChannel open = channel;
    if (open == null || buffer.length() > 0) {
      return false;
    }
    try {
      return (secured == null || secured.getInputStream().available() == 0) && isQuiet(open);
    } catch (IOException | RuntimeException broken) {
      return false; // what cannot be looked at is not used again either
    }
  }

  /** Reads at most one byte, without waiting. It is lost, and so is the connection then. */
  private boolean isQuiet(SocketChannel open) throws IOException {
    open.configureBlocking(false);
    try {
      unexpected.clear();
      return open.read(unexpected) == 0;
    } finally {
      open.configureBlocking(true);
    }
  }

  /** Waits so long to be used again. */
  void rest(TimeValue most) {
    expiry = Deadline.calculate(most);
  }

  boolean isExpired() {
    return expiry.isExpired();
  }

  /**
   * What is sent, which is looked at before: where it is much, all but its last byte is sent first,
   * so that there is a moment before the last byte of a request at which the upstream may have seen
   * nearly all of it.
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
    int together = 0; // small parts from there on leave in one go
    for (int i = 0; i < count; i++) {
      if (secured != null || parts[i].remaining() > LARGE) {
        gather(parts, together, i);
        together = i + 1;
        whole(parts[i]);
      }
    }
    gather(parts, together, count);
  }

  /** What is large the stream takes in pieces; channels copy all of it, and again for each try. */
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

  /**
   * Closes the connection, whatever is under way on it. Does not wait: closing in good order would
   * write.
   */
  void abort() {
    aborted = true;
    SocketChannel open = channel;
    if (open != null) {
      try {
        open.socket().setSoLinger(true, 0);
      } catch (IOException | RuntimeException closedAlready) {
        // or never connected
      }
      try {
        open.close();
      } catch (IOException closed) {
        // nothing can be done about it
      }
    }
  }
}
