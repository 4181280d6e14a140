package io.strowger.providers.sse;

import io.strowger.spi.ambient.FairShare;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads server-sent events. Lines end in CR LF, LF or CR; {@code data:} may be followed by a space;
 * several data lines are joined by LF; comments, unknown fields and an initial byte order mark are
 * skipped. An event without data is ignored, and so is an event that the end of the stream cuts
 * off, as the standard requires; {@link #isTruncated()} reports such an end.
 *
 * <p>The data is a view into the reader's own buffer, valid until the next call of {@link #next()}
 * or {@link #ready()}; it is raw bytes, so a character split over two reads is intact. For one
 * thread.
 *
 * <p>Contract: chat fact sheet, section 8. Test: {@code SseReaderTest}, {@code
 * SseReaderProperties}.
 */
public final class SseReader {
  /** Large enough for an image in base64, in bytes. */
  public static final int DEFAULT_MAX_EVENT_BYTES = 8 << 20;

  private static final int INITIAL_BUFFER_BYTES = 8 << 10;
  private static final byte[] DATA = "data".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] EVENT = "event".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final InputStream in;
  private final int maxEventBytes;
  private final Growth growth;
  private final FairShare fairShare = new FairShare(FairShare.READ_BYTES);
  private byte[] buffer = new byte[INITIAL_BUFFER_BYTES];
  private int limit; // end of the bytes read
  private int line; // start of the first unprocessed line
  private int scanned; // no line end from line to here
  private int keepFrom; // start of the bytes to keep in the buffer
  private boolean started; // past a byte order mark
  private boolean skipLineFeed; // the last line ended in CR; a following LF belongs to it
  private boolean ended;

  private boolean eventComplete; // the event described below is complete
  private boolean eventPending; // the event was found by ready() and not returned yet
  private @Nullable IOException failure; // found while looking ahead
  private boolean hasData;
  private int dataStart;
  private int dataEnd;
  private int nameStart;
  private int nameEnd;
  private @Nullable String lateName; // set if the name comes after data, which may overwrite it
  private long comments;

  /** Called before the buffer grows; the buffer never shrinks. */
  @FunctionalInterface
  public interface Growth {
    /**
     * Reserves memory for the larger buffer.
     *
     * @param bytes the number of bytes the buffer grows by; positive
     * @throws IOException when there is no memory for these bytes; reading then fails with this
     *     exception
     */
    void grow(int bytes) throws IOException;
  }

  public SseReader(InputStream in) {
    this(in, DEFAULT_MAX_EVENT_BYTES);
  }

  /**
   * @param in the stream to read; never closed by this reader
   * @param maxEventBytes the most bytes of an event with its field names, and of a line; positive
   */
  public SseReader(InputStream in, int maxEventBytes) {
    this(in, maxEventBytes, bytes -> {});
  }

  /**
   * @param in the stream to read; never closed by this reader
   * @param maxEventBytes the most bytes of an event with its field names, and of a line; positive
   * @param growth called whenever an event does not fit into the buffer
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
    if (eventPending) {
      eventPending = false;
      return true;
    }
    if (failure != null) {
      throw failure;
    }
    discardReturned();
    while (!parse()) {
      if (ended || !fill(Integer.MAX_VALUE)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether {@link #next()} would return or throw without waiting: because an event can be
   * completed with the bytes that are available, or because the stream has ended or failed.
   */
  public boolean ready() {
    if (eventPending || ended || failure != null) {
      return true;
    }
    discardReturned();
    try {
      eventPending = parse();
      while (!eventPending) {
        int available = in.available();
        if (available <= 0) {
          return false;
        }
        if (!fill(available)) {
          return true;
        }
        eventPending = parse();
      }
    } catch (IOException cause) {
      failure = cause;
    }
    return true;
  }

  /** Returns the buffer that contains the current event. */
  public byte[] buffer() {
    return buffer;
  }

  /** Returns the start of the event's data in {@link #buffer()}. */
  public int start() {
    return dataStart;
  }

  /** Returns the end of the event's data, exclusive. */
  public int end() {
    return dataEnd;
  }

  /** Returns the event's name; empty when it has none. */
  public String name() {
    return lateName != null ? lateName : text(nameStart, nameEnd);
  }

  private String text(int start, int end) {
    return new String(buffer, start, end - start, StandardCharsets.UTF_8);
  }

  /** Returns the number of comments so far. */
  public long comments() {
    return comments;
  }

  /** Returns whether the stream ended inside an event. */
  public boolean isTruncated() {
    return ended && !eventComplete && (hasData || line < limit);
  }

  private void discardReturned() {
    if (eventComplete) {
      startEvent();
    }
  }

  private void startEvent() {
    eventComplete = false;
    lateName = null;
    hasData = false;
    dataStart = line;
    dataEnd = line;
    nameStart = line;
    nameEnd = line;
    keepFrom = line;
  }

  /** Parses complete lines up to the end of an event; returns false to ask for more bytes. */
  private boolean parse() throws EventTooLargeException {
    if (!started && !skipByteOrderMark()) {
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
      if (parseLine(from, end)) {
        return true;
      }
    }
    if (limit - keepFrom > maxEventBytes) {
      throw new EventTooLargeException(maxEventBytes);
    }
    return false;
  }

  private boolean skipByteOrderMark() {
    int available = Math.min(limit, BYTE_ORDER_MARK.length);
    boolean hasMark = Arrays.equals(buffer, 0, available, BYTE_ORDER_MARK, 0, available);
    if (hasMark && available < BYTE_ORDER_MARK.length) {
      return false;
    }
    started = true;
    if (hasMark) {
      line = BYTE_ORDER_MARK.length;
      startEvent();
    }
    return true;
  }

  /** Parses one line; returns true when it completes an event. */
  private boolean parseLine(int from, int end) throws EventTooLargeException {
    if (end - keepFrom > maxEventBytes) {
      throw new EventTooLargeException(maxEventBytes);
    }
    if (from == end) {
      eventComplete = hasData;
      if (!hasData) {
        startEvent();
      }
      return eventComplete;
    }
    if (buffer[from] == ':') {
      comments++;
    } else if (isField(from, end, DATA)) {
      addData(valueStart(from + DATA.length, end), end);
    } else if (isField(from, end, EVENT)) {
      setName(valueStart(from + EVENT.length, end), end);
    }
    if (!hasData && nameStart == nameEnd) {
      startEvent(); // the line needs no place in the buffer
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

  private void setName(int start, int end) {
    if (hasData) {
      lateName = text(start, end);
    } else {
      nameStart = start;
      nameEnd = end;
    }
  }

  /** Moves a further data line up behind the previous one; its field name makes room for the LF. */
  private void addData(int start, int end) {
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

  /** Reads once, up to the given number of bytes; returns false at the end of the stream. */
  private boolean fill(int maxBytes) throws IOException {
    if (limit == buffer.length || limit == keepFrom) {
      makeRoom();
    }
    int read = in.read(buffer, limit, Math.min(maxBytes, buffer.length - limit));
    if (read < 0) {
      ended = true;
      return false;
    }
    limit += read;
    fairShare.advance(read);
    return true;
  }

  private void makeRoom() throws IOException {
    if (keepFrom == 0 && limit > 0) {
      long doubled = Math.min(buffer.length * 2L, (long) maxEventBytes + INITIAL_BUFFER_BYTES);
      int size = (int) Math.min(doubled, Integer.MAX_VALUE - 8);
      growth.grow(size - buffer.length);
      buffer = Arrays.copyOf(buffer, size);
      return;
    }
    System.arraycopy(buffer, keepFrom, buffer, 0, limit - keepFrom);
    limit -= keepFrom;
    line -= keepFrom;
    scanned -= keepFrom;
    dataStart -= keepFrom;
    dataEnd -= keepFrom;
    nameStart -= keepFrom;
    nameEnd -= keepFrom;
    keepFrom = 0;
  }

  /** Thrown when an upstream sends an event or a line that exceeds the reader's bound. */
  public static final class EventTooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    EventTooLargeException(int limit) {
      super("an event of the stream exceeds " + limit + " bytes");
    }
  }

  /** Finds line ends, eight bytes at a time, since events are long and have few lines. */
  static final class LineScanner {
    private static final VarHandle LONGS =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
    private static final long ABOVE_CR = 0x0E0E_0E0E_0E0E_0E0EL;

    private LineScanner() {}

    /** Returns the index of the next CR or LF; {@code to} when there is none. */
    static int end(byte[] bytes, int from, int to) {
      int i = from;
      while (i + Long.BYTES <= to) {
        long word = (long) LONGS.get(bytes, i);
        // sets the high bit of bytes below 0x0E; only the lowest such bit is reliable
        long low = (word - ABOVE_CR) & ~word & HIGH_BITS;
        if (low == 0) {
          i += Long.BYTES;
          continue;
        }
        i += Long.numberOfTrailingZeros(low) >> 3;
        if (isEnd(bytes[i])) {
          return i;
        }
        i++; // a tab or the like
      }
      while (i < to && !isEnd(bytes[i])) {
        i++;
      }
      return i;
    }

    private static boolean isEnd(byte b) {
      return b == '\n' || b == '\r';
    }
  }
}
