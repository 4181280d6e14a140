package io.strowger.stores.journal;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.UUID;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Reads the frames of one file, one after the other. For one thread. */
final class FrameFileReader implements Closeable {
  private static final int MIN_WINDOW = 1 << 16;
  private static final byte[] EMPTY = {};

  /**
   * The number of bytes that may be checked while looking for a frame, in addition to {@link
   * #CHECKS_PER_BYTE} for each byte that was skipped. Without a bound, a file in which every few
   * bytes look like the header of a large frame would be checked for ever.
   */
  private static final long FREE_CHECK_BYTES = 1L << 26;

  private static final int CHECKS_PER_BYTE = 64;

  private final JournalFrame frame;
  private final RandomAccessFile file;
  private long offset; // of window[from] in the file
  private byte[] window = new byte[MIN_WINDOW];
  private int from;
  private int to;

  /**
   * @param offset the offset of a frame
   */
  FrameFileReader(Path path, UUID node, long offset) throws IOException {
    this.frame = new JournalFrame(node);
    this.file = new RandomAccessFile(path.toFile(), "r");
    this.offset = offset;
    file.seek(offset);
  }

  /** Returns the offset of the next frame. */
  long offset() {
    return offset;
  }

  /**
   * Returns the content of the next frame; null when there is no valid frame before the end.
   *
   * @param end the offset where the readable part of the file ends
   */
  byte @Nullable [] next(long end) throws IOException {
    return next(end, octet -> true);
  }

  /**
   * Returns the content of the next frame if its first octet is accepted, and otherwise an empty
   * array; null when there is no valid frame before the end.
   *
   * @param accepts tests the first octet; called once, when there is a frame
   */
  byte @Nullable [] next(long end, IntPredicate accepts) throws IOException {
    int length = validLength(end);
    if (length < 0) {
      return null;
    }
    int contentStart = from + JournalFrame.HEADER;
    byte[] result =
        accepts.test(window[contentStart] & 0xFF)
            ? Arrays.copyOfRange(window, contentStart, contentStart + length)
            : EMPTY;
    skip(JournalFrame.HEADER + length);
    return result;
  }

  /**
   * Skips bytes until a valid frame begins.
   *
   * @return whether a valid frame was found
   */
  boolean seek(long end) throws IOException {
    long start = offset;
    long checkedBytes = 0;
    while (offset + JournalFrame.HEADER < end && fill(JournalFrame.HEADER + 1)) {
      skip(1);
      int claimedLength = JournalFrame.length(window, from);
      if (claimedLength < 0
          || checkedBytes + claimedLength > FREE_CHECK_BYTES + (offset - start) * CHECKS_PER_BYTE) {
        continue;
      }
      checkedBytes += claimedLength;
      if (validLength(end) >= 0) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether a frame begins here that the end cuts short. */
  boolean isCutShort(long end) throws IOException {
    if (offset + JournalFrame.HEADER > end) {
      return true;
    }
    if (!fill(JournalFrame.HEADER)) {
      return false;
    }
    int length = JournalFrame.length(window, from);
    return length >= 0 && offset + JournalFrame.HEADER + length > end;
  }

  /** Returns the content length of the valid frame that begins here; -1 when none does. */
  private int validLength(long end) throws IOException {
    if (offset + JournalFrame.HEADER > end || !fill(JournalFrame.HEADER)) {
      return -1;
    }
    int length = JournalFrame.length(window, from);
    boolean isValid =
        length >= 0
            && offset + JournalFrame.HEADER + length <= end
            && fill(JournalFrame.HEADER + length)
            && frame.isValid(window, from);
    return isValid ? length : -1;
  }

  private void skip(int bytes) {
    from += bytes;
    offset += bytes;
  }

  private boolean fill(int bytes) throws IOException {
    if (window.length - from < bytes) {
      byte[] target = window.length >= bytes ? window : new byte[Math.max(bytes, MIN_WINDOW)];
      System.arraycopy(window, from, target, 0, to - from);
      window = target;
      to -= from;
      from = 0;
    }
    while (to - from < bytes) {
      int read = file.read(window, to, window.length - to);
      if (read < 0) {
        return false;
      }
      to += read;
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
