package io.strowger.host.server;

import com.github.luben.zstd.ZstdBufferDecompressingStreamNoFinalizer;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/**
 * Decodes a sequence of zstd frames (RFC 8878). The native decoder works on memory only: no native
 * code is on the stack and no lock is held while the body is read, so a thread that waits for a
 * slow client does not pin its carrier. Confined to one thread.
 */
final class ZstdFrames implements ContentDecoding.Decoder {
  /** The binary logarithm of the most memory a frame may ask for: 8 MiB, as RFC 8878 recommends. */
  private static final int WINDOW_LOG = 23;

  private static final int BUFFER = 8 * 1024;

  private final BufferDecoder decoder;
  private boolean isStarted;

  ZstdFrames(InputStream encoded) throws IOException {
    decoder = new BufferDecoder(encoded);
    try {
      decoder.setLongMax(WINDOW_LOG);
    } catch (IOException e) {
      decoder.close();
      throw e;
    }
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    try {
      if (!isStarted) {
        isStarted = true;
        if (!decoder.begin()) {
          return -1;
        }
      }
      var target = ByteBuffer.wrap(into, from, length);
      while (decoder.hasRemaining()) {
        boolean isExhausted = decoder.isExhausted();
        int count = decoder.read(target);
        if (count > 0) {
          return count;
        }
        if (isExhausted && decoder.hasRemaining()) {
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
    decoder.close();
  }

  /** The native decoder with the encoded bytes that it has not decoded yet. */
  private static final class BufferDecoder extends ZstdBufferDecompressingStreamNoFinalizer {
    private final InputStream encoded;
    private boolean isEnded;

    BufferDecoder(InputStream encoded) {
      super(ByteBuffer.allocate(BUFFER).limit(0));
      this.encoded = encoded;
    }

    /**
     * Reads the first bytes.
     *
     * @return false when the body is empty
     */
    boolean begin() {
      return refill(source).hasRemaining();
    }

    /** Returns whether the decoder has consumed every byte of the body. */
    boolean isExhausted() {
      return isEnded && !source.hasRemaining();
    }

    /**
     * Reads the next encoded bytes. The decoder calls this when it has consumed the buffer, after
     * its native code has returned.
     */
    @Override
    @SuppressWarnings("ByteBufferBackingArray") // allocated here, with an array offset of 0
    protected ByteBuffer refill(ByteBuffer drained) {
      if (isEnded) {
        return drained;
      }
      try {
        int count = encoded.read(drained.array());
        isEnded = count < 0;
        return drained.clear().limit(Math.max(0, count));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
