package io.strowger.stores.journal;

import java.util.List;
import java.util.UUID;

/**
 * The journal of a node that ended, left in the data directory it used.
 *
 * @param node the id of the node; every start of a process is a node of its own
 * @param complete whether nothing that the node wrote is missing, because it ended in good order or
 *     because only its process ended and the machine kept running; otherwise the items of its last
 *     moments may be missing
 * @param boot the boot id of the machine it ran on; empty when that is not known
 * @param items the number of all items, including those in files deleted since
 * @param extents the valid parts of its files, in order
 */
public record EndedJournal(
    UUID node, boolean complete, String boot, long items, List<JournalFileExtent> extents) {
  public EndedJournal {
    extents = List.copyOf(extents);
  }

  /** Returns a cursor that begins with the first item that is not deleted. */
  public JournalCursor cursor() {
    return cursor(0);
  }

  /**
   * Returns a cursor that begins with an item, or with the next one that is not deleted.
   *
   * @param from the number of the item
   */
  public JournalCursor cursor(long from) {
    int index = 0;
    while (index + 1 < extents.size() && extents.get(index + 1).firstItem() <= from) {
      index++;
    }
    List<JournalFileExtent> remaining =
        from < items ? extents.subList(index, extents.size()) : List.of();
    return new JournalCursor(node, () -> remaining).from(from);
  }
}
