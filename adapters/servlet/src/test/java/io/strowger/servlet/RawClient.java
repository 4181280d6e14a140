package io.strowger.servlet;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** An HTTP client that sends exactly the bytes that the test gives it. */
final class RawClient implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;
  private boolean withinChunks;

  RawClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(20_000);
    in = new BufferedInputStream(socket.getInputStream());
  }

  /** A complete response; header names are in lower case. */
  record Response(int status, Map<String, String> headers, String body) {}

  RawClient send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
    return this;
  }

  /** Sends a request with the key of the tests. */
  RawClient send(String method, String path, String body) throws IOException {
    return send(
        "%s %s HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(
                method,
                path,
                ServedGateway.KEY,
                body.getBytes(StandardCharsets.UTF_8).length,
                body));
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

  /** Reads a response to any request but HEAD. */
  Response response() throws IOException {
    Response head = head();
    var body = new StringBuilder();
    String length = head.headers().get("content-length");
    if (length != null) {
      body.append(text(Integer.parseInt(length)));
    } else if ("chunked".equals(head.headers().get("transfer-encoding"))) {
      for (String chunk = chunk(); !chunk.isEmpty(); chunk = chunk()) {
        body.append(chunk);
      }
    }
    return new Response(head.status(), head.headers(), body.toString());
  }

  /** Reads one chunk of a chunked body; empty for the last. */
  String chunk() throws IOException {
    if (withinChunks) {
      line(); // not read with the chunk before: Jetty sends it with this one
    }
    String text = text(Integer.parseInt(line(), 16));
    withinChunks = !text.isEmpty();
    if (!withinChunks) {
      line();
    }
    return text;
  }

  /** Reads everything until the server closes, or resets, the connection. */
  String rest() {
    var bytes = new ByteArrayOutputStream();
    try {
      in.transferTo(bytes);
    } catch (IOException reset) {
      // counts as the end
    }
    return bytes.toString(StandardCharsets.UTF_8);
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

  private String text(int count) throws IOException {
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
