package io.strowger.tck;

import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Transport;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests of adapters under test over HTTP/1.1, without TLS. Each request has a connection
 * of its own, which is closed with the response. The transport has no threads and pools no
 * connections, so that responses which an adapter leaves open are visible. Use it with loopback
 * upstreams only: it is slow and checks little.
 *
 * <p>Safe on any thread.
 */
public final class TestTransport implements Transport {
  private static final int MAX_HEAD_BYTES = 64 << 10;

  private final Set<Exchange> open = ConcurrentHashMap.newKeySet();

  @Override
  public Response send(Request request) throws IOException {
    var exchange = new Exchange(request.cancellation());
    try {
      exchange.send(request);
      return exchange;
    } catch (IOException | RuntimeException e) {
      exchange.close();
      throw e;
    }
  }

  /** Returns how many responses are open: neither closed by the adapter nor failed. */
  public int openExchanges() {
    return open.size();
  }

  @Override
  public void close() {
    open.forEach(Exchange::close);
  }

  /** One request and its response. */
  private final class Exchange implements Response {
    private final Socket socket = new Socket();
    private final Cancellation.Registration registration;
    private final Map<String, String> headers = new LinkedHashMap<>();
    private int status;
    private InputStream body = InputStream.nullInputStream();

    Exchange(Cancellation cancellation) {
      open.add(this);
      registration = cancellation.onCancel(this::closeSocket);
    }

    void send(Request request) throws IOException {
      URI uri = request.uri();
      if (!"http".equals(uri.getScheme())) {
        throw new IOException("the transport of the test kit speaks http only, not " + uri);
      }
      int port = uri.getPort() < 0 ? 80 : uri.getPort();
      socket.connect(
          new InetSocketAddress(uri.getHost(), port), (int) request.connectTimeout().toMillis());
      socket.setTcpNoDelay(true);
      socket.setSoTimeout((int) Math.min(Integer.MAX_VALUE, request.readTimeout().toMillis()));
      OutputStream out = socket.getOutputStream();
      out.write(head(request).getBytes(StandardCharsets.UTF_8));
      JsonOutput body = request.body();
      if (body != null) {
        body.writeTo(out);
      }
      out.flush();
      read(new BufferedInputStream(socket.getInputStream()));
    }

    private static String head(Request request) {
      URI uri = request.uri();
      String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
      var head = new StringBuilder(request.method().name()).append(' ').append(path);
      if (uri.getRawQuery() != null) {
        head.append('?').append(uri.getRawQuery());
      }
      head.append(" HTTP/1.1\r\nHost: ").append(uri.getRawAuthority()).append("\r\n");
      JsonOutput body = request.body();
      if (body != null) {
        head.append("Content-Type: ").append(request.contentType()).append("\r\n");
        head.append("Content-Length: ").append(body.length()).append("\r\n");
      }
      request.headers().forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
      return head.append("\r\n").toString();
    }

    private void read(InputStream in) throws IOException {
      do {
        headers.clear();
        status = status(line(in));
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
          int colon = line.indexOf(':');
          if (colon < 1) {
            throw new ProtocolException("a header without a name");
          }
          headers.putIfAbsent(
              line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
        }
      } while (status < 200);
      body = new Body(in, length());
    }

    private static int status(String line) throws IOException {
      if (!line.matches("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?")) {
        throw new ProtocolException("the upstream sent something that is not a response");
      }
      return Integer.parseInt(line.substring(9, 12));
    }

    private long length() throws IOException {
      if (status == 204 || status == 304) {
        return 0;
      }
      if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
        return Body.CHUNKED;
      }
      String length = headers.get("content-length");
      if (length == null) {
        return Body.UNTIL_CLOSE;
      }
      if (!length.matches("[0-9]{1,18}")) {
        throw new ProtocolException("a Content-Length that is not a number");
      }
      return Long.parseLong(length);
    }

    @Override
    public int status() {
      return status;
    }

    @Override
    public @Nullable String header(String name) {
      return headers.get(name.toLowerCase(Locale.ROOT));
    }

    @Override
    public InputStream body() {
      return body;
    }

    private void closeSocket() {
      try {
        socket.close();
      } catch (IOException e) {
        throw new AssertionError("a socket that cannot be closed", e);
      }
    }

    @Override
    public void close() {
      registration.close();
      open.remove(this);
      closeSocket();
    }
  }

  private static String line(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("the upstream hung up");
      }
      if (line.length() >= MAX_HEAD_BYTES) {
        throw new ProtocolException("a line without an end");
      }
      line.append((char) b);
    }
    int length = line.length();
    return length > 0 && line.charAt(length - 1) == '\r'
        ? line.substring(0, length - 1)
        : line.toString();
  }

  /** The body of a response: of a known length, in chunks, or until the connection ends. */
  private static final class Body extends InputStream {
    static final long CHUNKED = -1;
    static final long UNTIL_CLOSE = -2;

    private final InputStream in;
    private final boolean chunked;
    private long remaining; // bytes left of the body or of the current chunk
    private boolean ended;

    Body(InputStream in, long length) {
      this.in = in;
      this.chunked = length == CHUNKED;
      this.remaining = chunked ? 0 : length == UNTIL_CLOSE ? Long.MAX_VALUE : length;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (remaining == 0 && !ended) {
        ended = !chunked || !nextChunk();
      }
      if (ended) {
        return -1;
      }
      boolean measured = remaining != Long.MAX_VALUE;
      int read = in.read(buffer, offset, (int) Math.min(length, remaining));
      if (read < 0 && measured) {
        throw new EOFException("the upstream hung up in the middle of a body");
      }
      ended = read < 0;
      remaining -= read < 0 || !measured ? 0 : read;
      if (chunked && remaining == 0) {
        endOfLine();
      }
      return read;
    }

    private void endOfLine() throws IOException {
      if (!line(in).isEmpty()) {
        throw new ProtocolException("a chunk that is longer than it says");
      }
    }

    private boolean nextChunk() throws IOException {
      String size = line(in).split(";", 2)[0].strip();
      if (!size.matches("[0-9a-fA-F]{1,8}")) {
        throw new ProtocolException("the size of a chunk is not a number");
      }
      remaining = Long.parseLong(size, 16);
      if (remaining == 0) {
        while (!line(in).isEmpty()) {
          // trailers
        }
      }
      return remaining > 0;
    }

    @Override
    public int available() throws IOException {
      return ended ? 0 : (int) Math.min(remaining, in.available());
    }
  }
}
