package io.strowger.providers.http;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLSocket;
import org.apache.hc.client5.http.io.ManagedHttpClientConnection;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentLengthStrategy;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.impl.io.SocketHolder;
import org.apache.hc.core5.http.io.SessionInputBuffer;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * A connection that knows whether its upstream has said more than it was asked. Responses of
 * HTTP/1.1 carry no name of the request they answer, so whatever stands on a connection before a
 * request was sent would be taken for its answer.
 *
 * <p>A used connection is looked at when it is put back, when it is taken again, before the first
 * byte of the next request leaves, and before its last byte does. Looking never waits: it asks the
 * bytes that were read ahead, the decrypted ones of TLS, and the socket underneath, where a part of
 * a TLS record counts, and the end of the stream too. What is found decides:
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
 * <p>Threads: whoever leased it; {@link #close(CloseMode)} from any.
 */
final class PooledConnection extends DefaultBHttpClientConnection
    implements ManagedHttpClientConnection {
  private final ResponseHeads heads;
  private final ByteBuffer unexpected = ByteBuffer.allocate(1);
  private Timeout socketTimeout = Timeout.INFINITE;
  private int requests;
  private boolean framed = true;
  private @Nullable ChunkedBody chunks; // of the present response, if it comes so
  private volatile boolean closed;

  /** Nothing of the request has left, so that it can be sent over another connection. */
  static final class Unsent extends IOException {
    private static final long serialVersionUID = 1L;

    Unsent() {
      super("the upstream closed the connection, or spoke without being asked");
    }
  }

  private PooledConnection(Http1Config config, ResponseHeads heads) {
    super(config, null, null, null, null, null, null, ignored -> heads);
    this.heads = heads;
  }

  /**
   * @param mostHeadBytes of one response
   */
  static PooledConnection create(Http1Config config, int mostHeadBytes) {
    return new PooledConnection(config, new ResponseHeads(config, mostHeadBytes));
  }

  @Override
  public void bind(Socket socket) throws IOException {
    bind(new Guarded(socket));
  }

  @Override
  public void bind(SSLSocket secured, Socket socket) throws IOException {
    bind(new Guarded(secured, socket));
  }

  @Override
  protected void bind(SocketHolder holder) throws IOException {
    if (closed) {
      holder.getBaseSocket().close();
      throw new InterruptedIOException("the connection was closed while it was made");
    }
    super.bind(holder);
    socketTimeout = Timeout.ofMilliseconds(holder.getSocket().getSoTimeout());
  }

  @Override
  public @Nullable Socket getSocket() {
    SocketHolder holder = getSocketHolder();
    return holder == null ? null : holder.getSocket();
  }

  @Override
  public void setSocketTimeout(Timeout timeout) {
    super.setSocketTimeout(timeout);
    socketTimeout = timeout;
  }

  @Override
  public void passivate() {
    super.setSocketTimeout(Timeout.ZERO_MILLISECONDS);
  }

  @Override
  public void activate() {
    super.setSocketTimeout(socketTimeout);
  }

  /** Asked when the connection is taken from the pool. */
  @Override
  public boolean isStale() {
    return !isQuiet();
  }

  /** Asked when the connection is put back: it is closed the moment it has more to say. */
  @Override
  public boolean isConsistent() {
    boolean read = chunks == null || chunks.isEnded();
    if (super.isConsistent() && framed && read && isQuiet()) {
      return true;
    }
    close(CloseMode.IMMEDIATE);
    return false;
  }

  /** True when the connection is open and its upstream has said nothing that was not read. */
  boolean isQuiet() {
    SocketHolder holder = getSocketHolder();
    if (holder == null || heads.hasBuffered()) {
      return false;
    }
    try {
      SSLSocket secured = holder.getSSLSocket();
      if (secured != null && secured.getInputStream().available() > 0) {
        return false;
      }
      return isQuiet(holder.getBaseSocket().getChannel());
    } catch (IOException broken) {
      return false;
    }
  }

  /** Reads at most one byte, without waiting. It is lost, and so is the connection then. */
  private boolean isQuiet(SocketChannel channel) throws IOException {
    channel.configureBlocking(false);
    try {
      unexpected.clear();
      return channel.read(unexpected) == 0;
    } finally {
      channel.configureBlocking(true);
    }
  }

  @Override
  public void sendRequestHeader(ClassicHttpRequest request) throws HttpException, IOException {
    requests++;
    chunks = null;
    heads.begin();
    if (getSocketHolder() instanceof Guarded guarded) {
      guarded.begin();
    }
    super.sendRequestHeader(request);
  }

  @Override
  public ClassicHttpResponse receiveResponseHeader() throws HttpException, IOException {
    ClassicHttpResponse head = super.receiveResponseHeader();
    framed = ResponseHeads.isFramed(head);
    return head;
  }

  @Override
  protected InputStream createContentInputStream(
      long length, SessionInputBuffer buffer, InputStream in) {
    if (length != ContentLengthStrategy.CHUNKED) {
      return super.createContentInputStream(length, buffer, in);
    }
    chunks = new ChunkedBody(buffer, in);
    return chunks;
  }

  @Override
  public void close() {
    close(CloseMode.IMMEDIATE); // closing in good order would write, and wait
  }

  @Override
  public void close(CloseMode mode) {
    closed = true;
    super.close(mode);
  }

  /** The socket, which is looked at before something is written. */
  private final class Guarded extends SocketHolder {
    private @Nullable GuardedOutput output;

    Guarded(Socket socket) {
      super(socket);
    }

    Guarded(SSLSocket secured, Socket socket) {
      super(secured, socket);
    }

    void begin() {
      if (output != null) {
        output.begin();
      }
    }

    @Override
    protected OutputStream getOutputStream(Socket socket) throws IOException {
      output = new GuardedOutput(socket.getOutputStream());
      return output;
    }
  }

  /**
   * Writes requests. A large piece is written but for its last byte, so that there is a moment
   * before the last byte of a request at which the upstream may have seen nearly all of it.
   */
  private final class GuardedOutput extends FilterOutputStream {
    private static final int LARGE = 64 << 10; // does not wait in a socket's buffer

    private boolean begun; // something of the present request has left

    GuardedOutput(OutputStream out) {
      super(out);
    }

    void begin() {
      begun = false;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      int before = requests > 1 && length > LARGE ? length - 1 : length;
      guarded(bytes, offset, before);
      if (before < length) {
        guarded(bytes, offset + before, length - before);
      }
    }

    private void guarded(byte[] bytes, int offset, int length) throws IOException {
      if (requests > 1 && !isQuiet()) {
        boolean partly = begun;
        PooledConnection.this.close(CloseMode.IMMEDIATE);
        throw partly ? new ProtocolException("an answer before it was asked") : new Unsent();
      }
      begun = true;
      out.write(bytes, offset, length);
    }
  }
}
