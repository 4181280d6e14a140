package io.strowger.core.decisionlog;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the frames of a log. After damaged bytes, reading continues with the next sound frame. Not
 * thread-safe.
 */
final class FrameReader {
  private static final int MIN_WINDOW = 1 << 16;

  /**
   * How many bytes may be checked in the search for the next sound frame, in addition to {@link
   * #CHECKS_PER_BYTE} for each byte skipped. Without a bound, bytes that look like many large
   * frames would take too long.
   */
  private static final long FREE_CHECKS = 4L * LogFrame.MAX_CONTENT;

  private static final int CHECKS_PER_BYTE = 64;
  private static final int DAMAGED = -1;
  private static final int TRUNCATED = -2;

  private final InputStream in;
  private byte[] window = new byte[MIN_WINDOW];
  private int windowStart;
  private int windowEnd;
  private long offset; // of window[windowStart] in the log
  private boolean headerRead;

  FrameReader(InputStream in) {
    this.in = in;
  }

  /** The next part of a log: a sound frame or damaged bytes. */
  sealed interface Part {
    /** Returns where it begins, in bytes from the beginning of the log. */
    long offset();

    record Frame(long offset, LogFrame.Kind kind, byte[] content) implements Part {}

    /** Bytes that are not a sound frame. */
    record Damage(long offset, String description) implements Part {}
  }

  /** Returns how many bytes of the log have been read. */
  long offset() {
    return offset;
  }

  /** Returns the next frame or damaged part; null at the end of the log. */
  @Nullable Part next() throws IOException {
    if (!headerRead) {
      headerRead = true;
      String problem = checkHeader();
      if (problem != null) {
        skipAll();
        return new Part.Damage(0, problem);
      }
    }
    if (!hasBytes(1)) {
      return null;
    }
    long start = offset;
    int length = soundFrameLength();
    if (length >= 0) {
      return takeFrame(start, length);
    }
    boolean isTruncated = length == TRUNCATED;
    long checkedBytes = 0;
    while (hasBytes(1)) {
      skip(1);
      skipToMark();
      long claimedLength =
          hasBytes(LogFrame.OVERHEAD) ? LogFrame.length(window, windowStart) : DAMAGED;
      if (claimedLength < 0
          || checkedBytes + claimedLength > FREE_CHECKS + (offset - start) * CHECKS_PER_BYTE) {
        continue;
      }
      checkedBytes += claimedLength;
      if (soundFrameLength() >= 0) {
        return new Part.Damage(start, (offset - start) + " bytes are damaged");
      }
    }
    return new Part.Damage(
        start,
        isTruncated
            ? "the log ends inside a record: " + (offset - start) + " bytes are left of it"
            : (offset - start) + " bytes are damaged");
  }

  private @Nullable String checkHeader() throws IOException {
    byte[] expected = LogFrame.header();
    int available = fill(expected.length);
    if (available < expected.length) {
      return Arrays.equals(window, windowStart, windowEnd, expected, 0, available)
          ? "the log ends inside its header"
          : "is not a decision log";
    }
    String magic =
        new String(window, windowStart, expected.length - 1, StandardCharsets.ISO_8859_1);
    if (!magic.equals(LogFrame.magic())) {
      return "is not a decision log";
    }
    int format = window[windowStart + expected.length - 1];
    if (format != LogFrame.FORMAT) {
      return "is a decision log of format " + format + ", only " + LogFrame.FORMAT + " can be read";
    }
    skip(expected.length);
    return null;
  }

  /** Returns the content length of the sound frame that begins here; negative if there is none. */
  private int soundFrameLength() throws IOException {
    if (!hasBytes(LogFrame.OVERHEAD)) {
      return TRUNCATED;
    }
    int length = LogFrame.length(window, windowStart);
    if (length < 0) {
      return DAMAGED;
    }
    if (!hasBytes(LogFrame.OVERHEAD + length)) {
      return TRUNCATED;
    }
    return LogFrame.isSound(window, windowStart) ? length : DAMAGED;
  }

  private Part takeFrame(long start, int length) {
    LogFrame.Kind kind = Objects.requireNonNull(LogFrame.kind(window[windowStart + 2]));
    int content = windowStart + LogFrame.OVERHEAD;
    byte[] bytes = Arrays.copyOfRange(window, content, content + length);
    skip(LogFrame.OVERHEAD + length);
    return new Part.Frame(start, kind, bytes);
  }

  private void skip(int bytes) {
    windowStart += bytes;
    offset += bytes;
  }

  private void skipToMark() throws IOException {
    while (hasBytes(1)) {
      while (windowStart < windowEnd && window[windowStart] != LogFrame.MARK) {
        skip(1);
      }
      if (windowStart < windowEnd) {
        return;
      }
    }
  }

  private void skipAll() throws IOException {
    while (hasBytes(1)) {
      skip(windowEnd - windowStart);
    }
  }

  private boolean hasBytes(int bytes) throws IOException {
    return fill(bytes) >= bytes;
  }

  /** Reads until this many bytes are buffered; returns how many are, fewer only at the end. */
  private int fill(int bytes) throws IOException {
    while (windowEnd - windowStart < bytes) {
      if (windowEnd == window.length) {
        makeRoom();
      }
      int read = in.read(window, windowEnd, window.length - windowEnd);
      if (read < 0) {
        break;
      }
      windowEnd += read;
    }
    return windowEnd - windowStart;
  }

  /** Makes room step by step, not for a whole frame at once, because its length may be damaged. */
  private void makeRoom() {
    int count = windowEnd - windowStart;
    byte[] target = windowStart > 0 ? window : new byte[window.length * 2];
    System.arraycopy(window, windowStart, target, 0, count);
    window = target;
    windowStart = 0;
    windowEnd = count;
  }
}
