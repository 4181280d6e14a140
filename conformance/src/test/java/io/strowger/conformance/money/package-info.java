/**
 * Tests of holds, bills and limits from the caller's request to the store, with every kind of
 * store. Start reading at {@link io.strowger.conformance.money.ParallelSpendingTest}.
 */
@NullMarked
package io.strowger.conformance.money;

import org.jspecify.annotations.NullMarked;
