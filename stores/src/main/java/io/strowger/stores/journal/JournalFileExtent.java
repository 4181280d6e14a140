package io.strowger.stores.journal;

import java.nio.file.Path;

/**
 * The valid part of a file of a journal.
 *
 * @param first the number of its first item
 * @param end the offset in bytes where the valid part ends
 */
record JournalFileExtent(Path file, long first, long end) {}
