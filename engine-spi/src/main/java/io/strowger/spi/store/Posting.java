package io.strowger.spi.store;

import java.util.List;

/**
 * The lines of one act with its failed attempts, and where they count: in every account or in none.
 *
 * @param entries at least one
 * @param accounts each a payer in a window; every entry counts in all of them
 */
public record Posting(List<Entry> entries, List<Account> accounts) {
  /**
   * Where money is counted.
   *
   * @param payer {@link Payer#toString()}, such as {@code key:<hash>} or {@code account:default}
   * @param window {@link Period#window}, such as {@code all} or {@code 2026-11-21}; part of the
   *     identity, so a new period starts at zero by itself
   */
  public record Account(String payer, String window) {}

  public Posting {
    entries = List.copyOf(entries);
    accounts = List.copyOf(accounts);
    if (entries.isEmpty()) {
      throw new IllegalArgumentException("a posting must have at least one entry");
    }
  }

  /** What all entries cost together. */
  public Charge total() {
    Charge sum = Charge.ZERO;
    for (Entry entry : entries) {
      sum = sum.plus(entry.charge());
    }
    return sum;
  }
}
