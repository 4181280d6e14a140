package io.strowger.benchmarks.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * A persistent connection to a server with minimal HTTP: whole requests are written at once,
 * answers are read to their end. For one thread.
 */
public final class RawConnection implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private byte[] buffer = new byte[64 * 1024];
  private int start; // of the unread bytes in the buffer
  private int end;
  private byte[] body = new byte[256 * 1024];
  private int bodyLength;

  public RawConnection(URI server) throws IOException {
    socket = new Socket(server.getHost(), server.getPort());
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(10_000);
    in = socket.getInputStream();
    out = socket.getOutputStream();
  }

  /** Returns the bytes of a POST request with a JSON body and a key. */
  public static byte[] post(URI uri, String key, byte[] body) {
    String head =
        "POST "
            + uri.getPath()
            + " HTTP/1.1\r\nHost: "
            + uri.getAuthority()
            + "\r\nAuthorization: Bearer "
            + key
            + "\r\nContent-Type: application/json\r\nAccept: */*\r\nContent-Length: "
            + body.length
            + "\r\n\r\n";
    byte[] bytes = head.getBytes(StandardCharsets.US_ASCII);
    byte[] request = Arrays.copyOf(bytes, bytes.length + body.length);
    System.arraycopy(body, 0, request, bytes.length, body.length);
    return request;
  }

  /**
   * Sends a request and reads the answer to its end.
   *
   * @return the status
   */
  public int exchange(byte[] request) throws IOException {
    out.write(request);
    String head = readHead();
    bodyLength = 0;
    String fields = head.toLowerCase(Locale.ROOT);
    int length = fields.indexOf("\r\ncontent-length:");
    if (fields.contains("\r\ntransfer-encoding: chunked")) {
      readChunks();
    } else if (length >= 0) {
      readBody(number(fields, length + 17));
    } else {
      throw new IOException("an answer without length: " + head);
    }
    return number(head, head.indexOf(" "));
  }

  /** Returns the body of the last answer as text. */
  public String text() {
    return new String(body, 0, bodyLength, StandardCharsets.UTF_8);
  }

  /** Returns the length of the last answer's body in bytes. */
  int length() {
    return bodyLength;
  }

  private String readHead() throws IOException {
    int scanned = start;
    while (true) {
      for (; scanned + 3 < end; scanned++) {
        if (buffer[scanned] == '\r' && buffer[scanned + 2] == '\r' && buffer[scanned + 3] == '\n') {
          String head =
              new String(buffer, start, scanned - start, StandardCharsets.ISO_8859_1) + "\r\n";
          start = scanned + 4;
          return head;
        }
      }
      scanned -= fill();
    }
  }

  private void readChunks() throws IOException {
    for (int size = chunkSize(); size > 0; size = chunkSize()) {
      readBody(size);
      skipLine();
    }
    skipLine();
  }

  private int chunkSize() throws IOException {
    int size = 0;
    for (int b = nextByte(); b != '\n'; b = nextByte()) {
      int digit = Character.digit(b, 16);
      size = digit < 0 ? size : size * 16 + digit;
    }
    return size;
  }

  private void skipLine() throws IOException {
    while (nextByte() != '\n') {
      // nothing but the line's end is expected
    }
  }

  private void readBody(int count) throws IOException {
    if (bodyLength + count > body.length) {
      body = Arrays.copyOf(body, Math.max(body.length * 2, bodyLength + count));
    }
    for (int remaining = count; remaining > 0; ) {
      if (start == end) {
        fill();
      }
      int available = Math.min(remaining, end - start);
      System.arraycopy(buffer, start, body, bodyLength, available);
      start += available;
      bodyLength += available;
      remaining -= available;
    }
  }

  private int nextByte() throws IOException {
    if (start == end) {
      fill();
    }
    return buffer[start++];
  }

  /** Receives more bytes; returns how far the unread bytes moved to the front. */
  private int fill() throws IOException {
    int moved = start;
    System.arraycopy(buffer, start, buffer, 0, end - start);
    end -= start;
    start = 0;
    if (end == buffer.length) {
      buffer = Arrays.copyOf(buffer, buffer.length * 2);
    }
    int read = in.read(buffer, end, buffer.length - end);
    if (read < 0) {
      throw new EOFException("the server closed the connection");
    }
    end += read;
    return moved;
  }

  private static int number(String text, int from) {
    int index = from;
    while (text.charAt(index) == ' ') {
      index++;
    }
    int number = 0;
    for (; index < text.length() && Character.isDigit(text.charAt(index)); index++) {
      number = number * 10 + Character.digit(text.charAt(index), 10);
    }
    return number;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
