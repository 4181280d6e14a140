package io.strowger.stores.journal;

import java.nio.file.Path;

/**
 * The position of an item in a journal.
 *
 * @param number the number of the item
 */
public record JournalPosition(long number, Path file, long offset) {}
