package io.strowger.providers.upstream;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.spi.ambient.FairShare;
import io.strowger.spi.provider.Transport;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads response bodies within the memory that is available. */
final class BoundedBodyReader {
  private static final int INITIAL_BUFFER_BYTES = 8 << 10;
  private static final int MIN_BUFFER_BYTES = 1 << 10;

  /**
   * The maximum announced length for which an array of exactly that length is allocated at once.
   */
  private static final int MAX_EXACT_BYTES = 64 << 10;

  /**
   * The memory in bytes that a parsed value takes in addition to its text: an object and a
   * reference to it.
   */
  private static final int VALUE_COST = 40;

  /** The size of a document, in bytes, up to which the memory of its values is not counted. */
  static final int SMALL_DOCUMENT_BYTES = 2 << 10;

  private BoundedBodyReader() {}

  /**
   * Reads the whole body. A large announced length alone does not allocate much.
   *
   * @param memory the memory of this answer; the cost of parsing the body is taken from it too
   * @throws IOException when there is not enough memory for the body, or reading fails
   */
  static byte[] readAll(Transport.Response response, AnswerMemory.Share memory) throws IOException {
    InputStream body = FairShare.reading(response.body());
    int announcedLength = parseLength(response.header("content-length"));
    byte[] buffer = new byte[initialSize(announcedLength, body)];
    memory.take(buffer.length);
    int length = 0;
    while (true) {
      if (length == buffer.length) {
        // read even at the announced length: the connection can be reused only after a -1
        int next = body.read();
        if (next < 0) {
          break;
        }
        buffer = grow(buffer, announcedLength, memory);
        buffer[length++] = (byte) next;
      }
      int read = body.read(buffer, length, buffer.length - length);
      if (read < 0) {
        break;
      }
      length += read;
    }
    memory.take(length > SMALL_DOCUMENT_BYTES ? estimateValueMemory(buffer, length) : 0);
    return length == buffer.length ? buffer : trim(buffer, length, memory);
  }

  private static int initialSize(int announcedLength, InputStream body) throws IOException {
    if (announcedLength >= 0 && announcedLength <= MAX_EXACT_BYTES) {
      return announcedLength;
    }
    return announcedLength >= 0
        ? INITIAL_BUFFER_BYTES
        : Math.clamp(body.available(), MIN_BUFFER_BYTES, INITIAL_BUFFER_BYTES);
  }

  private static byte[] grow(byte[] buffer, int announcedLength, AnswerMemory.Share memory)
      throws IOException {
    long doubled = Math.max(INITIAL_BUFFER_BYTES, buffer.length * 2L);
    int size =
        (int)
            Math.min(
                announcedLength > buffer.length ? Math.min(announcedLength, doubled) : doubled,
                1 << 30);
    if (size <= buffer.length) {
      throw new IOException("the upstream's answer exceeds " + size + " bytes");
    }
    memory.take(size - buffer.length);
    return Arrays.copyOf(buffer, size);
  }

  private static byte[] trim(byte[] buffer, int length, AnswerMemory.Share memory)
      throws IOException {
    memory.take(length);
    return Arrays.copyOf(buffer, length);
  }

  /**
   * Returns an upper bound of the memory of a document's values. Each value follows a delimiter.
   */
  static long estimateValueMemory(byte[] document, int length) {
    long delimiters = 1;
    for (int i = 0; i < length; i++) {
      byte b = document[i];
      if (b == ',' || b == ':' || b == '[' || b == '{') {
        delimiters++;
      }
    }
    return delimiters * VALUE_COST;
  }

  /** Returns the announced length; -1 when it is absent or not a valid int. */
  private static int parseLength(@Nullable String length) {
    try {
      return length == null ? -1 : Math.max(-1, Integer.parseInt(length.strip()));
    } catch (NumberFormatException notANumber) {
      return -1;
    }
  }

  /**
   * Reads the beginning of a body, up to the given number of bytes; when reading fails, returns
   * what was read before. Enough for the body of a refusal.
   */
  static byte[] readBeginning(Transport.Response response, int maxBytes) {
    byte[] bytes = new byte[Math.min(maxBytes, INITIAL_BUFFER_BYTES)];
    int length = 0;
    try {
      InputStream body = response.body();
      while (length < maxBytes) {
        if (length == bytes.length) {
          bytes = Arrays.copyOf(bytes, Math.min(maxBytes, 2 * length));
        }
        int read = body.read(bytes, length, bytes.length - length);
        if (read < 0) {
          break;
        }
        length += read;
      }
    } catch (IOException truncated) {
      // the status is enough
    }
    return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
  }
}
