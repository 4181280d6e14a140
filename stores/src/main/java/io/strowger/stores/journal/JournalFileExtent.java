package io.strowger.stores.journal;

import java.nio.file.Path;

/**
 * The valid part of a file of a journal.
 *
 * @param firstItem the number of its first item
 * @param end the offset in bytes where the valid part ends
 */
record JournalFileExtent(Path file, long firstItem, long end) {}
