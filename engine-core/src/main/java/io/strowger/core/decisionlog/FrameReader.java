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
   * How many bytes may be checked in the search for the next sound frame, at first and per byte
   * skipped. Without a bound, bytes that look like many large frames would take too long.
   */
  private static final long FREE_CHECKS = 4L * LogFrame.MAX_CONTENT;

  private static final int CHECKS_PER_BYTE = 64;
  private static final int DAMAGED = -1;
  private static final int TORN = -2;

  private final InputStream in;
  private byte[] window = new byte[MIN_WINDOW];
  private int from;
  private int to;
  private long offset; // of window[from] in the log
  private boolean begun;

  FrameReader(InputStream in) {
    this.in = in;
  }

  /** The next part of a log: a sound frame or damaged bytes. */
  sealed interface Found {
    /** Returns where it begins, in bytes from the beginning of the log. */
    long offset();

    record Frame(long offset, LogFrame.Kind kind, byte[] content) implements Found {}

    /** Bytes that are not a sound frame. */
    record Damage(long offset, String what) implements Found {}
  }

  /** Returns how many bytes of the log have been read. */
  long offset() {
    return offset;
  }

  /** Returns the next frame or damaged part; null at the end of the log. */
  @Nullable Found next() throws IOException {
    if (!begun) {
      begun = true;
      String wrong = header();
      if (wrong != null) {
        skipAll();
        return new Found.Damage(0, wrong);
      }
    }
    if (!has(1)) {
      return null;
    }
    long start = offset;
    int length = soundAt();
    if (length >= 0) {
      return take(start, length);
    }
    boolean torn = length == TORN;
    long spent = 0;
    while (has(1)) {
      skip(1);
      skipToMark();
      long claimed = has(LogFrame.OVERHEAD) ? LogFrame.length(window, from) : DAMAGED;
      if (claimed < 0 || spent + claimed > FREE_CHECKS + (offset - start) * CHECKS_PER_BYTE) {
        continue;
      }
      spent += claimed;
      if (soundAt() >= 0) {
        return new Found.Damage(start, (offset - start) + " bytes are damaged");
      }
    }
    return new Found.Damage(
        start,
        torn
            ? "the log ends inside a record: " + (offset - start) + " bytes are left of it"
            : (offset - start) + " bytes are damaged");
  }

  private @Nullable String header() throws IOException {
    byte[] expected = LogFrame.header();
    int there = fill(expected.length);
    if (there < expected.length) {
      return Arrays.equals(window, from, to, expected, 0, there)
          ? "the log ends inside its header"
          : "is not a decision log";
    }
    String name = new String(window, from, expected.length - 1, StandardCharsets.ISO_8859_1);
    if (!name.equals(LogFrame.name())) {
      return "is not a decision log";
    }
    int format = window[from + expected.length - 1];
    if (format != LogFrame.FORMAT) {
      return "is a decision log of format " + format + ", only " + LogFrame.FORMAT + " can be read";
    }
    skip(expected.length);
    return null;
  }

  /** Returns the content length of the sound frame that begins here; negative if there is none. */
  private int soundAt() throws IOException {
    if (!has(LogFrame.OVERHEAD)) {
      return TORN;
    }
    int length = LogFrame.length(window, from);
    if (length < 0) {
      return DAMAGED;
    }
    if (!has(LogFrame.OVERHEAD + length)) {
      return TORN;
    }
    return LogFrame.isSound(window, from) ? length : DAMAGED;
  }

  private Found take(long start, int length) {
    LogFrame.Kind kind = Objects.requireNonNull(LogFrame.kind(window[from + 2]));
    int content = from + LogFrame.OVERHEAD;
    byte[] bytes = Arrays.copyOfRange(window, content, content + length);
    skip(LogFrame.OVERHEAD + length);
    return new Found.Frame(start, kind, bytes);
  }

  private void skip(int bytes) {
    from += bytes;
    offset += bytes;
  }

  private void skipToMark() throws IOException {
    while (has(1)) {
      while (from < to && window[from] != LogFrame.MARK) {
        skip(1);
      }
      if (from < to) {
        return;
      }
    }
  }

  private void skipAll() throws IOException {
    while (has(1)) {
      skip(to - from);
    }
  }

  private boolean has(int bytes) throws IOException {
    return fill(bytes) >= bytes;
  }

  /** Reads until this many bytes are buffered; returns how many are, fewer only at the end. */
  private int fill(int bytes) throws IOException {
    while (to - from < bytes) {
      if (to == window.length) {
        makeRoom();
      }
      int read = in.read(window, to, window.length - to);
      if (read < 0) {
        break;
      }
      to += read;
    }
    return to - from;
  }

  /** Makes room step by step, not for a whole frame at once, because its length may be damaged. */
  private void makeRoom() {
    int left = to - from;
    byte[] room = from > 0 ? window : new byte[window.length * 2];
    System.arraycopy(window, from, room, 0, left);
    window = room;
    from = 0;
    to = left;
  }
}
