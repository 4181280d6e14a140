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
 * write, as does everything between two flushes. A body of known length up to {@value #LARGEST}
 * bytes is buffered in one array that fits it; a stream reuses one buffer for all of its chunks.
 */
final class AnswerOutput extends OutputStream {
  private static final int LARGEST = 64 * 1024;
  private static final int STREAM = 16 * 1024;
  private static final int FIRST = 2 * 1024;
  private static final int HEAD = 320;

  /** The room for a chunk's size: at most four digits, CR and LF. */
  private static final int CHUNK_HEAD = 6;

  private static final byte[] LAST_CHUNK = {'0', '\r', '\n', '\r', '\n'};
  private static final byte[] DIGITS = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
  };

  private final ConnectionOutput out;
  private final Framing framing;
  private byte[] buffer;
  private int from; // where the bytes to write begin, not counting the size of a chunk
  private int content; // where the content of the chunk begins
  private int end;
  private long left; // bytes still expected of a body of known length

  /** How the client finds the end of an answer. */
  enum Framing {
    /** There is no body. */
    HEAD_ALONE,
    /** The head has a Content-Length. */
    COUNTED,
    CHUNKS,
    /** The connection is closed at the end, for clients that cannot read chunks. */
    CONNECTION
  }

  /**
   * Begins an answer; its head leaves with the first bytes that are flushed.
   *
   * @param length of the body in bytes, -1 when it is not known
   * @param more additional headers
   * @param last whether the connection is closed after the answer
   * @throws IllegalArgumentException when a header cannot be sent
   */
  AnswerOutput(
      WireResponse response,
      Framing framing,
      long length,
      Map<String, String> more,
      boolean last,
      ConnectionOutput out) {
    this.out = out;
    this.framing = framing;
    this.left = framing == Framing.COUNTED ? length : 0;
    this.buffer =
        new byte
            [framing == Framing.COUNTED && length <= LARGEST ? HEAD + (int) length : HEAD + FIRST];
    status(response.status());
    fields(response.headers());
    fields(more);
    if (length >= 0 && mayHaveLength(response.status())) {
      text("Content-Length: ");
      number(length);
      line();
    }
    if (framing == Framing.CHUNKS) {
      text("Transfer-Encoding: chunked\r\n");
    }
    if (last) {
      text("Connection: close\r\n");
    }
    line();
    if (framing == Framing.CHUNKS) {
      room(CHUNK_HEAD);
      end += CHUNK_HEAD;
    }
    content = end;
  }

  /**
   * Writes an answer that announces that the connection is closed after it.
   *
   * @throws IOException when the connection broke
   */
  static void write(WireResponse response, ConnectionOutput out) throws IOException {
    long length = response.body().length();
    var answer = new AnswerOutput(response, Framing.COUNTED, length, Map.of(), true, out);
    response.body().transferTo(answer);
    answer.close();
  }

  /** Returns whether an answer may have a Content-Length (RFC 9110, 8.6). */
  private static boolean mayHaveLength(int status) {
    return status != 204 && status != 304;
  }

  private void status(int code) {
    if (code == 200) {
      text("HTTP/1.1 200 OK\r\nDate: ");
    } else {
      text("HTTP/1.1 ");
      number(code);
      text(" ");
      text(Status.create(code).reasonPhrase());
      text("\r\nDate: ");
    }
    byte[] date = DateTime.http1Bytes(); // includes the line end
    room(date.length);
    System.arraycopy(date, 0, buffer, end, date.length);
    end += date.length;
  }

  private void fields(Map<String, String> headers) {
    headers.forEach(
        (name, value) -> {
          if (!FieldLine.isToken(name) || !FieldLine.isText(value)) {
            throw new IllegalArgumentException("not a header that can be sent: " + name);
          }
          text(name);
          text(": ");
          text(value);
          line();
        });
  }

  private void line() {
    room(2);
    buffer[end++] = '\r';
    buffer[end++] = '\n';
  }

  private void number(long value) {
    text(Long.toString(value));
  }

  private void text(String text) {
    int length = text.length();
    room(length);
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      buffer[end++] = (byte) (c > 0xff ? '?' : c);
    }
  }

  private void room(int more) {
    if (buffer.length - end < more) {
      buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, end + more));
    }
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    switch (framing) {
      case HEAD_ALONE -> {
        // a HEAD request gets no body
      }
      case COUNTED -> counted(bytes, offset, length);
      case CHUNKS, CONNECTION -> streamed(bytes, offset, length);
    }
  }

  private void counted(byte[] bytes, int offset, int length) throws IOException {
    if (length > left) {
      throw new IOException("the answer is longer than its head says");
    }
    left -= length;
    if (length <= buffer.length - end) {
      System.arraycopy(bytes, offset, buffer, end, length);
      end += length;
    } else {
      flush();
      out.write(bytes, offset, length);
    }
  }

  private void streamed(byte[] bytes, int offset, int length) {
    int done = 0;
    while (done < length) {
      if (end - content == STREAM) {
        flush();
      }
      int piece = Math.min(length - done, STREAM - (end - content));
      room(piece + 2 + LAST_CHUNK.length); // room for the end of the chunk and of the answer
      System.arraycopy(bytes, offset + done, buffer, end, piece);
      end += piece;
      done += piece;
    }
  }

  @Override
  public void flush() {
    if (framing == Framing.CHUNKS) {
      endChunk();
    }
    if (end > from) {
      out.write(buffer, from, end - from);
    }
    reset();
  }

  private void reset() {
    from = 0;
    content = framing == Framing.CHUNKS ? CHUNK_HEAD : 0;
    end = content;
    if (framing == Framing.CHUNKS) {
      from = content; // nothing to write yet
    }
  }

  /**
   * Writes the chunk's size in front of its content, and moves the head, if there is one, next to
   * it.
   */
  private void endChunk() {
    int size = end - content;
    int head = Math.max(0, content - CHUNK_HEAD - from);
    int at = content;
    if (size > 0) {
      buffer[--at] = '\n';
      buffer[--at] = '\r';
      for (int rest = size; rest > 0; rest >>>= 4) {
        buffer[--at] = DIGITS[rest & 0xf];
      }
      line();
    }
    if (head > 0) {
      System.arraycopy(buffer, from, buffer, at - head, head);
    }
    from = at - head;
  }

  /**
   * Ends the answer. The connection stays open; with {@link Framing#CONNECTION} the answer ends
   * when the caller closes it.
   */
  @Override
  public void close() throws IOException {
    if (left > 0) {
      throw new IOException("the answer is shorter than its head says");
    }
    if (framing == Framing.CHUNKS) {
      endChunk();
      room(LAST_CHUNK.length);
      System.arraycopy(LAST_CHUNK, 0, buffer, end, LAST_CHUNK.length);
      end += LAST_CHUNK.length;
      out.write(buffer, from, end - from);
    } else {
      flush();
    }
  }
}
