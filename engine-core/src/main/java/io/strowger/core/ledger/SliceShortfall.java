package io.strowger.core.ledger;

/**
 * A slice that does not cover what is needed, or soon will not.
 *
 * @param book the book that the slice belongs to
 * @param window the window of the slice in that book
 * @param limit the limit of the budget, in nanodollars
 * @param hold the amount needed beyond what is spent, in nanodollars; 0 for a refill
 */
record SliceShortfall(Book book, Window window, LocalSlice slice, long limit, long hold) {}
