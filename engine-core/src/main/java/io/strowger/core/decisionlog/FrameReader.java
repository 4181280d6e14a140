package io.strowger.core.decisionlog;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads frames, and goes on behind what is none: it looks for the next one that is sound. Not for
 * several threads.
 */
final class FrameReader {
  private static final int MIN_WINDOW = 1 << 16;

  /**
   * How much may be checked while the next frame is looked for, at once and per byte that is gone
   * by: where every few bytes claim to begin a large frame, checking all of them would not end.
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

  /** What is found next. */
  sealed interface Found {
    /** Where it begins in the log, in bytes. */
    long offset();

    record Sound(long offset, LogFrame.Kind kind, byte[] content) implements Found {}

    /** Bytes that are no frame. */
    record Unsound(long offset, String what) implements Found {}
  }

  /** Bytes of the log read so far. */
  long offset() {
    return offset;
  }

  /** Null at the end. */
  @Nullable Found next() throws IOException {
    if (!begun) {
      begun = true;
      String wrong = header();
      if (wrong != null) {
        skipAll();
        return new Found.Unsound(0, wrong);
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
        return new Found.Unsound(start, (offset - start) + " bytes are damaged");
      }
    }
    return new Found.Unsound(
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

  /** The length of the content of the sound frame that begins here; negative when none does. */
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
    return new Found.Sound(start, kind, bytes);
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

  /** Reads until so many bytes are there; how many are, fewer only at the end. */
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

  /**
   * A little at a time: a length may be damaged, and there may be nothing to fill the room with.
   */
  private void makeRoom() {
    int left = to - from;
    byte[] room = from > 0 ? window : new byte[window.length * 2];
    System.arraycopy(window, from, room, 0, left);
    window = room;
    from = 0;
    to = left;
  }
}
