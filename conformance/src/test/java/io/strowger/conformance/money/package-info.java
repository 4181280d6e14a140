/**
 * Money from the caller's request to the books, over every store. Start reading at {@link
 * io.strowger.conformance.money.ParallelSpendingTest}.
 */
@NullMarked
package io.strowger.conformance.money;

import org.jspecify.annotations.NullMarked;
