package io.strowger.providers.chat;

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
    byte[] read = response.body().readNBytes(most + 1);
    return read.length > most ? null : read;
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
