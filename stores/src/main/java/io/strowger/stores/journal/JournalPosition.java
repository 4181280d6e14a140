package io.strowger.stores.journal;

import java.nio.file.Path;

/**
 * Where an item was written.
 *
 * @param number of the item
 */
public record JournalPosition(long number, Path file, long offset) {}
