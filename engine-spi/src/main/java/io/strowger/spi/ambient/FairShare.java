package io.strowger.spi.ambient;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * Counts the work of a loop that never blocks, and yields the thread's carrier after each share of
 * it, so that other virtual threads run.
 *
 * <p>A virtual thread keeps its carrier until it waits for something. A loop over a source that is
 * always ready, such as an endless stream, never waits, and as many of them as there are carriers
 * stop every other request. Such a loop reports its progress, and after each share the thread
 * yields its carrier to waiting threads. Confined to one thread.
 */
public final class FairShare {
  /** The share of a loop that only copies bytes: about ten microseconds of work. */
  public static final int COPIED_BYTES = 64 * 1024;

  /** The share of a loop that examines each byte: about a hundred microseconds of work. */
  public static final int READ_BYTES = 16 * 1024;

  /** The share of a loop over the events of a stream: about a hundred microseconds of work. */
  public static final int EVENTS = 16;

  private final int share;
  private final Runnable yield;
  private int progress;

  /**
   * @param share the amount of work before others run, in the unit that {@link #advance} counts;
   *     positive
   */
  public FairShare(int share) {
    this(share, Thread::yield);
  }

  /**
   * @param yield the action that lets others run
   */
  public FairShare(int share, Runnable yield) {
    if (share < 1) {
      throw new IllegalArgumentException("share must be positive, was " + share);
    }
    this.share = share;
    this.yield = Objects.requireNonNull(yield, "yield");
  }

  /**
   * Adds the work done since the last call, and lets others run when a share is complete.
   *
   * @param amount the work done, in the unit of the share; not negative
   */
  public void advance(int amount) {
    if (amount < share - progress) {
      progress += amount;
    } else {
      progress = 0;
      yield.run();
    }
  }

  /**
   * Returns a stream of the same bytes that lets others run after each {@link #COPIED_BYTES}.
   *
   * @param in the source, closed with the result
   */
  public static InputStream reading(InputStream in) {
    return reading(in, new FairShare(COPIED_BYTES));
  }

  static InputStream reading(InputStream in, FairShare fairShare) {
    return new FilterInputStream(in) {
      @Override
      public int read() throws IOException {
        fairShare.advance(1);
        return super.read();
      }

      @Override
      public int read(byte[] into, int from, int length) throws IOException {
        int count = super.read(into, from, length);
        fairShare.advance(Math.max(0, count));
        return count;
      }
    };
  }
}
