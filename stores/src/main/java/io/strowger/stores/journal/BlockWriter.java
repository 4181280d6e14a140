package io.strowger.stores.journal;

import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Posting;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Packs the items that a database stores in one row: ledger lines, which contain each list of
 * accounts only once, and records, each of which can be found without decoding the other records.
 * For one thread.
 */
public final class BlockWriter {
  /** The format, the first byte of lines and of records. */
  static final int FORMAT = 1;

  private static final int INITIAL_CAPACITY = 4096;

  private final long firstItem;
  private final Map<List<Posting.Account>, Integer> accounts = new HashMap<>();
  private @Nullable Packer lines;
  private @Nullable Packer records;

  /**
   * @param firstItem the number of the first item
   */
  public BlockWriter(long firstItem) {
    this.firstItem = firstItem;
  }

  /** Returns the number of the first item. */
  public long firstItem() {
    return firstItem;
  }

  /** Adds the parts of an item that a database stores. */
  public void add(NumberedItem item) {
    if (item.item() instanceof JournalItem.Lines(Posting posting)) {
      add(posting, item.number());
    }
    Generation record = item.item().record();
    if (record != null) {
      add(record, item.number());
    }
  }

  private void add(Posting posting, long number) {
    Packer out = lines == null ? new Packer(0, INITIAL_CAPACITY).octet(FORMAT) : lines;
    lines = out;
    out.number(number - firstItem).number(posting.entries().size());
    String lastGeneration = "";
    for (LedgerEntry entry : posting.entries()) {
      boolean isRepeated = entry.generation().equals(lastGeneration);
      out.octet(isRepeated ? 1 : 0);
      if (!isRepeated) {
        out.text(entry.generation());
      }
      lastGeneration = entry.generation();
      ItemCodec.entry(out, entry);
    }
    Integer accountsIndex = accounts.putIfAbsent(posting.accounts(), accounts.size());
    if (accountsIndex == null) {
      ItemCodec.accounts(out.number(accounts.size() - 1L), posting.accounts());
    } else {
      out.number(accountsIndex);
    }
  }

  private void add(Generation record, long number) {
    Packer out = records == null ? new Packer(0, INITIAL_CAPACITY).octet(FORMAT) : records;
    records = out;
    byte[] content = record.content();
    int block = out.number(number - firstItem).begin();
    out.text(record.id()).text(record.owner()).moment(record.at()).block(record.row());
    out.optionalBlock(content).end(block);
  }

  /** Returns the size in bytes so far. */
  public int size() {
    return (lines == null ? 0 : lines.length()) + (records == null ? 0 : records.length());
  }

  /** Returns the lines; null when there are none. */
  public byte @Nullable [] lines() {
    return lines == null ? null : lines.bytes();
  }

  /** Returns the records; null when there are none. */
  public byte @Nullable [] records() {
    return records == null ? null : records.bytes();
  }
}
