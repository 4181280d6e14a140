package io.strowger.stores.journal;

/**
 * An item and its number in the journal of its node, from 0.
 *
 * @param number the number, one more than that of the item before
 */
public record NumberedItem(long number, JournalItem item) {}
