package io.strowger.spi.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ledger entries that are booked together, in all of the given accounts or in none: those of one
 * hold, such as an attempt that delivered and the failed attempts before it. The entries that end a
 * request are booked with its record.
 *
 * @param entries the entries; at least one
 * @param accounts the accounts, each a payer in a window; every entry counts in all of them
 * @param record the record of the request that ends with these entries; null when the request goes
 *     on, or when its record is {@linkplain GenerationStore#save saved} separately
 */
public record Posting(
    List<LedgerEntry> entries,
    List<Account> accounts,
    GenerationStore.@Nullable Generation record) {
  /**
   * A payer in one window of time: where the spending is counted. Not to be confused with the
   * account of the gateway's owner, which is one of the payers.
   *
   * @param payer what the money is spent from: {@code key:<hash>}, {@code account:default}, ...
   * @param window {@link Period#window}, such as {@code all} or {@code 2026-11-21}; part of the
   *     identity, so a new period starts at zero
   */
  public record Account(String payer, String window) {}

  // not compact: in a compact constructor the compiler loses the @Nullable of record
  public Posting(
      List<LedgerEntry> entries,
      List<Account> accounts,
      GenerationStore.@Nullable Generation record) {
    this.entries = List.copyOf(entries);
    this.accounts = List.copyOf(accounts);
    this.record = record;
    if (this.entries.isEmpty()) {
      throw new IllegalArgumentException("a posting must have at least one entry");
    }
  }

  /** Creates a posting without a record, for a request that continues. */
  public Posting(List<LedgerEntry> entries, List<Account> accounts) {
    this(entries, accounts, null);
  }

  /** Returns the sum of the charges of all entries. */
  public Charge total() {
    Charge sum = Charge.ZERO;
    for (LedgerEntry entry : entries) {
      sum = sum.plus(entry.charge());
    }
    return sum;
  }
}
