package io.strowger.host.server;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes what is large in pieces, so that a client which takes it steadily is seen to take it: of
 * one large write nobody knows how far it is.
 */
final class PiecewiseOutput extends FilterOutputStream {
  /** So much takes the slowest client that is waited for a second. */
  static final int PIECE = 16 * 1024;

  PiecewiseOutput(OutputStream out) {
    super(out);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int written = 0;
    while (written < length) {
      int piece = Math.min(PIECE, length - written);
      out.write(bytes, offset + written, piece);
      written += piece;
    }
  }
}
