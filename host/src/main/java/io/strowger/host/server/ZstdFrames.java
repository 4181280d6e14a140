package io.strowger.host.server;

import com.github.luben.zstd.ZstdBufferDecompressingStreamNoFinalizer;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * Decodes zstd frames (RFC 8878), one behind the other. The decoder proper works on memory and
 * takes no lock, and no native code is on the stack while the body is read: a thread that waits for
 * a slow client holds nothing that would keep its carrier. For one thread.
 */
final class ZstdFrames implements ContentDecoding.Decoder {
  /** Most memory a frame may ask for, as a power of two: what RFC 8878 recommends, 8 MiB. */
  private static final int WINDOW_LOG = 23;

  private static final int BUFFER = 8 * 1024;

  private final Source source;
  private boolean begun;

  ZstdFrames(InputStream encoded) throws IOException {
    source = new Source(encoded);
    try {
      source.setLongMax(WINDOW_LOG);
    } catch (IOException e) {
      source.close();
      throw e;
    }
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    try {
      if (!begun) {
        begun = true;
        if (!source.begin()) {
          return -1;
        }
      }
      var target = ByteBuffer.wrap(into, from, length);
      while (source.hasRemaining()) {
        boolean exhausted = source.isExhausted();
        int count = source.read(target);
        if (count > 0) {
          return count;
        }
        if (exhausted && source.hasRemaining()) {
          throw new EOFException("the body ends inside of a zstd frame");
        }
      }
      return -1;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  @Override
  public void close() {
    source.close();
  }

  /** The decoder and what it has not decoded yet. */
  private static final class Source extends ZstdBufferDecompressingStreamNoFinalizer {
    private final InputStream encoded;
    private boolean ended;

    Source(InputStream encoded) {
      super(ByteBuffer.allocate(BUFFER).limit(0));
      this.encoded = encoded;
    }

    /** Reads the first bytes; false when the body is empty. */
    boolean begin() {
      return refill(source).hasRemaining();
    }

    /** Whether every byte of the body was taken by the decoder. */
    boolean isExhausted() {
      return ended && !source.hasRemaining();
    }

    /** Called when all is taken, behind the decoder's work and not inside of it. */
    @Override
    @SuppressWarnings("ByteBufferBackingArray") // it was made here, over a whole array
    protected ByteBuffer refill(ByteBuffer taken) {
      if (ended) {
        return taken;
      }
      try {
        int count = encoded.read(taken.array());
        ended = count < 0;
        return taken.clear().limit(Math.max(0, count));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
