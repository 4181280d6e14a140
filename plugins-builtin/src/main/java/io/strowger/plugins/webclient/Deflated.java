package io.strowger.plugins.webclient;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/** Bodies of the coding {@code deflate}, which servers send with the zlib header and without. */
final class Deflated {
  private static final int BUFFER = 16 << 10;
  private static final int METHOD_MASK = 0x0F;
  private static final int DEFLATE = 8;
  private static final int CHECK = 31; // divides the header of zlib

  private Deflated() {}

  static InputStream of(InputStream sent) throws IOException {
    var pushed = new PushbackInputStream(sent, 2);
    byte[] head = pushed.readNBytes(2);
    pushed.unread(head);
    boolean wrapped =
        head.length == 2
            && (head[0] & METHOD_MASK) == DEFLATE
            && ((head[0] & 0xFF) << Byte.SIZE | head[1] & 0xFF) % CHECK == 0;
    var inflater = new Inflater(!wrapped);
    return new InflaterInputStream(pushed, inflater, BUFFER) {
      @Override
      public void close() throws IOException {
        try {
          super.close();
        } finally {
          inflater.end();
        }
      }
    };
  }
}
