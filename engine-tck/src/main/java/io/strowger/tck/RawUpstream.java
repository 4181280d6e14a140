package io.strowger.tck;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Collection;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * An upstream on loopback, over TCP or TLS, that sends exactly the bytes a test writes. Use it to
 * test faults that a real HTTP server cannot be made to produce.
 *
 * <p>All methods may be called from any thread.
 */
public final class RawUpstream implements AutoCloseable {
  private static final String PASSWORD = "loopback";
  private static final SSLContext TLS_CONTEXT = createTlsContext();
  private static final int RECEIVE_BUFFER = 64 << 10; // a client that writes more than this blocks
  private static final byte[] HEAD_END = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int APPLICATION_DATA = 23; // the TLS content type of application data

  private final TestAmbient ambient;
  private final boolean tls;
  private final Handler handler;
  private final ServerSocket server;
  private final AtomicInteger accepted = new AtomicInteger();
  private final Collection<Connection> open = new ConcurrentLinkedQueue<>();

  /** Serves a connection, which is closed afterwards. Runs on a new thread for each connection. */
  @FunctionalInterface
  public interface Handler {
    /**
     * @throws IOException when the client hangs up; this does not fail a test
     */
    void serve(Connection connection) throws IOException, InterruptedException;
  }

  @SuppressWarnings("AddressSelection") // a literal address, so nothing is resolved
  private RawUpstream(TestAmbient ambient, boolean tls, Handler handler) throws IOException {
    this.ambient = ambient;
    this.tls = tls;
    this.handler = handler;
    this.server = new ServerSocket();
    server.setReceiveBufferSize(RECEIVE_BUFFER);
    server.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
  }

  /**
   * Starts an upstream on a free port.
   *
   * @param ambient starts the upstream's threads
   * @param tls whether to use TLS, with the certificate that {@link #loopbackTlsContext()} trusts
   */
  public static RawUpstream start(TestAmbient ambient, boolean tls, Handler handler) {
    try {
      var upstream = new RawUpstream(ambient, tls, handler);
      ambient.start("raw upstream", upstream::accept);
      return upstream;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns a TLS context that has, and trusts, one certificate for {@code localhost} and
   * 127.0.0.1.
   */
  public static SSLContext loopbackTlsContext() {
    return TLS_CONTEXT;
  }

  private static SSLContext createTlsContext() {
    try (InputStream file = RawUpstream.class.getResourceAsStream("loopback.p12")) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(Objects.requireNonNull(file), PASSWORD.toCharArray());
      var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, PASSWORD.toCharArray());
      // a key entry is not trusted, so the certificate is also added as a trusted entry
      store.setCertificateEntry("trusted", store.getCertificate("loopback"));
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("the certificate of the test kit cannot be read", e);
    }
  }

  /** Returns the address it listens on, such as {@code https://127.0.0.1:40123}. */
  public URI baseUri() {
    return URI.create((tls ? "https" : "http") + "://127.0.0.1:" + server.getLocalPort());
  }

  /** Returns how many connections clients have made so far. */
  public int connections() {
    return accepted.get();
  }

  /** Returns how many connections neither side has closed. */
  public int openConnections() {
    return open.size();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = server.accept();
        int number = accepted.incrementAndGet();
        ambient.start("raw connection " + number, () -> serve(socket, number));
      }
    } catch (SocketException closed) {
      // the upstream was closed
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void serve(Socket socket, int number) {
    var connection = new Connection(socket, number);
    open.add(connection);
    try (connection) {
      connection.secure();
      handler.serve(connection);
    } catch (IOException gone) {
      // the client has hung up
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(connection);
      connection.ended.countDown();
    }
  }

  /**
   * One connection of a client. Confined to the thread that serves it, unless a method says
   * otherwise.
   */
  public final class Connection implements AutoCloseable {
    private final Socket tcpSocket;
    private final int number;
    private final CountDownLatch ended = new CountDownLatch(1);
    private Socket socket;

    private Connection(Socket tcpSocket, int number) {
      this.tcpSocket = tcpSocket;
      this.number = number;
      this.socket = tcpSocket;
    }

    private void secure() throws IOException {
      tcpSocket.setTcpNoDelay(true);
      if (tls) {
        var tlsSocket =
            (SSLSocket)
                TLS_CONTEXT
                    .getSocketFactory()
                    .createSocket(tcpSocket, null, server.getLocalPort(), true);
        tlsSocket.setUseClientMode(false);
        tlsSocket.startHandshake();
        socket = tlsSocket;
      }
    }

    /** Returns the number of this connection, from 1. */
    public int number() {
      return number;
    }

    /** Waits for the head of a request and returns it. */
    public String readHead() throws IOException {
      var head = new ByteArrayOutputStream();
      int matched = 0;
      while (matched < HEAD_END.length) {
        int b = socket.getInputStream().read();
        if (b < 0) {
          throw new IOException("hung up");
        }
        head.write(b);
        matched = b == HEAD_END[matched] ? matched + 1 : b == HEAD_END[0] ? 1 : 0;
      }
      return head.toString(StandardCharsets.ISO_8859_1);
    }

    /** Waits for a request and returns its body; empty when it has no {@code Content-Length}. */
    public String readRequest() throws IOException {
      return readBody(readHead());
    }

    /** Reads the body that follows a head; empty when the head has no {@code Content-Length}. */
    public String readBody(String head) throws IOException {
      String name = "content-length:";
      int at = head.toLowerCase(Locale.ROOT).indexOf(name);
      if (at < 0) {
        return "";
      }
      int end = head.indexOf('\r', at);
      int length = Integer.parseInt(head.substring(at + name.length(), end).strip());
      byte[] body = socket.getInputStream().readNBytes(length);
      if (body.length < length) {
        throw new IOException("hung up");
      }
      return new String(body, StandardCharsets.UTF_8);
    }

    /** Writes a text as UTF-8. Safe on any thread, but only one thread at a time. */
    public void write(String bytes) throws IOException {
      write(bytes.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes these bytes. Safe on any thread, but only one thread at a time. */
    public void write(byte[] bytes) throws IOException {
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
    }

    /**
     * Writes the first bytes of a TLS record or, without TLS, of a response, and never the rest.
     * Safe on any thread, but only one thread at a time.
     */
    public void writePartial() throws IOException {
      tcpSocket
          .getOutputStream()
          .write(
              tls
                  ? new byte[] {APPLICATION_DATA, 3, 3, 0, 64, 1, 2, 3}
                  : "HT".getBytes(StandardCharsets.US_ASCII));
      tcpSocket.getOutputStream().flush();
    }

    /** Ends the output of this side and waits until the client hangs up. Without TLS only. */
    public void end() throws IOException {
      tcpSocket.shutdownOutput();
      tcpSocket.getInputStream().transferTo(OutputStream.nullOutputStream());
    }

    /** Discards what the client still sends, and waits until it hangs up. */
    public void awaitHangUp() throws IOException {
      socket.getInputStream().transferTo(OutputStream.nullOutputStream());
      throw new IOException("hung up");
    }

    /**
     * Waits until the connection is no longer served: its handler returned, or noticed that the
     * client had hung up. Call on another thread than the handler's.
     *
     * @return false when the time ran out first
     */
    public boolean awaitEnd(Duration timeout) throws InterruptedException {
      return ended.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Closes the connection. May be called on any thread, any number of times. */
    @Override
    public void close() throws IOException {
      tcpSocket.close();
    }
  }

  /** Stops listening and closes all connections. */
  @Override
  public void close() {
    try {
      server.close();
      for (Connection connection : open) {
        connection.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
