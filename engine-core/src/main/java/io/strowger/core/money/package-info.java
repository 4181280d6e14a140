/**
 * What a request may spend: its budget over the ledger, and the funds without which no provider is
 * opened. Start reading at {@link io.strowger.core.money.RequestBudget}.
 */
@NullMarked
package io.strowger.core.money;

import org.jspecify.annotations.NullMarked;
