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
  private static final int FIRST_BUFFER = 8 << 10;
  private static final int MIN_BUFFER = 1 << 10;

  /**
   * The maximum announced length for which an array of exactly that length is allocated at once.
   */
  private static final int EXACT = 64 << 10;

  /**
   * The memory in bytes that a parsed value takes in addition to its text: an object and a
   * reference to it.
   */
  private static final int COST_OF_A_VALUE = 40;

  /** The size of a document, in bytes, up to which the memory of its values is not counted. */
  static final int SMALL = 2 << 10;

  private BoundedBodyReader() {}

  /**
   * Reads the whole body. A large announced length alone does not allocate much.
   *
   * @param memory the memory of this answer; the cost of parsing the body is taken from it too
   * @throws IOException when there is not enough memory for it, or reading fails
   */
  static byte[] whole(Transport.Response response, AnswerMemory.Share memory) throws IOException {
    InputStream body = FairShare.reading(response.body());
    int declared = declared(response.header("content-length"));
    byte[] buffer = new byte[first(declared, body)];
    memory.take(buffer.length);
    int length = 0;
    while (true) {
      if (length == buffer.length) {
        int next = body.read(); // reads up to the end, so that the connection can be reused
        if (next < 0) {
          break;
        }
        buffer = larger(buffer, declared, memory);
        buffer[length++] = (byte) next;
      }
      int read = body.read(buffer, length, buffer.length - length);
      if (read < 0) {
        break;
      }
      length += read;
    }
    memory.take(length > SMALL ? values(buffer, length) : 0);
    return length == buffer.length ? buffer : trimmed(buffer, length, memory);
  }

  private static int first(int declared, InputStream body) throws IOException {
    if (declared >= 0 && declared <= EXACT) {
      return declared;
    }
    return declared >= 0 ? FIRST_BUFFER : Math.clamp(body.available(), MIN_BUFFER, FIRST_BUFFER);
  }

  private static byte[] larger(byte[] buffer, int declared, AnswerMemory.Share memory)
      throws IOException {
    long doubled = Math.max(FIRST_BUFFER, buffer.length * 2L);
    int size =
        (int) Math.min(declared > buffer.length ? Math.min(declared, doubled) : doubled, 1 << 30);
    if (size <= buffer.length) {
      throw new IOException("an answer of more than " + size + " bytes");
    }
    memory.take(size - buffer.length);
    return Arrays.copyOf(buffer, size);
  }

  private static byte[] trimmed(byte[] buffer, int length, AnswerMemory.Share memory)
      throws IOException {
    memory.take(length);
    return Arrays.copyOf(buffer, length);
  }

  /** Returns an upper bound of the memory of a document's values: each follows a delimiter. */
  static long values(byte[] document, int length) {
    long signs = 1;
    for (int i = 0; i < length; i++) {
      byte b = document[i];
      if (b == ',' || b == ':' || b == '[' || b == '{') {
        signs++;
      }
    }
    return signs * COST_OF_A_VALUE;
  }

  /** Returns the announced length; -1 when it is absent or not a valid int. */
  private static int declared(@Nullable String length) {
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
  static byte[] beginning(Transport.Response response, int most) {
    byte[] bytes = new byte[Math.min(most, FIRST_BUFFER)];
    int length = 0;
    try {
      InputStream body = response.body();
      while (length < most) {
        if (length == bytes.length) {
          bytes = Arrays.copyOf(bytes, Math.min(most, 2 * length));
        }
        int read = body.read(bytes, length, bytes.length - length);
        if (read < 0) {
          break;
        }
        length += read;
      }
    } catch (IOException cut) {
      // the status is enough
    }
    return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
  }
}
