package io.strowger.stores.journal;

import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Posting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the blocks that a {@link BlockWriter} wrote. */
public final class BlockReader {
  private BlockReader() {}

  private static Unpacker open(byte[] block) throws IOException {
    var in = new Unpacker(block);
    int format = in.octet();
    if (format != BlockWriter.FORMAT) {
      throw new IOException(
          "a block of format " + format + " was written by a later version; run that version");
    }
    return in;
  }

  /**
   * Returns the last record with this id in a block; null when there is none.
   *
   * @param first number of the first item
   * @throws IOException when the block is not as it was written
   */
  public static @Nullable NumberedItem find(byte[] records, long first, String id)
      throws IOException {
    try {
      Unpacker in = open(records);
      byte[] idBytes = id.getBytes(StandardCharsets.UTF_8);
      Unpacker match = null;
      long matchNumber = 0;
      while (in.hasMore()) {
        long number = first + in.number();
        Unpacker part = in.part();
        if (part.skipText(idBytes)) {
          match = part;
          matchNumber = number;
        }
      }
      return match == null ? null : new NumberedItem(matchNumber, record(match, id));
    } catch (IllegalArgumentException invalid) {
      throw new IOException("a block cannot be read", invalid);
    }
  }

  /** Reads the rest of a record, after its id. */
  private static JournalItem record(Unpacker in, String id) throws IOException {
    Generation record = in.record(id, in.text());
    in.end();
    return new JournalItem.Generation(record);
  }

  /**
   * Returns all postings in a block, with the numbers of their items.
   *
   * @param first number of the first item
   * @throws IOException when the block is not as it was written
   */
  public static List<NumberedItem> lines(byte[] lines, long first) throws IOException {
    try {
      Unpacker in = open(lines);
      var accounts = new ArrayList<List<Posting.Account>>();
      var items = new ArrayList<NumberedItem>();
      while (in.hasMore()) {
        long number = first + in.number();
        List<LedgerEntry> entries = entries(in);
        long accountsIndex = in.number();
        if (accountsIndex == accounts.size()) {
          accounts.add(ItemCodec.accounts(in));
        } else if (accountsIndex < 0 || accountsIndex > accounts.size()) {
          throw new IOException(
              "a block cannot be read: it has no list of accounts number " + accountsIndex);
        }
        var posting = new Posting(entries, accounts.get((int) accountsIndex));
        items.add(new NumberedItem(number, new JournalItem.Lines(posting)));
      }
      return items;
    } catch (IllegalArgumentException invalid) {
      throw new IOException("a block cannot be read", invalid);
    }
  }

  private static List<LedgerEntry> entries(Unpacker in) throws IOException {
    int size = in.count();
    var entries = new ArrayList<LedgerEntry>(size);
    String generation = "";
    for (int i = 0; i < size; i++) {
      generation = in.octet() == 1 ? generation : in.text();
      entries.add(ItemCodec.entry(in, generation));
    }
    return entries;
  }
}
