package io.strowger.providers.sse;

import io.strowger.spi.ambient.FairShare;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads server-sent events: lines end in CR LF, LF or CR, {@code data:} with or without a space,
 * several data lines are one text joined by LF, comments and unknown fields are passed over, a byte
 * order mark at the start too. An event without data is none. What the end of the stream cuts off
 * is not an event either, as the standard has it; {@link #cut()} tells.
 *
 * <p>The data is handed out as a view into the reader's own buffer, valid until the next call of
 * {@link #next()} or {@link #ready()}; it is bytes, so a character split over two reads is whole
 * again. For one thread.
 *
 * <p>Contract: chat fact sheet, section 8. Test: {@code SseReaderTest}, {@code
 * SseReaderProperties}.
 */
public final class SseReader {
  /** Enough for an image in base64, not enough to hurt. */
  public static final int DEFAULT_MAX_EVENT_BYTES = 8 << 20;

  private static final int FIRST_BUFFER = 8 << 10;
  private static final byte[] DATA = "data".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] EVENT = "event".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final InputStream in;
  private final int maxEventBytes;
  private final Growth growth;
  private final FairShare turn = new FairShare(FairShare.READ_BYTES);
  private byte[] buffer = new byte[FIRST_BUFFER];
  private int limit; // end of what was read
  private int line; // start of the line not taken yet
  private int scanned; // no end of line from there to here
  private int kept; // start of what must stay in the buffer
  private boolean started; // past a byte order mark
  private boolean skipLineFeed; // the last line ended in CR, an LF now belongs to it
  private boolean ended;

  private boolean found; // the event described below is complete
  private boolean ahead; // and was not handed out yet
  private @Nullable IOException failure; // met while looking ahead
  private boolean hasData;
  private int dataStart;
  private int dataEnd;
  private int nameStart;
  private int nameEnd;
  private @Nullable String lateName; // came behind data, where further data may move to
  private long comments;

  /** Asked before the buffer grows; the buffer never shrinks. */
  @FunctionalInterface
  public interface Growth {
    /**
     * @param bytes how many more the buffer will hold; positive
     * @throws IOException when there is no memory for them: reading fails with it
     */
    void grow(int bytes) throws IOException;
  }

  public SseReader(InputStream in) {
    this(in, DEFAULT_MAX_EVENT_BYTES);
  }

  /**
   * @param in read, never closed
   * @param maxEventBytes most bytes of one event with its field names, and of one line; positive
   */
  public SseReader(InputStream in, int maxEventBytes) {
    this(in, maxEventBytes, bytes -> {});
  }

  /**
   * @param in read, never closed
   * @param maxEventBytes most bytes of one event with its field names, and of one line; positive
   * @param growth asked whenever an event does not fit into the buffer
   */
  public SseReader(InputStream in, int maxEventBytes, Growth growth) {
    if (maxEventBytes < 1) {
      throw new IllegalArgumentException("maxEventBytes must be positive, was " + maxEventBytes);
    }
    this.in = in;
    this.maxEventBytes = maxEventBytes;
    this.growth = growth;
  }

  /**
   * Waits for the next event.
   *
   * @return false at the end of the stream
   * @throws EventTooLargeException when an event or a line exceeds its bound
   * @throws IOException when reading fails, or when there is no memory for what is read
   */
  public boolean next() throws IOException {
    if (ahead) {
      ahead = false;
      return true;
    }
    if (failure != null) {
      throw failure;
    }
    forgetTaken();
    while (!parse()) {
      if (ended || !fill(Integer.MAX_VALUE)) {
        return false;
      }
    }
    return true;
  }

  /**
   * True when {@link #next()} would not wait: an event is complete in the buffer, with what can be
   * read without waiting, or the stream has ended or failed.
   */
  public boolean ready() {
    if (ahead || ended || failure != null) {
      return true;
    }
    forgetTaken();
    try {
      ahead = parse();
      while (!ahead) {
        int there = in.available();
        if (there <= 0) {
          return false;
        }
        if (!fill(there)) {
          return true;
        }
        ahead = parse();
      }
    } catch (IOException told) {
      failure = told;
    }
    return true;
  }

  /** The buffer the current event lies in. */
  public byte[] buffer() {
    return buffer;
  }

  /** Where the event's data begins in {@link #buffer()}. */
  public int start() {
    return dataStart;
  }

  /** Where the event's data ends, exclusive. */
  public int end() {
    return dataEnd;
  }

  /** The event's name; empty when it has none. */
  public String name() {
    return lateName != null ? lateName : text(nameStart, nameEnd);
  }

  private String text(int start, int end) {
    return new String(buffer, start, end - start, StandardCharsets.UTF_8);
  }

  /** Comments seen so far. */
  public long comments() {
    return comments;
  }

  /** True when the stream ended inside an event. */
  public boolean cut() {
    return ended && !found && (hasData || line < limit);
  }

  private void forgetTaken() {
    if (found) {
      startEvent();
    }
  }

  private void startEvent() {
    found = false;
    lateName = null;
    hasData = false;
    dataStart = line;
    dataEnd = line;
    nameStart = line;
    nameEnd = line;
    kept = line;
  }

  /** Takes complete lines until an event is complete; false when more must be read first. */
  private boolean parse() throws EventTooLargeException {
    if (!started && !pastMark()) {
      return false;
    }
    while (line < limit) {
      if (skipLineFeed) {
        skipLineFeed = false;
        if (buffer[line] == '\n') {
          line++;
          scanned = line;
          continue;
        }
      }
      int end = LineScanner.end(buffer, Math.max(scanned, line), limit);
      if (end == limit) {
        scanned = end;
        break;
      }
      int from = line;
      skipLineFeed = buffer[end] == '\r';
      line = end + 1;
      scanned = line;
      if (take(from, end)) {
        return true;
      }
    }
    if (limit - kept > maxEventBytes) {
      throw new EventTooLargeException(maxEventBytes);
    }
    return false;
  }

  private boolean pastMark() {
    int there = Math.min(limit, MARK.length);
    boolean marked = Arrays.equals(buffer, 0, there, MARK, 0, there);
    if (marked && there < MARK.length) {
      return false;
    }
    started = true;
    if (marked) {
      line = MARK.length;
      startEvent();
    }
    return true;
  }

  /** One line; true when it completes an event. */
  private boolean take(int from, int end) throws EventTooLargeException {
    if (end - kept > maxEventBytes) {
      throw new EventTooLargeException(maxEventBytes);
    }
    if (from == end) {
      found = hasData;
      if (!hasData) {
        startEvent();
      }
      return found;
    }
    if (buffer[from] == ':') {
      comments++;
    } else if (isField(from, end, DATA)) {
      data(valueStart(from + DATA.length, end), end);
    } else if (isField(from, end, EVENT)) {
      name(valueStart(from + EVENT.length, end), end);
    }
    if (!hasData && nameStart == nameEnd) {
      startEvent(); // nothing to keep
    }
    return false;
  }

  private boolean isField(int from, int end, byte[] name) {
    int after = from + name.length;
    return after <= end
        && Arrays.equals(buffer, from, after, name, 0, name.length)
        && (after == end || buffer[after] == ':');
  }

  private int valueStart(int colon, int end) {
    int start = Math.min(colon + 1, end);
    return start < end && buffer[start] == ' ' ? start + 1 : start;
  }

  private void name(int start, int end) {
    if (hasData) {
      lateName = text(start, end);
    } else {
      nameStart = start;
      nameEnd = end;
    }
  }

  /** A further line moves up behind the one before; their field name leaves more than the room. */
  private void data(int start, int end) {
    if (!hasData) {
      hasData = true;
      dataStart = start;
      dataEnd = end;
      return;
    }
    buffer[dataEnd++] = '\n';
    System.arraycopy(buffer, start, buffer, dataEnd, end - start);
    dataEnd += end - start;
  }

  /** Reads once, at most {@code most} bytes; false at the end of the stream. */
  private boolean fill(int most) throws IOException {
    if (limit == buffer.length || limit == kept) {
      makeRoom();
    }
    int read = in.read(buffer, limit, Math.min(most, buffer.length - limit));
    if (read < 0) {
      ended = true;
      return false;
    }
    limit += read;
    turn.advance(read);
    return true;
  }

  private void makeRoom() throws IOException {
    if (kept == 0 && limit > 0) {
      long wanted = Math.min(buffer.length * 2L, (long) maxEventBytes + FIRST_BUFFER);
      int size = (int) Math.min(wanted, Integer.MAX_VALUE - 8);
      growth.grow(size - buffer.length);
      buffer = Arrays.copyOf(buffer, size);
      return;
    }
    System.arraycopy(buffer, kept, buffer, 0, limit - kept);
    limit -= kept;
    line -= kept;
    scanned -= kept;
    dataStart -= kept;
    dataEnd -= kept;
    nameStart -= kept;
    nameEnd -= kept;
    kept = 0;
  }
}
