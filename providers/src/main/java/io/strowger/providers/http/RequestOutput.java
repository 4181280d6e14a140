package io.strowger.providers.http;

import io.strowger.spi.json.JsonOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes requests to one connection: head and body in one piece where they are small, and no copy
 * of a body that is large.
 */
final class RequestOutput extends OutputStream {
  /** What is written around a piece that is too long for the buffer. */
  private final Sink sink;

  private final byte[] buffer;
  private int length;
  private long written; // of the body

  /** Takes what a request is made of. */
  interface Sink {
    /**
     * Sends the bytes of both, in this order.
     *
     * @param second null when there is none
     */
    void send(byte[] first, int length, byte @Nullable [] second, int from, int secondLength)
        throws IOException;
  }

  RequestOutput(Sink sink, int capacity) {
    this.sink = sink;
    this.buffer = new byte[capacity];
  }

  /** Sends a request. */
  void request(Address address, Map<String, String> headers, JsonOutput body) throws IOException {
    length = 0;
    written = 0;
    put(address.beginning());
    for (Map.Entry<String, String> header : headers.entrySet()) {
      put(header.getKey());
      put((byte) ':');
      put((byte) ' ');
      put(header.getValue());
      endLine();
    }
    put("Content-Length: ");
    put(Integer.toString(body.length()));
    endLine();
    endLine();
    body.writeTo(this);
    if (written != body.length()) {
      throw new IOException("a body of " + written + " bytes that was to have " + body.length());
    }
    flush();
  }

  private void put(byte[] bytes) throws IOException {
    int from = 0;
    while (bytes.length - from > buffer.length - length) {
      int fits = buffer.length - length;
      System.arraycopy(bytes, from, buffer, length, fits);
      from += fits;
      length += fits;
      flush();
    }
    System.arraycopy(bytes, from, buffer, length, bytes.length - from);
    length += bytes.length - from;
  }

  private void endLine() throws IOException {
    put((byte) '\r');
    put((byte) '\n');
  }

  /** What would end the line becomes a space, what is not of this alphabet a question mark. */
  private void put(String text) throws IOException {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean shown = c >= ' ' && c < 0x7F || c > 0x9F && c <= 0xFF || c == '\t';
      put((byte) (shown ? c : c < ' ' ? ' ' : '?'));
    }
  }

  private void put(byte b) throws IOException {
    if (length == buffer.length) {
      flush();
    }
    buffer[length++] = b;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  /** Bytes of the body. */
  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    written += count;
    if (count <= buffer.length - length) {
      System.arraycopy(bytes, from, buffer, length, count);
      length += count;
      return;
    }
    int before = length;
    length = 0;
    sink.send(buffer, before, bytes, from, count);
  }

  @Override
  public void flush() throws IOException {
    int before = length;
    length = 0;
    if (before > 0) {
      sink.send(buffer, before, null, 0, 0);
    }
  }
}
