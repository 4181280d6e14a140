package io.strowger.stores.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Determines what the journals of a directory hold. A journal that ends in the middle of an item
 * ends before that item, whose write was never confirmed. It also ends before an item that was not
 * forced to the disk and was damaged by a power loss. Any other difference from what was written is
 * damage and is refused, since what follows it would be lost silently.
 */
final class JournalScanner {
  private final String boot;

  private long number; // of the next item
  private long forcedBefore; // items before this one were on the disk
  private boolean closed;
  private @Nullable Path damagedFile;
  private long damagedAt;
  private long damagedItem; // number of the item that is damaged
  private boolean cutShort;
  private boolean itemFollows; // whether a valid item follows the damage

  private JournalScanner(String boot) {
    this.boot = boot;
  }

  /**
   * Returns all journals of a directory.
   *
   * @param boot the boot id of the machine; empty when that is not known
   * @throws IOException with a message for the operator, when a journal cannot be used
   */
  static List<EndedJournal> of(Path directory, String boot) throws IOException {
    var filesByName = new TreeMap<String, Path>(); // names are in the order of nodes and items
    try (var files = Files.newDirectoryStream(directory, "*" + SegmentHeader.SUFFIX)) {
      files.forEach(file -> filesByName.put(file.getFileName().toString(), file));
    }
    var byNode = new TreeMap<UUID, List<Path>>();
    var headers = new TreeMap<Path, SegmentHeader>();
    for (Path file : filesByName.values()) {
      SegmentHeader header = SegmentHeader.of(file);
      if (header != null) {
        headers.put(file, header);
        byNode.computeIfAbsent(header.node(), node -> new ArrayList<>()).add(file);
      } else if (Files.size(file) <= SegmentHeader.LENGTH) {
        Files.delete(file); // the file was never begun, and holds nothing
      }
    }
    var journals = new ArrayList<EndedJournal>();
    for (List<Path> files : byNode.values()) {
      List<SegmentHeader> fileHeaders = files.stream().map(headers::get).toList();
      journals.add(new JournalScanner(boot).inspect(files, fileHeaders));
    }
    return journals;
  }

  private EndedJournal inspect(List<Path> files, List<SegmentHeader> headers) throws IOException {
    SegmentHeader firstHeader = headers.getFirst();
    boolean sameBoot = !boot.isEmpty() && boot.equals(firstHeader.boot());
    number = firstHeader.firstItem();
    var extents = new ArrayList<JournalFileExtent>();
    for (int i = 0; i < files.size(); i++) {
      Path file = files.get(i);
      if (damagedFile == null && headers.get(i).firstItem() != number) {
        throw new IOException(
            "the journal lacks what comes before "
                + file
                + "; put the missing file back, or move this one away and lose it");
      }
      long firstItem = number;
      long end = read(file, firstHeader.node());
      if (end >= 0) {
        extents.add(new JournalFileExtent(file, firstItem, end));
      }
    }
    if (damagedFile != null && (forcedBefore > damagedItem || closed || sameBoot && itemFollows)) {
      throw new IOException(
          damagedFile
              + " is damaged at byte "
              + damagedAt
              + ", and more follows; restore it from a backup, or move it away and lose what it"
              + " holds");
    }
    // a killed process leaves at most its last write cut short, which was never confirmed; bytes
    // that are there but wrong were dropped by a failed disk, and may have been confirmed
    boolean complete = closed || sameBoot && (damagedFile == null || cutShort);
    return new EndedJournal(firstHeader.node(), complete, firstHeader.boot(), number, extents);
  }

  /**
   * Returns the offset at which the valid part of the file ends; -1 when the journal ended in an
   * earlier file.
   */
  private long read(Path file, UUID node) throws IOException {
    long length = Files.size(file);
    boolean endedBefore = damagedFile != null;
    long end = -1;
    try (var reader = new FrameFileReader(file, node, SegmentHeader.LENGTH)) {
      while (true) {
        byte[] content = reader.next(length, JournalScanner::isDecoded);
        if (content != null) {
          addItem(file, content);
        } else if (damagedFile == null && reader.offset() < length) {
          damagedFile = file;
          damagedAt = reader.offset();
          damagedItem = number;
          cutShort = reader.isCutShort(length);
          end = reader.offset();
        } else if (damagedFile == null) {
          return length;
        }
        if (content == null && !reader.seek(length)) {
          return endedBefore ? -1 : end;
        }
      }
    }
  }

  /**
   * Returns whether an item is decoded here: a mark or an unknown kind. Other items are decoded by
   * their readers; an unknown kind is of a later version, and must not be skipped.
   */
  private static boolean isDecoded(int firstOctet) {
    return !ItemCodec.isLines(firstOctet) && !ItemCodec.isGeneration(firstOctet);
  }

  private static JournalItem unpack(Path file, byte[] content) throws IOException {
    try {
      return ItemCodec.unpack(content);
    } catch (IOException e) {
      throw new IOException(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  private void addItem(Path file, byte[] content) throws IOException {
    if (damagedFile == null) {
      number++;
    } else {
      itemFollows = true;
    }
    if (content.length > 0) {
      switch (unpack(file, content)) {
        case JournalItem.Forced(long before) -> forcedBefore = Math.max(forcedBefore, before);
        case JournalItem.Closed() -> closed = true;
        case JournalItem.Lines lines -> {}
        case JournalItem.Generation generation -> {}
      }
    }
  }
}
