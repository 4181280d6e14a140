package io.strowger.providers.upstream;

import io.strowger.providers.http.AnswerMemory;
import io.strowger.spi.ambient.FairShare;
import io.strowger.spi.provider.Transport;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads bodies that are one document, no further than there is memory for. */
final class BoundedBodyReader {
  private static final int FIRST_BUFFER = 8 << 10;
  private static final int MIN_BUFFER = 1 << 10;

  /** A body of a length that is announced, and no longer, is read into an array of that length. */
  private static final int EXACT = 64 << 10;

  /** What a value costs once it is parsed, beside its bytes: an object and a reference to it. */
  private static final int COST_OF_A_VALUE = 40;

  /** Smaller documents are not looked at: their values fit into what is not counted. */
  static final int SMALL = 2 << 10;

  private BoundedBodyReader() {}

  /**
   * The whole body. A length that is only announced allocates little.
   *
   * @param memory of this answer; what parsing the body will take is taken too
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
        int next = body.read(); // the end is seen, so that the connection can be kept
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

  /** An upper bound of what the values of a document take, since each has a sign before it. */
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

  /** What a header says the length is; -1 when it does not, or says a length nobody keeps. */
  private static int declared(@Nullable String length) {
    try {
      return length == null ? -1 : Math.max(-1, Integer.parseInt(length.strip()));
    } catch (NumberFormatException notANumber) {
      return -1;
    }
  }

  /** The body's beginning: of a refusal no more is worth reading. */
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
      // the status says enough
    }
    return length == bytes.length ? bytes : Arrays.copyOf(bytes, length);
  }
}
