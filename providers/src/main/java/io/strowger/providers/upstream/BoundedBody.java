package io.strowger.providers.upstream;

import io.strowger.spi.provider.Transport;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads bodies that are one document, no further than a bound. */
final class BoundedBody {
  private BoundedBody() {}

  /** The whole body; null when it is longer. */
  static byte @Nullable [] whole(Transport.Response response, int most) throws IOException {
    long declared = declared(response.header("content-length"));
    if (declared > most) {
      return null;
    }
    // one more than there should be, so that the end is seen and the connection can be kept
    byte[] read = response.body().readNBytes((int) (declared < 0 ? most : declared) + 1);
    return read.length > most ? null : read;
  }

  /** What a header says the length is; -1 when it does not. */
  private static long declared(@Nullable String length) {
    try {
      return length == null ? -1 : Math.max(-1, Long.parseLong(length.strip()));
    } catch (NumberFormatException notANumber) {
      return -1;
    }
  }

  /** The body's beginning: of a refusal no more is worth reading. */
  static byte[] beginning(Transport.Response response, int most) {
    byte[] bytes = new byte[most];
    int length = 0;
    try {
      InputStream body = response.body();
      for (int read = 0; read >= 0 && length < most; length += Math.max(0, read)) {
        read = body.read(bytes, length, most - length);
      }
      if (length == most) {
        return bytes;
      }
    } catch (IOException cut) {
      // the status says enough
    }
    return Arrays.copyOf(bytes, length);
  }
}
