/**
 * The ledger in a database that several nodes may share: who may spend how much of a budget, and
 * what was spent. Start reading at {@link io.strowger.stores.ledger.JdbcLedger}.
 */
@NullMarked
package io.strowger.stores.ledger;

import org.jspecify.annotations.NullMarked;
