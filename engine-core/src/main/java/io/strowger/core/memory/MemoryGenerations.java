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
  static final Duration KEPT = Duration.ofHours(1);

  /**
   * The maximum size of all records with their content, in bytes; their index takes a sixteenth
   * more.
   */
  static final long MAX_BYTES = 32L << 20;

  /**
   * Half the size from which the garbage collector treats arrays as large objects, which make it
   * scan the heap.
   */
  static final int SEGMENT_BYTES = 1 << 18;

  private final AtomicReference<Segment[]> segments =
      new AtomicReference<>(new Segment[0]); // the newest last

  /** Arrival time of the request saved last, in Unix ms; a clock that is set back lowers it. */
  private volatile long last = Long.MIN_VALUE;

  @Override
  public void save(Generation generation) {
    var entry = new Entry(generation);
    while (true) {
      Segment[] all = segments.get();
      if (all.length > 0 && all[all.length - 1].add(entry)) {
        break;
      }
      // a thread that loses this race finds room in the segment of the winner
      segments.compareAndSet(all, withRoomFor(entry, all));
    }
    last = generation.at().toEpochMilli();
  }

  /** Returns the segments with a new one, without the oldest ones that exceed the limit. */
  private Segment[] withRoomFor(Entry entry, Segment[] all) {
    var added = new Segment(Math.max(SEGMENT_BYTES, entry.size));
    int first = all.length;
    long bytes = added.bytes.length;
    while (first > 0 && bytes + all[first - 1].bytes.length <= MAX_BYTES) {
      first--;
      bytes += all[first].bytes.length;
    }
    Segment[] kept = Arrays.copyOfRange(all, first, all.length + 1);
    kept[kept.length - 1] = added;
    return kept;
  }

  @Override
  public @Nullable Generation find(String id) {
    byte[] name = id.getBytes(StandardCharsets.UTF_8);
    Segment[] all = segments.get();
    for (int i = all.length - 1; i >= 0; i--) {
      Generation found = all[i].find(id, name);
      if (found != null) {
        return isOld(found) ? null : found;
      }
    }
    return null;
  }

  private boolean isOld(Generation found) {
    return last - found.at().toEpochMilli() > KEPT.toMillis();
  }

  /** A record, with its id and owner in UTF-8 as they are written. */
  private static final class Entry {
    private static final int NO_CONTENT = -1;
    private static final int HEAD = 4 * Integer.BYTES + Long.BYTES + Integer.BYTES;

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
              Segment.SMALLEST_ENTRY,
              Math.addExact(
                  HEAD + id.length + owner.length + generation.row().length,
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
    static @Nullable Generation read(ByteBuffer in, String id, byte[] name) {
      int idLength = in.getInt();
      int ownerLength = in.getInt();
      int rowLength = in.getInt();
      int contentLength = in.getInt();
      Instant at = Instant.ofEpochSecond(in.getLong(), in.getInt());
      if (!Arrays.equals(next(in, idLength), name)) {
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
    static final int SMALLEST_ENTRY = 128;

    private final byte[] bytes;
    private final AtomicInteger end = new AtomicInteger();
    private final AtomicIntegerArray places; // 1 more than where a record begins, 0 for none
    private final int mask;

    Segment(int size) {
      this.bytes = new byte[size];
      // twice the maximum number of records, so that there is always an empty place
      int most = size == SEGMENT_BYTES ? size / SMALLEST_ENTRY : 1;
      this.places = new AtomicIntegerArray(Integer.highestOneBit(most) * 2);
      this.mask = places.length() - 1;
    }

    /** Adds a record; returns false when there is no room. */
    boolean add(Entry entry) {
      int begin;
      do {
        begin = end.get();
        if (entry.size > bytes.length - begin) {
          return false;
        }
      } while (!end.compareAndSet(begin, begin + entry.size));
      entry.write(ByteBuffer.wrap(bytes, begin, entry.size));
      int place = entry.hash() & mask;
      while (!places.compareAndSet(place, 0, begin + 1)) {
        place = place + 1 & mask;
      }
      return true;
    }

    /** Returns the record that was saved last under this id; null when there is none. */
    @Nullable Generation find(String id, byte[] name) {
      Generation last = null;
      int lastBegin = -1;
      int place = Entry.hash(id) & mask;
      for (int begin = places.get(place) - 1; begin >= 0; begin = places.get(place) - 1) {
        if (begin > lastBegin) {
          Generation found =
              Entry.read(ByteBuffer.wrap(bytes, begin, bytes.length - begin), id, name);
          if (found != null) {
            last = found;
            lastBegin = begin;
          }
        }
        place = place + 1 & mask;
      }
      return last;
    }
  }
}
