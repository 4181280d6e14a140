package io.strowger.core.memory;

import io.strowger.spi.store.GenerationStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Records of the latest requests, lost when the process ends. Old records are no longer found. When
 * the records take too much memory, the oldest are dropped, many at once, but never the latest one.
 * Takes no lock.
 *
 * <p>Records are stored one after the other in a few large arrays. As objects they would outlive
 * their requests, and the garbage collector would copy each of them about ten times.
 */
public final class MemoryGenerations implements GenerationStore {
  /** The longest time a record is kept, measured by the arrival times of requests. */
  static final Duration RETENTION = Duration.ofHours(1);

  /**
   * The maximum size of all records with their content, in bytes; their index takes a sixteenth
   * more.
   */
  static final long MAX_BYTES = 32L << 20;

  /**
   * The size of a segment: 256 KiB. With its smallest regions (1 MiB), G1 treats arrays of 512 KiB
   * as humongous, and allocating those can start a concurrent cycle of the garbage collector.
   */
  static final int SEGMENT_BYTES = 1 << 18;

  private final AtomicReference<Segment[]> segments =
      new AtomicReference<>(new Segment[0]); // the newest last

  /** Arrival time of the request saved last, in Unix ms; a clock that is set back lowers it. */
  private volatile long lastArrivalMillis = Long.MIN_VALUE;

  @Override
  public void save(Generation generation) {
    var entry = new Entry(generation);
    Segment newSegment = null;
    while (true) {
      Segment[] current = segments.get();
      if (current.length > 0 && current[current.length - 1].add(entry)) {
        break; // a thread that loses the race below may find room in the segment of the winner
      }
      if (newSegment == null) {
        newSegment = Segment.startingWith(entry);
      }
      if (segments.compareAndSet(current, withNewest(newSegment, current))) {
        break;
      }
    }
    lastArrivalMillis = generation.at().toEpochMilli();
  }

  /** Returns the segments with a new one, without the oldest ones that exceed the limit. */
  private static Segment[] withNewest(Segment newSegment, Segment[] current) {
    int first = current.length;
    long bytes = newSegment.bytes.length;
    while (first > 0 && bytes + current[first - 1].bytes.length <= MAX_BYTES) {
      first--;
      bytes += current[first].bytes.length;
    }
    Segment[] result = Arrays.copyOfRange(current, first, current.length + 1);
    result[result.length - 1] = newSegment;
    return result;
  }

  @Override
  public @Nullable Generation find(String id) {
    byte[] idBytes = id.getBytes(StandardCharsets.UTF_8);
    Segment[] current = segments.get();
    for (int i = current.length - 1; i >= 0; i--) {
      Generation generation = current[i].find(id, idBytes);
      if (generation != null) {
        return isOld(generation) ? null : generation;
      }
    }
    return null;
  }

  private boolean isOld(Generation generation) {
    return lastArrivalMillis - generation.at().toEpochMilli() > RETENTION.toMillis();
  }

  /** A record, with its id and owner in UTF-8 as they are written. */
  private static final class Entry {
    private static final int NO_CONTENT = -1;
    private static final int HEADER_BYTES = 4 * Integer.BYTES + Long.BYTES + Integer.BYTES;

    private final Generation generation;
    private final byte[] id;
    private final byte[] owner;
    private final int size;

    Entry(Generation generation) {
      this.generation = generation;
      this.id = generation.id().getBytes(StandardCharsets.UTF_8);
      this.owner = generation.owner().getBytes(StandardCharsets.UTF_8);
      byte[] content = generation.content();
      this.size =
          Math.max(
              Segment.MIN_ENTRY_BYTES,
              Math.addExact(
                  HEADER_BYTES + id.length + owner.length + generation.row().length,
                  content == null ? 0 : content.length));
    }

    int hash() {
      return hash(generation.id());
    }

    static int hash(String id) {
      int hash = id.hashCode();
      return hash ^ hash >>> 16;
    }

    void write(ByteBuffer out) {
      byte[] content = generation.content();
      Instant at = generation.at();
      out.putInt(id.length).putInt(owner.length).putInt(generation.row().length);
      out.putInt(content == null ? NO_CONTENT : content.length);
      out.putLong(at.getEpochSecond()).putInt(at.getNano());
      out.put(id).put(owner).put(generation.row());
      if (content != null) {
        out.put(content);
      }
    }

    /** Reads a record; returns null when it has another id. */
    static @Nullable Generation read(ByteBuffer in, String id, byte[] idBytes) {
      int idLength = in.getInt();
      int ownerLength = in.getInt();
      int rowLength = in.getInt();
      int contentLength = in.getInt();
      Instant at = Instant.ofEpochSecond(in.getLong(), in.getInt());
      if (!Arrays.equals(next(in, idLength), idBytes)) {
        return null;
      }
      var owner = new String(next(in, ownerLength), StandardCharsets.UTF_8);
      byte[] row = next(in, rowLength);
      return new Generation(
          id, owner, at, row, contentLength == NO_CONTENT ? null : next(in, contentLength));
    }

    private static byte[] next(ByteBuffer in, int length) {
      byte[] bytes = new byte[length];
      in.get(bytes);
      return bytes;
    }
  }

  /**
   * A sequence of records with an index by the hash of the id. A thread that saves a record
   * reserves a range, fills it, and then indexes it, so no thread finds half a record.
   */
  private static final class Segment {
    static final int MIN_ENTRY_BYTES = 128;

    private final byte[] bytes;
    private final AtomicInteger end = new AtomicInteger();
    private final AtomicIntegerArray index; // 1 more than where a record begins, 0 for none
    private final int mask;

    private Segment(int size) {
      this.bytes = new byte[size];
      // twice the maximum number of records, so that there is always an empty place
      int maxRecords = size == SEGMENT_BYTES ? size / MIN_ENTRY_BYTES : 1;
      this.index = new AtomicIntegerArray(Integer.highestOneBit(maxRecords) * 2);
      this.mask = index.length() - 1;
    }

    /**
     * Returns a segment that has a record. It must have it before other threads know the segment: a
     * record that needs a segment of its own fills it, and the index has room for no other.
     */
    static Segment startingWith(Entry entry) {
      var segment = new Segment(Math.max(SEGMENT_BYTES, entry.size));
      segment.add(entry);
      return segment;
    }

    /** Adds a record; returns false when there is no room. */
    boolean add(Entry entry) {
      int offset;
      do {
        offset = end.get();
        if (entry.size > bytes.length - offset) {
          return false;
        }
      } while (!end.compareAndSet(offset, offset + entry.size));
      entry.write(ByteBuffer.wrap(bytes, offset, entry.size));
      int slot = entry.hash() & mask;
      while (!index.compareAndSet(slot, 0, offset + 1)) {
        slot = slot + 1 & mask;
      }
      return true;
    }

    /** Returns the record that was saved last under this id; null when there is none. */
    @Nullable Generation find(String id, byte[] idBytes) {
      Generation last = null;
      int lastOffset = -1;
      int slot = Entry.hash(id) & mask;
      for (int offset = index.get(slot) - 1; offset >= 0; offset = index.get(slot) - 1) {
        if (offset > lastOffset) {
          Generation generation =
              Entry.read(ByteBuffer.wrap(bytes, offset, bytes.length - offset), id, idBytes);
          if (generation != null) {
            last = generation;
            lastOffset = offset;
          }
        }
        slot = slot + 1 & mask;
      }
      return last;
    }
  }
}
