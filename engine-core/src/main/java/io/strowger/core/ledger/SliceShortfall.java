package io.strowger.core.ledger;

/**
 * A slice that does not cover what is needed, or soon will not.
 *
 * @param book the slice is of
 * @param window in that book
 * @param limit of the budget
 * @param hold what is wanted beyond what is spent; 0 when nobody waits for it
 */
record SliceShortfall(Book book, Window window, LocalSlice slice, long limit, long hold) {}
