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
  private final long maxBytes;

  private final List<JournalFileExtent> fullFiles = new ArrayList<>();
  private final Deque<JournalFileSystem.Output> unforcedOutputs =
      new ArrayDeque<>(); // of files that are full
  private JournalFileSystem.@Nullable Output output;
  private Path file;
  private long firstItem;
  private long length;
  private long number; // of the next item
  private boolean torn; // the file may be longer than {@code length}
  private boolean directoryForced; // the directory was forced after the file was created

  Segments(
      Path directory, JournalFileSystem journalFileSystem, UUID node, String boot, long maxBytes)
      throws IOException {
    this.directory = directory;
    this.journalFileSystem = journalFileSystem;
    this.node = node;
    this.boot = boot;
    this.maxBytes = maxBytes;
    this.file = directory;
    begin();
  }

  private JournalFileSystem.Output begin() throws IOException {
    var header = new SegmentHeader(node, boot, number);
    Path next = directory.resolve(header.fileName());
    JournalFileSystem.Output newOutput = journalFileSystem.create(next);
    try {
      newOutput.truncate(0); // an attempt before may have left something
      newOutput.write(header.bytes());
    } catch (IOException e) {
      newOutput.close();
      throw e;
    }
    if (output != null) {
      fullFiles.add(new JournalFileExtent(file, firstItem, length));
      unforcedOutputs.add(output);
    }
    output = newOutput;
    file = next;
    firstItem = number;
    length = SegmentHeader.LENGTH;
    directoryForced = false;
    return newOutput;
  }

  /**
   * Writes frames, all of them or none.
   *
   * @param items how many frames there are
   * @return the position of the first frame
   */
  JournalPosition write(byte[] frames, int items) throws IOException {
    JournalFileSystem.Output target = mendedOutput();
    if (length >= maxBytes) {
      target = begin();
    }
    var position = new JournalPosition(number, file, length);
    torn = true;
    target.write(frames);
    torn = false;
    length += frames.length;
    number += items;
    return position;
  }

  /** Cuts off what is left of a failed write. */
  void mend() throws IOException {
    mendedOutput();
  }

  private JournalFileSystem.Output mendedOutput() throws IOException {
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
  List<JournalFileExtent> extents() {
    var extents = new ArrayList<>(fullFiles);
    extents.add(new JournalFileExtent(file, firstItem, length));
    return extents;
  }

  /**
   * Returns the oldest full files that have only items before this number.
   *
   * @param condition a further condition
   */
  List<JournalFileExtent> fullBefore(long before, Predicate<JournalFileExtent> condition) {
    var files = new ArrayList<JournalFileExtent>();
    for (int i = 0; i < fullFiles.size(); i++) {
      long nextFirst = i + 1 < fullFiles.size() ? fullFiles.get(i + 1).firstItem() : firstItem;
      if (nextFirst > before || !condition.test(fullFiles.get(i))) {
        break;
      }
      files.add(fullFiles.get(i));
    }
    return files;
  }

  /** Removes the oldest full file, which was deleted, from the list. */
  void removeDeleted(JournalFileExtent oldest) {
    if (fullFiles.getFirst() != oldest) {
      throw new IllegalArgumentException("only the oldest journal file may be deleted");
    }
    fullFiles.removeFirst();
  }

  /** Returns what must be forced so that everything written so far is on the disk. */
  ForceWork forceWork() {
    var outputs = new ArrayList<>(unforcedOutputs);
    if (output != null) {
      outputs.add(output);
    }
    return new ForceWork(outputs, directoryForced ? null : directory, number);
  }

  /** Notes that the work was done; closes full files, which are not written any more. */
  void finishForce(ForceWork work) throws IOException {
    directoryForced |= work.directory() != null && work.before() > firstItem;
    while (!unforcedOutputs.isEmpty() && work.outputs().contains(unforcedOutputs.getFirst())) {
      unforcedOutputs.removeFirst().close();
    }
  }

  /**
   * @param directory the directory to force too; null when nothing was created in it
   * @param before items before this number will be on the disk
   */
  record ForceWork(List<JournalFileSystem.Output> outputs, @Nullable Path directory, long before) {
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
    for (JournalFileSystem.Output full : unforcedOutputs) {
      full.close();
    }
    unforcedOutputs.clear();
    if (output != null) {
      output.close();
      output = null;
    }
  }
}
