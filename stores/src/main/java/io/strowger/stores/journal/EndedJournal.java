package io.strowger.stores.journal;

import java.util.List;
import java.util.UUID;

/**
 * The journal of a node that ended, left in the data directory it used.
 *
 * @param node which; every start of a process is a node of its own
 * @param complete everything the node wrote down is there: it ended in good order, or its process
 *     did and the machine went on. Otherwise the last moments may be missing
 * @param boot since which start of the machine it ran; empty when that is not known
 * @param items how many there are in all, those in files that were deleted since included
 * @param pieces where they are
 */
public record EndedJournal(
    UUID node, boolean complete, String boot, long items, List<JournalFileExtent> pieces) {
  public EndedJournal {
    pieces = List.copyOf(pieces);
  }

  /** Reads it from the beginning of what is there. */
  public JournalCursor cursor() {
    return cursor(0);
  }

  /**
   * Reads it from an item on, or from the next that is there.
   *
   * @param from number of the item
   */
  public JournalCursor cursor(long from) {
    int begin = 0;
    while (begin + 1 < pieces.size() && pieces.get(begin + 1).first() <= from) {
      begin++;
    }
    List<JournalFileExtent> rest = from < items ? pieces.subList(begin, pieces.size()) : List.of();
    return new JournalCursor(node, () -> rest).from(from);
  }
}
