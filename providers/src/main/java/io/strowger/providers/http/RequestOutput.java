package io.strowger.providers.http;

import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.provider.Transport;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Assembles a request from its pieces: small ones are copied into a buffer after the head, large
 * ones are sent without a copy, and all are sent together where possible.
 */
final class RequestOutput extends OutputStream {
  private static final int CAPACITY = 8 << 10;
  private static final int MAX_PARTS = 16;

  /** The size up to which pieces are copied, which is cheaper than sending them separately. */
  private static final int MAX_COPIED_BYTES = 1 << 10;

  /** Headers that only this transport writes, case-insensitive: duplicates would be ambiguous. */
  private static final Set<String> RESERVED_HEADERS = reservedHeaders();

  private final Sink sink;
  private final byte[] buffer = new byte[CAPACITY];
  private final ByteBuffer[] parts = new ByteBuffer[MAX_PARTS];
  private int count;
  private int partStart; // start of the buffered bytes that belong to no part yet
  private int bufferEnd; // end of the bytes in the buffer
  private long bodyBytes; // bytes of the body

  /** Receives the pieces of a request. */
  @FunctionalInterface
  interface Sink {
    /**
     * Sends pieces in order.
     *
     * @param parts array-backed buffers, the first {@code count} of them to be sent completely
     */
    void send(ByteBuffer[] parts, int count) throws IOException;
  }

  private static Set<String> reservedHeaders() {
    var names = new TreeSet<String>(String.CASE_INSENSITIVE_ORDER);
    names.addAll(
        List.of("Host", "Connection", "Content-Type", "Content-Length", "Transfer-Encoding"));
    return Collections.unmodifiableSet(names);
  }

  RequestOutput(Sink sink) {
    this.sink = sink;
  }

  /** Sends a request. */
  void sendRequest(UpstreamAddress upstreamAddress, Transport.Request request) throws IOException {
    clear();
    bodyBytes = 0;
    copy(upstreamAddress.headStart(), 0, upstreamAddress.headStart().length);
    if (request.body() != null) {
      put("Content-Type: ");
      put(request.contentType());
      endLine();
    }
    for (Map.Entry<String, String> header : request.headers().entrySet()) {
      if (RESERVED_HEADERS.contains(header.getKey())) {
        continue;
      }
      put(header.getKey());
      put((byte) ':');
      put((byte) ' ');
      put(header.getValue());
      endLine();
    }
    writeBody(request);
    flush();
  }

  private void writeBody(Transport.Request request) throws IOException {
    JsonOutput body = request.body();
    int size = body == null ? 0 : body.length();
    if (request.method() != Transport.Method.GET) {
      put("Content-Length: ");
      put(Integer.toString(size));
      endLine();
    }
    endLine();
    if (body != null) {
      body.writeTo(this);
    }
    if (bodyBytes != size) {
      throw new IOException(
          "the body has " + bodyBytes + " bytes, but its announced length was " + size);
    }
  }

  private void clear() {
    Arrays.fill(parts, 0, count, null);
    count = 0;
    partStart = 0;
    bufferEnd = 0;
  }

  private void endLine() throws IOException {
    put((byte) '\r');
    put((byte) '\n');
  }

  /**
   * Writes a text in Latin-1. Control characters below U+0020 other than a tab become spaces; other
   * control characters and characters outside Latin-1 become {@code ?}.
   */
  private void put(String text) throws IOException {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean isAllowed = c >= ' ' && c < 0x7F || c > 0x9F && c <= 0xFF || c == '\t';
      put((byte) (isAllowed ? c : c < ' ' ? ' ' : '?'));
    }
  }

  private void put(byte b) throws IOException {
    if (bufferEnd == buffer.length) {
      flush();
    }
    buffer[bufferEnd++] = b;
  }

  private void copy(byte[] bytes, int from, int size) throws IOException {
    int copied = 0;
    while (copied < size) {
      if (bufferEnd == buffer.length) {
        flush();
      }
      int copySize = Math.min(size - copied, buffer.length - bufferEnd);
      System.arraycopy(bytes, from + copied, buffer, bufferEnd, copySize);
      bufferEnd += copySize;
      copied += copySize;
    }
  }

  @Override
  public void write(int b) throws IOException {
    bodyBytes++;
    put((byte) b);
  }

  /** Writes bytes of the body. */
  @Override
  public void write(byte[] bytes, int from, int size) throws IOException {
    bodyBytes += size;
    if (size <= MAX_COPIED_BYTES || size <= buffer.length - bufferEnd) {
      copy(bytes, from, size);
      return;
    }
    endPart();
    addPart(bytes, from, size);
  }

  /** Makes a part of the bytes copied since the last part. */
  private void endPart() throws IOException {
    if (bufferEnd > partStart) {
      int from = partStart;
      partStart = bufferEnd;
      addPart(buffer, from, bufferEnd - from);
    }
  }

  private void addPart(byte[] bytes, int from, int size) throws IOException {
    parts[count++] = ByteBuffer.wrap(bytes, from, size);
    if (count == MAX_PARTS) {
      send();
    }
  }

  private void send() throws IOException {
    sink.send(parts, count);
    clear();
  }

  @Override
  public void flush() throws IOException {
    endPart();
    if (count > 0) {
      send();
    }
  }
}
