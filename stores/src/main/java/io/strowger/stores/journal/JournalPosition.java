package io.strowger.stores.journal;

import java.nio.file.Path;

/**
 * The position of an item in a journal.
 *
 * @param number the number of the item
 * @param offset the offset of its frame in the file, in bytes
 */
public record JournalPosition(long number, Path file, long offset) {}
