package io.strowger.stores.journal;

import java.nio.file.Path;

/**
 * A file of a journal, as far as it is sound.
 *
 * @param first number of its first item
 * @param end bytes that are sound
 */
record JournalFileExtent(Path file, long first, long end) {}
