package io.strowger.host.server;

import com.github.luben.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The content encodings a request's body may have: {@code gzip}, {@code zstd}, {@code identity}.
 * Limits hold for what is decoded: whoever reads a decoded body stops at its own limit, and no more
 * than that is ever decoded.
 */
final class ContentDecoding {
  /** Most memory a zstd frame may ask for, as a power of two: what RFC 8878 recommends, 8 MiB. */
  private static final int WINDOW_LOG = 23;

  private static final int GZIP_BUFFER = 8 * 1024;

  /** One encoding. */
  private interface Decoder {
    InputStream open(InputStream encoded) throws IOException;
  }

  private static final Decoder GZIP = encoded -> new GZIPInputStream(encoded, GZIP_BUFFER);

  private static final Decoder ZSTD =
      encoded -> new ZstdInputStream(encoded).setLongMax(WINDOW_LOG);

  private ContentDecoding() {}

  /** Whether a body with this header is read as it is. */
  static boolean isIdentity(@Nullable String encoding) {
    return encoding == null || encoding.isBlank() || encoding.strip().equalsIgnoreCase("identity");
  }

  /**
   * Returns the decoded body, of which nothing is read before somebody reads it; null for an
   * encoding that is not known, among them several at once.
   */
  static @Nullable InputStream of(String encoding, InputStream body) {
    return switch (encoding.strip().toLowerCase(Locale.ROOT)) {
      case "gzip", "x-gzip" -> new Decoded(body, GZIP);
      case "zstd" -> new Decoded(body, ZSTD);
      default -> null;
    };
  }

  /** A body that is opened by the first read, for a client may wait to be told to send it. */
  private static final class Decoded extends InputStream {
    private final InputStream encoded;
    private final Decoder decoder;
    private @Nullable InputStream opened;
    private boolean ended;

    Decoded(InputStream encoded, Decoder decoder) {
      this.encoded = encoded;
      this.decoder = decoder;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      if (ended) {
        return -1;
      }
      InputStream in = opened;
      if (in == null) {
        in = decoder.open(encoded);
        opened = in;
      }
      int count = in.read(into, from, length);
      if (count < 0) {
        end();
      }
      return count;
    }

    /** The end of the body itself has to be seen, so that the connection can be used again. */
    private void end() throws IOException {
      ended = true;
      if (encoded.read() >= 0) {
        throw new IOException("the body goes on behind the end of its encoding");
      }
    }

    /** Frees what decoding holds outside of the heap; the body is the server's to close. */
    @Override
    public void close() throws IOException {
      ended = true;
      InputStream in = opened;
      if (in != null) {
        in.close();
      }
    }
  }
}
