package io.strowger.conformance.dialects;

import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

/** An input stream that arrives in pieces: no read returns bytes from both sides of a cut. */
public final class PiecewiseInputStream extends InputStream {
  private final byte[] bytes;
  private final int[] cuts;
  private int position;
  private int next;

  /**
   * @param cuts offsets, ascending; those outside of the bytes have no effect
   */
  public PiecewiseInputStream(byte[] bytes, int... cuts) {
    this.bytes = bytes;
    this.cuts = cuts;
  }

  /** Returns a stream with up to {@code maxCuts} cuts at random offsets. */
  public static PiecewiseInputStream cutAtRandom(byte[] bytes, int maxCuts, Random random) {
    int[] cuts = random.ints(random.nextInt(maxCuts + 1), 0, bytes.length + 1).sorted().toArray();
    return new PiecewiseInputStream(bytes, cuts);
  }

  /** Returns a stream whose reads return one byte each. */
  public static PiecewiseInputStream byteByByte(byte[] bytes) {
    return new PiecewiseInputStream(bytes, IntStream.range(1, bytes.length).toArray());
  }

  private int endOfPiece() {
    while (next < cuts.length && cuts[next] <= position) {
      next++;
    }
    return next < cuts.length ? Math.min(cuts[next], bytes.length) : bytes.length;
  }

  /** Returns the rest of every second piece, and 0 in the others. */
  @Override
  public int available() {
    int remaining = endOfPiece() - position;
    return next % 2 == 0 ? remaining : 0;
  }

  @Override
  public int read() {
    return position < bytes.length ? bytes[position++] & 0xFF : -1;
  }

  @Override
  public int read(byte[] into, int offset, int length) {
    if (position == bytes.length) {
      return -1;
    }
    int read = Math.min(length, endOfPiece() - position);
    System.arraycopy(bytes, position, into, offset, read);
    position += read;
    return read;
  }

  @Override
  public String toString() {
    return bytes.length + " bytes, cut at " + Arrays.toString(cuts);
  }
}
