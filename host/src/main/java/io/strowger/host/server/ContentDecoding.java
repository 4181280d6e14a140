package io.strowger.host.server;

import io.strowger.spi.ambient.FairShare;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the content encodings a request body may have: {@code gzip}, {@code zstd} and {@code
 * identity}. Size limits apply to the decoded bytes: the reader stops at its limit, and no more
 * than that is decoded.
 */
final class ContentDecoding {
  /** Decodes one body. Confined to one thread. */
  interface Decoder extends Closeable {
    /**
     * Decodes the next bytes into an array and returns their number, at least one; -1 at the end of
     * the body.
     *
     * @param length positive
     * @throws IOException when the body cannot be read, is cut or is not in this encoding
     */
    int read(byte[] into, int from, int length) throws IOException;
  }

  /** Creates decoders. */
  private interface DecoderFactory {
    Decoder open(InputStream encoded) throws IOException;
  }

  private ContentDecoding() {}

  /** Returns whether a body with this header is not encoded. */
  static boolean isIdentity(@Nullable String encoding) {
    return encoding == null || encoding.isBlank() || encoding.strip().equalsIgnoreCase("identity");
  }

  /**
   * Returns the decoded body; null for an unknown encoding or a list of several. The encoded body
   * is not read before the first read of the returned stream.
   */
  static @Nullable InputStream of(String encoding, InputStream body) {
    return of(encoding, body, new FairShare(FairShare.READ_BYTES));
  }

  /**
   * Returns the decoded body as {@link #of(String, InputStream)} does.
   *
   * @param fairShare counts decoded bytes, since a few encoded bytes can become very many without a
   *     blocking read
   */
  static @Nullable InputStream of(String encoding, InputStream body, FairShare fairShare) {
    return switch (encoding.strip().toLowerCase(Locale.ROOT)) {
      case "gzip", "x-gzip" -> new DecodedBody(body, GzipMembers::new, fairShare);
      case "zstd" -> new DecodedBody(body, ZstdFrames::new, fairShare);
      default -> null;
    };
  }

  /**
   * A body whose decoder is created by the first read, because the client may be waiting for {@code
   * 100 Continue}.
   */
  private static final class DecodedBody extends InputStream {
    private final InputStream encoded;
    private final DecoderFactory factory;
    private final FairShare fairShare;
    private @Nullable Decoder openDecoder;
    private boolean ended;

    DecodedBody(InputStream encoded, DecoderFactory factory, FairShare fairShare) {
      this.encoded = encoded;
      this.factory = factory;
      this.fairShare = fairShare;
    }

    @Override
    public int read() throws IOException {
      byte[] single = new byte[1];
      return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
    }

    /** Decodes at most a fair share at once, even if the array is longer. */
    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (ended) {
        return -1;
      }
      Decoder decoder = openDecoder;
      if (decoder == null) {
        decoder = factory.open(encoded);
        openDecoder = decoder;
      }
      int count = decoder.read(into, from, Math.min(length, FairShare.READ_BYTES));
      if (count < 0) {
        close();
      } else {
        fairShare.advance(count);
      }
      return count;
    }

    /** Frees the decoder's memory outside the heap; the server closes the body. */
    @Override
    public void close() throws IOException {
      ended = true;
      Decoder decoder = openDecoder;
      openDecoder = null;
      if (decoder != null) {
        decoder.close();
      }
    }
  }
}
