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
  private final Deque<UnforcedPart> unforcedParts = new ArrayDeque<>(); // of files that are full
  private JournalFileSystem.@Nullable Output output;
  private Path file;
  private long firstItem;
  private long length;
  private long forcedLength; // the part of the file that is on the disk itself
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
      unforcedParts.add(new UnforcedPart(output, file, forcedLength, length));
    }
    output = newOutput;
    file = next;
    firstItem = number;
    length = SegmentHeader.LENGTH;
    forcedLength = 0;
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
    var parts = new ArrayList<>(unforcedParts);
    if (output != null) {
      parts.add(new UnforcedPart(output, file, forcedLength, length));
    }
    return new ForceWork(parts, directoryForced ? null : directory, number);
  }

  /** Notes that the work was done; closes full files, which are not written any more. */
  void finishForce(ForceWork work) throws IOException {
    directoryForced |= work.directory() != null && work.before() > firstItem;
    for (UnforcedPart part : work.parts()) {
      if (part.output() == output) {
        forcedLength = part.end();
      }
    }
    while (!unforcedParts.isEmpty() && work.parts().contains(unforcedParts.getFirst())) {
      unforcedParts.removeFirst().output().close();
    }
  }

  /**
   * A part of a file that may not be on the disk itself.
   *
   * @param from 0, or the offset of a frame
   * @param end the offset where the file ended
   */
  record UnforcedPart(JournalFileSystem.Output output, Path file, long from, long end) {
    private void rewrite(JournalFrame frame) throws IOException {
      byte[] bytes = output.read(from, end);
      if (!isIntact(bytes, frame)) {
        throw new IOException(
            file + " lost items when the disk failed; check the disk and restart the gateway");
      }
      output.rewrite(from, bytes);
    }

    private boolean isIntact(byte[] bytes, JournalFrame frame) {
      if (from == 0 && !SegmentHeader.isIntact(bytes)) {
        return false;
      }
      int at = from == 0 ? SegmentHeader.LENGTH : 0;
      while (at + JournalFrame.HEADER <= bytes.length) {
        int contentLength = JournalFrame.length(bytes, at);
        if (contentLength < 0
            || contentLength > bytes.length - at - JournalFrame.HEADER
            || !frame.isValid(bytes, at)) {
          return false;
        }
        at += JournalFrame.HEADER + contentLength;
      }
      return at == bytes.length;
    }
  }

  /**
   * The work of forcing everything written so far to the disk.
   *
   * @param directory the directory to force too; null when nothing was created in it
   * @param before items before this number will be on the disk
   */
  record ForceWork(List<UnforcedPart> parts, @Nullable Path directory, long before) {
    /**
     * Writes the parts again, since the operating system may have dropped them when a force failed.
     * Nothing may be appended meanwhile.
     *
     * @throws IOException when they cannot be written, or when the operating system has dropped
     *     them from memory, too
     */
    void rewrite(JournalFrame frame) throws IOException {
      for (UnforcedPart part : parts) {
        part.rewrite(frame);
      }
    }

    void run(JournalFileSystem journalFileSystem) throws IOException {
      for (UnforcedPart part : parts) {
        part.output().force();
      }
      if (directory != null) {
        journalFileSystem.forceDirectory(directory);
      }
    }
  }

  void close() throws IOException {
    for (UnforcedPart full : unforcedParts) {
      full.output().close();
    }
    unforcedParts.clear();
    if (output != null) {
      output.close();
      output = null;
    }
  }
}
