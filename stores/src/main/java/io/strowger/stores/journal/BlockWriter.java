package io.strowger.stores.journal;

import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Posting;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts items together that a database keeps in one row: lines of the books, which say each text and
 * each list of accounts once, and records, any of which is found without reading the others. For
 * one thread.
 */
public final class BlockWriter {
  /** The first byte of either part. */
  static final int FORMAT = 1;

  private static final int TYPICAL = 4096;

  private final long first;
  private final Map<List<Posting.Account>, Integer> accounts = new HashMap<>();
  private @Nullable Packer lines;
  private @Nullable Packer records;

  /**
   * @param first number of the first item
   */
  public BlockWriter(long first) {
    this.first = first;
  }

  /** The number of the first item. */
  public long first() {
    return first;
  }

  /** Adds what a database keeps of an item. */
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
    Packer out = lines == null ? new Packer(0, TYPICAL).octet(FORMAT) : lines;
    lines = out;
    out.number(number - first).number(posting.entries().size());
    String said = "";
    for (LedgerEntry entry : posting.entries()) {
      boolean again = entry.generation().equals(said);
      out.octet(again ? 1 : 0);
      if (!again) {
        out.text(entry.generation());
      }
      said = entry.generation();
      ItemCodec.entry(out, entry);
    }
    Integer known = accounts.putIfAbsent(posting.accounts(), accounts.size());
    if (known == null) {
      ItemCodec.accounts(out.number(accounts.size() - 1L), posting.accounts());
    } else {
      out.number(known);
    }
  }

  private void add(Generation record, long number) {
    Packer out = records == null ? new Packer(0, TYPICAL).octet(FORMAT) : records;
    records = out;
    byte[] content = record.content();
    int block = out.number(number - first).begin();
    out.text(record.id()).text(record.owner()).moment(record.at()).block(record.row());
    out.maybe(content).end(block);
  }

  /** How large it is by now. */
  public int size() {
    return (lines == null ? 0 : lines.length()) + (records == null ? 0 : records.length());
  }

  /** The lines; null when there are none. */
  public byte @Nullable [] lines() {
    return lines == null ? null : lines.bytes();
  }

  /** The records; null when there are none. */
  public byte @Nullable [] records() {
    return records == null ? null : records.bytes();
  }
}
