package io.strowger.stores.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The files a node writes its journal to, a new one whenever one is large. What could not be
 * written whole is taken away again before anything else is written, so it hides nothing that
 * follows. For one thread at a time.
 */
final class Segments {
  private final Path directory;
  private final Disk disk;
  private final UUID node;
  private final String boot;
  private final long mostBytes;

  private final List<Piece> full = new ArrayList<>();
  private final Deque<Disk.Output> unforced = new ArrayDeque<>(); // of files that are full
  private Disk.@Nullable Output output;
  private Path file;
  private long first;
  private long length;
  private long number; // of the next item
  private boolean torn; // more is in the file than its length says
  private boolean named; // the directory was forced since the file was made

  Segments(Path directory, Disk disk, UUID node, String boot, long mostBytes) throws IOException {
    this.directory = directory;
    this.disk = disk;
    this.node = node;
    this.boot = boot;
    this.mostBytes = mostBytes;
    this.file = directory;
    begin();
  }

  private Disk.Output begin() throws IOException {
    var header = new SegmentHeader(node, boot, number);
    Path next = directory.resolve(header.fileName());
    Disk.Output begun = disk.create(next);
    try {
      begun.truncate(0); // an attempt before may have left something
      begun.write(header.bytes());
    } catch (IOException e) {
      begun.close();
      throw e;
    }
    if (output != null) {
      full.add(new Piece(file, first, length));
      unforced.add(output);
    }
    output = begun;
    file = next;
    first = number;
    length = SegmentHeader.LENGTH;
    named = false;
    return begun;
  }

  /**
   * Writes frames, all of them or none.
   *
   * @param items how many frames there are
   * @return where the first of them is
   */
  Place write(byte[] frames, int items) throws IOException {
    Disk.Output into = mended();
    if (length >= mostBytes) {
      into = begin();
    }
    var place = new Place(number, file, length);
    torn = true;
    into.write(frames);
    torn = false;
    length += frames.length;
    number += items;
    return place;
  }

  /** Takes away what is left of a failed attempt to write. */
  void mend() throws IOException {
    mended();
  }

  private Disk.Output mended() throws IOException {
    Disk.Output current = output;
    if (current == null) {
      throw new IOException("the journal is closed");
    }
    if (torn) {
      current.truncate(length);
      torn = false;
    }
    return current;
  }

  /** The number of the next item. */
  long number() {
    return number;
  }

  /** What has been written by now. */
  List<Piece> pieces() {
    var all = new ArrayList<>(full);
    all.add(new Piece(file, first, length));
    return all;
  }

  /**
   * The oldest full files of which every item is before this one.
   *
   * @param also what else must hold of them
   */
  List<Piece> fullBefore(long before, Predicate<Piece> also) {
    var found = new ArrayList<Piece>();
    for (int i = 0; i < full.size(); i++) {
      long firstBehind = i + 1 < full.size() ? full.get(i + 1).first() : first;
      if (firstBehind > before || !also.test(full.get(i))) {
        break;
      }
      found.add(full.get(i));
    }
    return found;
  }

  /** The oldest full file is there no more. */
  void deleted(Piece oldest) {
    if (full.getFirst() != oldest) {
      throw new IllegalArgumentException("only the oldest journal file may be deleted");
    }
    full.removeFirst();
  }

  /** What has to be forced for all that was written by now to be on the disk. */
  Work unforced() {
    var outputs = new ArrayList<>(unforced);
    if (output != null) {
      outputs.add(output);
    }
    return new Work(outputs, named ? null : directory, number);
  }

  /** The work was done. Full files are not written any more, so they are closed. */
  void forced(Work work) throws IOException {
    named |= work.directory() != null && work.before() > first;
    while (!unforced.isEmpty() && work.outputs().contains(unforced.getFirst())) {
      unforced.removeFirst().close();
    }
  }

  /**
   * @param directory to be forced too; null when nothing was made in it
   * @param before items before this one will be on the disk
   */
  record Work(List<Disk.Output> outputs, @Nullable Path directory, long before) {
    void run(Disk disk) throws IOException {
      for (Disk.Output output : outputs) {
        output.force();
      }
      if (directory != null) {
        disk.forceDirectory(directory);
      }
    }
  }

  void close() throws IOException {
    for (Disk.Output each : unforced) {
      each.close();
    }
    unforced.clear();
    if (output != null) {
      output.close();
      output = null;
    }
  }
}
