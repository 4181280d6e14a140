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
 * The files of a node's journal; a new file is begun when the last one is full. The remains of a
 * failed write are cut off before anything else is written, so that they do not hide what follows.
 * For one thread at a time.
 */
final class Segments {
  private final Path directory;
  private final JournalFileSystem journalFileSystem;
  private final UUID node;
  private final String boot;
  private final long mostBytes;

  private final List<JournalFileExtent> full = new ArrayList<>();
  private final Deque<JournalFileSystem.Output> unforced =
      new ArrayDeque<>(); // of files that are full
  private JournalFileSystem.@Nullable Output output;
  private Path file;
  private long first;
  private long length;
  private long number; // of the next item
  private boolean torn; // the file may be longer than {@code length}
  private boolean named; // the directory was forced after the file was created

  Segments(
      Path directory, JournalFileSystem journalFileSystem, UUID node, String boot, long mostBytes)
      throws IOException {
    this.directory = directory;
    this.journalFileSystem = journalFileSystem;
    this.node = node;
    this.boot = boot;
    this.mostBytes = mostBytes;
    this.file = directory;
    begin();
  }

  private JournalFileSystem.Output begin() throws IOException {
    var header = new SegmentHeader(node, boot, number);
    Path next = directory.resolve(header.fileName());
    JournalFileSystem.Output begun = journalFileSystem.create(next);
    try {
      begun.truncate(0); // an attempt before may have left something
      begun.write(header.bytes());
    } catch (IOException e) {
      begun.close();
      throw e;
    }
    if (output != null) {
      full.add(new JournalFileExtent(file, first, length));
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
   * @return the position of the first of them
   */
  JournalPosition write(byte[] frames, int items) throws IOException {
    JournalFileSystem.Output into = mended();
    if (length >= mostBytes) {
      into = begin();
    }
    var position = new JournalPosition(number, file, length);
    torn = true;
    into.write(frames);
    torn = false;
    length += frames.length;
    number += items;
    return position;
  }

  /** Cuts off what is left of a failed write. */
  void mend() throws IOException {
    mended();
  }

  private JournalFileSystem.Output mended() throws IOException {
    JournalFileSystem.Output current = output;
    if (current == null) {
      throw new IOException("the journal is closed");
    }
    if (torn) {
      current.truncate(length);
      torn = false;
    }
    return current;
  }

  /** Returns the extents that have been written so far. */
  List<JournalFileExtent> pieces() {
    var all = new ArrayList<>(full);
    all.add(new JournalFileExtent(file, first, length));
    return all;
  }

  /**
   * Returns the oldest full files that have only items before this number.
   *
   * @param also a further condition
   */
  List<JournalFileExtent> fullBefore(long before, Predicate<JournalFileExtent> also) {
    var found = new ArrayList<JournalFileExtent>();
    for (int i = 0; i < full.size(); i++) {
      long firstBehind = i + 1 < full.size() ? full.get(i + 1).first() : first;
      if (firstBehind > before || !also.test(full.get(i))) {
        break;
      }
      found.add(full.get(i));
    }
    return found;
  }

  /** Removes the oldest full file, which was deleted, from the list. */
  void deleted(JournalFileExtent oldest) {
    if (full.getFirst() != oldest) {
      throw new IllegalArgumentException("only the oldest journal file may be deleted");
    }
    full.removeFirst();
  }

  /** Returns what must be forced so that everything written so far is on the disk. */
  Work unforced() {
    var outputs = new ArrayList<>(unforced);
    if (output != null) {
      outputs.add(output);
    }
    return new Work(outputs, named ? null : directory, number);
  }

  /** Notes that the work was done; closes full files, which are not written any more. */
  void forced(Work work) throws IOException {
    named |= work.directory() != null && work.before() > first;
    while (!unforced.isEmpty() && work.outputs().contains(unforced.getFirst())) {
      unforced.removeFirst().close();
    }
  }

  /**
   * @param directory the directory to force too; null when nothing was created in it
   * @param before items before this number will be on the disk
   */
  record Work(List<JournalFileSystem.Output> outputs, @Nullable Path directory, long before) {
    void run(JournalFileSystem journalFileSystem) throws IOException {
      for (JournalFileSystem.Output output : outputs) {
        output.force();
      }
      if (directory != null) {
        journalFileSystem.forceDirectory(directory);
      }
    }
  }

  void close() throws IOException {
    for (JournalFileSystem.Output each : unforced) {
      each.close();
    }
    unforced.clear();
    if (output != null) {
      output.close();
      output = null;
    }
  }
}
