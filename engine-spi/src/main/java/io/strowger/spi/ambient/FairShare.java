package io.strowger.spi.ambient;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * Lets other virtual threads run while one reads from a source that never blocks.
 *
 * <p>A virtual thread keeps its carrier until it waits for something. A loop over a source that is
 * always ready, such as an endless stream, never waits, and as many of them as there are carriers
 * stop every other request. Such a loop says how much it did, and after each share the thread gives
 * its carrier to whoever is waiting for one. For one thread.
 */
public final class FairShare {
  /** Bytes that are only copied, before others run: some ten microseconds. */
  public static final int COPIED_BYTES = 64 * 1024;

  /** Bytes that are looked at one by one, before others run: some hundred microseconds. */
  public static final int READ_BYTES = 16 * 1024;

  /** Events of a stream, before others run: some hundred microseconds. */
  public static final int EVENTS = 16;

  private final int share;
  private final Runnable yield;
  private int done;

  /**
   * @param share how much is done before others run, in whatever unit {@link #advance} counts;
   *     positive
   */
  public FairShare(int share) {
    this(share, Thread::yield);
  }

  /**
   * @param yield lets others run
   */
  public FairShare(int share, Runnable yield) {
    if (share < 1) {
      throw new IllegalArgumentException("share must be positive, was " + share);
    }
    this.share = share;
    this.yield = Objects.requireNonNull(yield, "yield");
  }

  /**
   * Notes what was done since the last call, and lets others run when a share is full.
   *
   * @param amount not negative
   */
  public void advance(int amount) {
    if (amount < share - done) {
      done += amount;
    } else {
      done = 0;
      yield.run();
    }
  }

  /**
   * The same bytes, but whoever reads them lets others run after each {@link #COPIED_BYTES}.
   *
   * @param in closed with the result
   */
  public static InputStream reading(InputStream in) {
    return reading(in, new FairShare(COPIED_BYTES));
  }

  static InputStream reading(InputStream in, FairShare turn) {
    return new FilterInputStream(in) {
      @Override
      public int read() throws IOException {
        turn.advance(1);
        return super.read();
      }

      @Override
      public int read(byte[] into, int from, int length) throws IOException {
        int count = super.read(into, from, length);
        turn.advance(Math.max(0, count));
        return count;
      }
    };
  }
}
