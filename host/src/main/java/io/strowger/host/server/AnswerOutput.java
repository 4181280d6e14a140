package io.strowger.host.server;

import io.helidon.http.DateTime;
import io.helidon.http.Status;
import io.strowger.core.wire.WireResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Map;

/**
 * Writes the head and body of an answer. The head and the first part of the body leave in one
 * write, as does everything between two flushes. A body of known length up to {@value
 * #MAX_BUFFERED_BODY} bytes is buffered in one array that fits it; a stream reuses one buffer for
 * all of its chunks.
 */
final class AnswerOutput extends OutputStream {
  private static final int MAX_BUFFERED_BODY = 64 * 1024;
  private static final int MAX_CHUNK = 16 * 1024;
  private static final int INITIAL_BODY = 2 * 1024;
  private static final int INITIAL_HEAD = 320;

  /** The room for a chunk's size: at most four digits, CR and LF. */
  private static final int CHUNK_HEAD = 6;

  private static final byte[] LAST_CHUNK = {'0', '\r', '\n', '\r', '\n'};
  private static final byte[] DIGITS = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
  };

  private final ConnectionOutput out;
  private final Framing framing;
  private byte[] buffer;
  private int start; // where the bytes to write begin, not counting the size of a chunk
  private int contentStart; // where the content of the chunk begins
  private int end;
  private long remaining; // bytes still expected of a body of known length

  /** How the client finds the end of an answer. */
  enum Framing {
    /** There is no body. */
    HEAD_ONLY,
    /** The head has a Content-Length. */
    CONTENT_LENGTH,
    CHUNKED,
    /** The connection is closed at the end, for clients that cannot read chunks. */
    UNTIL_CLOSE
  }

  /**
   * Begins an answer; its head leaves with the first bytes that are flushed.
   *
   * @param length the length of the body in bytes; -1 when it is not known
   * @param extraHeaders additional headers
   * @param closeAfter whether the connection is closed after the answer
   * @throws IllegalArgumentException when a header cannot be sent
   */
  AnswerOutput(
      WireResponse response,
      Framing framing,
      long length,
      Map<String, String> extraHeaders,
      boolean closeAfter,
      ConnectionOutput out) {
    this.out = out;
    this.framing = framing;
    this.remaining = framing == Framing.CONTENT_LENGTH ? length : 0;
    this.buffer =
        new byte
            [framing == Framing.CONTENT_LENGTH && length <= MAX_BUFFERED_BODY
                ? INITIAL_HEAD + (int) length
                : INITIAL_HEAD + INITIAL_BODY];
    writeStatus(response.status());
    writeHeaders(response.headers());
    writeHeaders(extraHeaders);
    if (length >= 0 && mayHaveLength(response.status())) {
      writeText("Content-Length: ");
      writeNumber(length);
      writeLineEnd();
    }
    if (framing == Framing.CHUNKED) {
      writeText("Transfer-Encoding: chunked\r\n");
    }
    if (closeAfter) {
      writeText("Connection: close\r\n");
    }
    writeLineEnd();
    if (framing == Framing.CHUNKED) {
      ensureRoom(CHUNK_HEAD);
      end += CHUNK_HEAD;
    }
    contentStart = end;
  }

  /**
   * Writes an answer that announces that the connection is closed after it.
   *
   * @throws IOException when the connection broke
   */
  static void write(WireResponse response, ConnectionOutput out) throws IOException {
    long length = response.body().length();
    var answer = new AnswerOutput(response, Framing.CONTENT_LENGTH, length, Map.of(), true, out);
    response.body().transferTo(answer);
    answer.close();
  }

  /** Returns whether an answer may have a Content-Length (RFC 9110, 8.6). */
  private static boolean mayHaveLength(int status) {
    return status != 204 && status != 304;
  }

  private void writeStatus(int code) {
    if (code == 200) {
      writeText("HTTP/1.1 200 OK\r\nDate: ");
    } else {
      writeText("HTTP/1.1 ");
      writeNumber(code);
      writeText(" ");
      writeText(Status.create(code).reasonPhrase());
      writeText("\r\nDate: ");
    }
    byte[] date = DateTime.http1Bytes(); // includes the line end
    ensureRoom(date.length);
    System.arraycopy(date, 0, buffer, end, date.length);
    end += date.length;
  }

  private void writeHeaders(Map<String, String> headers) {
    headers.forEach(
        (name, value) -> {
          if (!FieldLine.isToken(name) || !FieldLine.isText(value)) {
            throw new IllegalArgumentException("not a header that can be sent: " + name);
          }
          writeText(name);
          writeText(": ");
          writeText(value);
          writeLineEnd();
        });
  }

  private void writeLineEnd() {
    ensureRoom(2);
    buffer[end++] = '\r';
    buffer[end++] = '\n';
  }

  private void writeNumber(long value) {
    writeText(Long.toString(value));
  }

  private void writeText(String text) {
    int length = text.length();
    ensureRoom(length);
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      buffer[end++] = (byte) (c > 0xff ? '?' : c);
    }
  }

  private void ensureRoom(int count) {
    if (buffer.length - end < count) {
      buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, end + count));
    }
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    switch (framing) {
      case HEAD_ONLY -> {
        // a HEAD request gets no body
      }
      case CONTENT_LENGTH -> writeCounted(bytes, offset, length);
      case CHUNKED, UNTIL_CLOSE -> writeStreamed(bytes, offset, length);
    }
  }

  private void writeCounted(byte[] bytes, int offset, int length) throws IOException {
    if (length > remaining) {
      throw new IOException("the answer is longer than its head says");
    }
    remaining -= length;
    if (length <= buffer.length - end) {
      System.arraycopy(bytes, offset, buffer, end, length);
      end += length;
    } else {
      flush();
      out.write(bytes, offset, length);
    }
  }

  private void writeStreamed(byte[] bytes, int offset, int length) {
    int written = 0;
    while (written < length) {
      if (end - contentStart == MAX_CHUNK) {
        flush();
      }
      int piece = Math.min(length - written, MAX_CHUNK - (end - contentStart));
      ensureRoom(piece + 2 + LAST_CHUNK.length); // room for the end of the chunk and of the answer
      System.arraycopy(bytes, offset + written, buffer, end, piece);
      end += piece;
      written += piece;
    }
  }

  @Override
  public void flush() {
    if (framing == Framing.CHUNKED) {
      endChunk();
    }
    if (end > start) {
      out.write(buffer, start, end - start);
    }
    reset();
  }

  private void reset() {
    start = 0;
    contentStart = framing == Framing.CHUNKED ? CHUNK_HEAD : 0;
    end = contentStart;
    if (framing == Framing.CHUNKED) {
      start = contentStart; // nothing to write yet
    }
  }

  /**
   * Writes the chunk's size in front of its content. Moves the head of the answer, if the buffer
   * still has it, next to the size.
   */
  private void endChunk() {
    int size = end - contentStart;
    int headLength = Math.max(0, contentStart - CHUNK_HEAD - start);
    int at = contentStart;
    if (size > 0) {
      buffer[--at] = '\n';
      buffer[--at] = '\r';
      for (int value = size; value > 0; value >>>= 4) {
        buffer[--at] = DIGITS[value & 0xf];
      }
      writeLineEnd();
    }
    if (headLength > 0) {
      System.arraycopy(buffer, start, buffer, at - headLength, headLength);
    }
    start = at - headLength;
  }

  /**
   * Ends the answer. The connection stays open; with {@link Framing#UNTIL_CLOSE} the answer ends
   * when the caller closes it.
   */
  @Override
  public void close() throws IOException {
    if (remaining > 0) {
      throw new IOException("the answer is shorter than its head says");
    }
    if (framing == Framing.CHUNKED) {
      endChunk();
      ensureRoom(LAST_CHUNK.length);
      System.arraycopy(LAST_CHUNK, 0, buffer, end, LAST_CHUNK.length);
      end += LAST_CHUNK.length;
      out.write(buffer, start, end - start);
    } else {
      flush();
    }
  }
}
