/** Tests of the books in a database. Start at {@code CrashTest}. */
@NullMarked
package io.strowger.stores.ledger;

import org.jspecify.annotations.NullMarked;
