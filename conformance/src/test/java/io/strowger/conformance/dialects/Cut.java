package io.strowger.conformance.dialects;

import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

/** Bytes that come in pieces: no read goes beyond a place where they are cut. */
public final class Cut extends InputStream {
  private final byte[] bytes;
  private final int[] cuts;
  private int at;
  private int next;

  /**
   * @param cuts ascending; those outside of the bytes do nothing
   */
  public Cut(byte[] bytes, int... cuts) {
    this.bytes = bytes;
    this.cuts = cuts;
  }

  /** Cut at random places, up to so many. */
  public static Cut randomly(byte[] bytes, int most, Random random) {
    int[] cuts = random.ints(random.nextInt(most + 1), 0, bytes.length + 1).sorted().toArray();
    return new Cut(bytes, cuts);
  }

  /** One byte at a time. */
  public static Cut everywhere(byte[] bytes) {
    return new Cut(bytes, IntStream.range(1, bytes.length).toArray());
  }

  private int end() {
    while (next < cuts.length && cuts[next] <= at) {
      next++;
    }
    return next < cuts.length ? Math.min(cuts[next], bytes.length) : bytes.length;
  }

  /** Every second piece is announced. */
  @Override
  public int available() {
    int there = end() - at;
    return next % 2 == 0 ? there : 0;
  }

  @Override
  public int read() {
    return at < bytes.length ? bytes[at++] & 0xFF : -1;
  }

  @Override
  public int read(byte[] into, int offset, int length) {
    if (at == bytes.length) {
      return -1;
    }
    int read = Math.min(length, end() - at);
    System.arraycopy(bytes, at, into, offset, read);
    at += read;
    return read;
  }

  @Override
  public String toString() {
    return bytes.length + " bytes, cut at " + Arrays.toString(cuts);
  }
}
