/** Tests of the journal: what survives, and what is refused. Start at {@code JournalTest}. */
@NullMarked
package io.strowger.stores.journal;

import org.jspecify.annotations.NullMarked;
