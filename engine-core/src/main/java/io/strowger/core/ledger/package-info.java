/**
 * Counts money: books of payers in memory, over a store that hands out slices of limits and writes
 * lines down. Start reading at {@link io.strowger.core.ledger.BookLedger}.
 */
@NullMarked
package io.strowger.core.ledger;

import org.jspecify.annotations.NullMarked;
