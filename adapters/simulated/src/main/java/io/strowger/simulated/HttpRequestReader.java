package io.strowger.simulated;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the requests of one connection, and notices when its client is gone. */
final class HttpRequestReader {
  private static final int MAX_HEAD = 64 << 10;

  private final Socket socket;
  private final InputStream in;
  private final int connection;
  private byte[] buffer = new byte[16 << 10];
  private int position;
  private int limit;

  HttpRequestReader(Socket socket, int connection) throws IOException {
    this.socket = socket;
    this.in = socket.getInputStream();
    this.connection = connection;
  }

  /** Returns the next request; null when the client has closed the connection between requests. */
  @Nullable ReceivedRequest read() throws IOException {
    String requestLine = readLine();
    if (requestLine == null) {
      return null;
    }
    String[] words = requestLine.split(" ");
    if (words.length != 3) {
      throw new IOException("not a request line: " + requestLine);
    }
    Map<String, String> headers = readHeaders();
    return new ReceivedRequest(
        connection, words[0], words[1], Map.copyOf(headers), readBody(headers));
  }

  /** Waits until the client has gone; returns false when it sends more instead. */
  boolean awaitDisconnect() throws IOException {
    return position == limit && !fill(); // unread bytes hide a disconnect
  }

  /**
   * Waits like {@link #awaitDisconnect()}, but for at most this time, rounded down to milliseconds,
   * at least one; returns false when the time has passed.
   */
  boolean awaitDisconnect(Duration time) throws IOException {
    socket.setSoTimeout(Math.max(1, (int) time.toMillis()));
    try {
      return awaitDisconnect();
    } catch (SocketTimeoutException timeout) {
      return false;
    } finally {
      socket.setSoTimeout(0);
    }
  }

  /** Makes a later close reset the connection, so that the client sees it broken. */
  void resetWhenClosed() throws IOException {
    socket.setSoLinger(true, 0);
  }

  private Map<String, String> readHeaders() throws IOException {
    var headers = new HashMap<String, String>();
    int size = 0;
    for (String line = readLine(); line != null && !line.isEmpty(); line = readLine()) {
      int colon = line.indexOf(':');
      size += line.length();
      if (colon < 1 || size > MAX_HEAD) {
        throw new IOException("not a header line: " + line);
      }
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return headers;
  }

  private byte[] readBody(Map<String, String> headers) throws IOException {
    if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
      return readChunkedBody();
    }
    return readExactly(Integer.parseInt(headers.getOrDefault("content-length", "0")));
  }

  private byte[] readChunkedBody() throws IOException {
    var body = new ByteArrayOutputStream();
    while (true) {
      String size = readLine();
      if (size == null) {
        throw new EOFException();
      }
      int length = Integer.parseInt(size.split(";")[0].strip(), 16);
      body.writeBytes(readExactly(length));
      readLine();
      if (length == 0) {
        return body.toByteArray();
      }
    }
  }

  private byte[] readExactly(int length) throws IOException {
    byte[] bytes = new byte[length];
    int buffered = Math.min(length, limit - position);
    System.arraycopy(buffer, position, bytes, 0, buffered);
    position += buffered;
    if (in.readNBytes(bytes, buffered, length - buffered) < length - buffered) {
      throw new EOFException();
    }
    return bytes;
  }

  private @Nullable String readLine() throws IOException {
    int scanned = position;
    while (true) {
      for (; scanned < limit; scanned++) {
        if (buffer[scanned] == '\n') {
          int end = scanned > position && buffer[scanned - 1] == '\r' ? scanned - 1 : scanned;
          String line = new String(buffer, position, end - position, StandardCharsets.ISO_8859_1);
          position = scanned + 1;
          return line;
        }
      }
      int scannedLength = scanned - position;
      if (!fill()) {
        if (scannedLength > 0) {
          throw new EOFException();
        }
        return null;
      }
      scanned = position + scannedLength;
    }
  }

  /** Reads once; returns false at the end of the stream. */
  private boolean fill() throws IOException {
    if (position == limit) {
      position = 0;
      limit = 0;
    } else if (limit == buffer.length) {
      System.arraycopy(buffer, position, buffer, 0, limit - position);
      limit -= position;
      position = 0;
      if (limit == buffer.length) {
        throw new IOException("a line of more than " + limit + " bytes");
      }
    }
    int read = in.read(buffer, limit, buffer.length - limit);
    if (read > 0) {
      limit += read;
    }
    return read >= 0;
  }
}
