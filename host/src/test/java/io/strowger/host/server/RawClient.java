package io.strowger.host.server;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** An HTTP client that sends exactly the bytes that the test gives it. */
final class RawClient implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;

  RawClient(int port) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  RawClient(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(20_000);
    in = new BufferedInputStream(socket.getInputStream());
  }

  /** A complete response. */
  record Response(int status, Map<String, String> headers, String body) {
    String header(String name) {
      return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }
  }

  RawClient send(String text) throws IOException {
    return send(text.getBytes(StandardCharsets.UTF_8));
  }

  RawClient send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  RawClient get(String path) throws IOException {
    return send("GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n");
  }

  RawClient post(String path, String body) throws IOException {
    return send(request("POST", path, body));
  }

  static String request(String method, String path, String body) {
    return "%s %s HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n%s"
        .formatted(method, path, body.getBytes(StandardCharsets.UTF_8).length, body);
  }

  /** Reads the head of a response, but not its body. */
  Response head() throws IOException {
    int status = Integer.parseInt(line().split(" ", 3)[1]);
    var headers = new TreeMap<String, String>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return new Response(status, headers, "");
  }

  Response response() throws IOException {
    Response head = head();
    var body = new StringBuilder();
    if (head.header("transfer-encoding").equals("chunked")) {
      for (String chunk = chunk(); !chunk.isEmpty(); chunk = chunk()) {
        body.append(chunk);
      }
    } else if (!head.header("content-length").isEmpty()) {
      body.append(text(Integer.parseInt(head.header("content-length"))));
    }
    return new Response(head.status(), head.headers(), body.toString());
  }

  /** Reads everything until the server closes the connection. */
  String rest() throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
  }

  /** Reads one chunk of a chunked body; empty for the last. */
  String chunk() throws IOException {
    String text = text(Integer.parseInt(line(), 16));
    line();
    return text;
  }

  /** Returns whether the server neither sends anything nor closes for this time. */
  boolean silentFor(Duration time) throws IOException {
    int before = socket.getSoTimeout();
    socket.setSoTimeout((int) time.toMillis());
    try {
      in.mark(1);
      in.read();
      in.reset();
      return false;
    } catch (SocketTimeoutException silent) {
      return true;
    } finally {
      socket.setSoTimeout(before);
    }
  }

  /** Returns whether the server has closed its side and nothing is left to read. */
  boolean atEnd() throws IOException {
    return in.read() < 0;
  }

  /** Closes the sending side; the client can still read. */
  void halfClose() throws IOException {
    socket.shutdownOutput();
  }

  /** Closes the connection with a reset. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /** Reads this many bytes of a body. */
  String text(int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException("the body ended after " + bytes.length + " of " + count + " bytes");
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private String line() throws IOException {
    var line = new ByteArrayOutputStream();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the connection ended in a line: " + line);
      }
      if (c != '\r') {
        line.write(c);
      }
    }
    return line.toString(StandardCharsets.UTF_8);
  }
}
