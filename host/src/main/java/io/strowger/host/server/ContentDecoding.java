package io.strowger.host.server;

import io.strowger.spi.ambient.FairShare;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The content encodings a request's body may have: {@code gzip}, {@code zstd}, {@code identity}.
 * Limits hold for what is decoded: whoever reads a decoded body stops at its own limit, and no more
 * than that is ever decoded.
 */
final class ContentDecoding {
  /** Decodes one body; for one thread. */
  interface Decoder extends Closeable {
    /**
     * Returns how many bytes were decoded, at least one; -1 at the end of the body.
     *
     * @param length positive
     * @throws IOException when the body cannot be read, is cut or is not in this encoding
     */
    int read(byte[] into, int from, int length) throws IOException;
  }

  /** Begins to decode; reads nothing yet. */
  private interface Opening {
    Decoder open(InputStream encoded) throws IOException;
  }

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
    return of(encoding, body, new FairShare(FairShare.READ_BYTES));
  }

  /**
   * @param turn counts decoded bytes: few encoded ones become very many without a wait
   */
  static @Nullable InputStream of(String encoding, InputStream body, FairShare turn) {
    return switch (encoding.strip().toLowerCase(Locale.ROOT)) {
      case "gzip", "x-gzip" -> new Decoded(body, GzipMembers::new, turn);
      case "zstd" -> new Decoded(body, ZstdFrames::new, turn);
      default -> null;
    };
  }

  /** A body that is opened by the first read, for a client may wait to be told to send it. */
  private static final class Decoded extends InputStream {
    private final InputStream encoded;
    private final Opening opening;
    private final FairShare turn;
    private @Nullable Decoder opened;
    private boolean ended;

    Decoded(InputStream encoded, Opening opening, FairShare turn) {
      this.encoded = encoded;
      this.opening = opening;
      this.turn = turn;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    /** Decodes no more than a fair share at once, however much the reader has room for. */
    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (ended) {
        return -1;
      }
      Decoder decoder = opened;
      if (decoder == null) {
        decoder = opening.open(encoded);
        opened = decoder;
      }
      int count = decoder.read(into, from, Math.min(length, FairShare.READ_BYTES));
      if (count < 0) {
        close();
      } else {
        turn.advance(count);
      }
      return count;
    }

    /** Frees what decoding holds outside of the heap; the body is the server's to close. */
    @Override
    public void close() throws IOException {
      ended = true;
      Decoder decoder = opened;
      opened = null;
      if (decoder != null) {
        decoder.close();
      }
    }
  }
}
