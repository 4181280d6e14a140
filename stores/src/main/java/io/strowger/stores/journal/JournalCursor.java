package io.strowger.stores.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads a journal, which may still be written to: either all of its items or those of one kind. */
public final class JournalCursor implements Closeable {
  private static final long MAX_BYTES = 4 << 20;

  private final UUID node;
  private final Supplier<List<JournalFileExtent>> source;
  private final IntPredicate kinds;
  private final long from;
  private @Nullable FrameFileReader reader;
  private @Nullable Path openFile;
  private long offset; // in openFile, of the item with the number below
  private long number = -1;

  JournalCursor(UUID node, Supplier<List<JournalFileExtent>> source) {
    this(node, source, kind -> true, 0);
  }

  /**
   * @param kinds tests by the first octet of an item whether it is read
   * @param from the number of the first item that is read
   */
  private JournalCursor(
      UUID node, Supplier<List<JournalFileExtent>> source, IntPredicate kinds, long from) {
    this.node = node;
    this.source = source;
    this.kinds = kinds;
    this.from = from;
  }

  /** Returns a new cursor of the same kind that begins with an item. */
  JournalCursor from(long first) {
    return new JournalCursor(node, source, kinds, first);
  }

  /** Returns a new cursor that reads only ledger lines, with the records that came with them. */
  public JournalCursor ofLines() {
    return new JournalCursor(node, source, ItemCodec::isLines, from);
  }

  /** Returns a new cursor that reads only records that came without lines. */
  public JournalCursor ofGenerations() {
    return new JournalCursor(node, source, ItemCodec::isGeneration, from);
  }

  /** Returns the number of the next item; -1 before the first read. */
  public long next() {
    return number;
  }

  /**
   * Returns the next items. The list is empty when there are no more yet, or when many items were
   * read and none was of the kind, in which case {@link #next} has changed. When an item cannot be
   * read, those before it are returned first, and each further call fails until it can be read.
   *
   * @param maxItems the most items, at least 1; fewer are returned when they are large
   * @throws IOException with a message for the operator, when the files were changed by another
   *     program; no item is skipped when this is called again
   */
  public List<NumberedItem> read(int maxItems) throws IOException {
    var items = new ArrayList<NumberedItem>();
    try {
      read(maxItems, items);
    } catch (IOException | RuntimeException | Error e) {
      closeAfter(e);
      if (items.isEmpty()) {
        throw e;
      }
      // the next call reports the failure, unless reading works by then
    }
    return items;
  }

  /** Closes the reader, so that the next attempt begins with the item that could not be read. */
  private void closeAfter(Throwable failure) {
    try {
      close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private void read(int maxItems, List<NumberedItem> items) throws IOException {
    long bytes = 0;
    for (JournalFileExtent journalFileExtent : source.get()) {
      boolean isFull = items.size() >= maxItems || bytes >= MAX_BYTES;
      if (!isFull
          && (journalFileExtent.firstItem() >= number
              || journalFileExtent.file().equals(openFile))) {
        bytes += read(journalFileExtent, maxItems, items);
      }
    }
  }

  private long read(JournalFileExtent journalFileExtent, int maxItems, List<NumberedItem> items)
      throws IOException {
    FrameFileReader current = reader;
    if (current == null || !journalFileExtent.file().equals(openFile)) {
      boolean isReopened = journalFileExtent.file().equals(openFile);
      current =
          new FrameFileReader(
              journalFileExtent.file(), node, isReopened ? offset : SegmentHeader.LENGTH);
      close(); // only now: if the next file cannot be opened, this one is continued
      reader = current;
      if (!isReopened) {
        openFile = journalFileExtent.file();
        offset = SegmentHeader.LENGTH;
        number = journalFileExtent.firstItem();
      }
    }
    long begin = current.offset();
    while (items.size() < maxItems
        && current.offset() - begin < MAX_BYTES
        && current.offset() < journalFileExtent.end()) {
      byte[] content =
          current.next(journalFileExtent.end(), number < from ? octet -> false : kinds);
      if (content == null) {
        throw new IOException(journalFileExtent.file() + " was changed while it was in use");
      }
      if (content.length > 0) {
        items.add(new NumberedItem(number, ItemCodec.unpack(content)));
      }
      number++;
      offset = current.offset();
    }
    return current.offset() - begin;
  }

  @Override
  public void close() throws IOException {
    if (reader != null) {
      reader.close();
      reader = null;
    }
  }
}
