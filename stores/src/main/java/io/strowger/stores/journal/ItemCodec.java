package io.strowger.stores.journal;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.model.Usage.Quantity;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Posting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes journal items. The numbers of kinds and outcomes are in files that older and
 * newer versions read, so they are never reused. Kinds 1 and 2 were written by earlier versions and
 * are only read.
 */
final class ItemCodec {
  private static final int EARLIER_LINES = 1;
  private static final int EARLIER_GENERATION = 2;
  private static final int FORCED = 3;
  private static final int CLOSED = 4;
  private static final int LINES = 5;
  private static final int GENERATION = 6;
  private static final int LINES_WITH_RECORD = 7;
  private static final int INITIAL_CAPACITY = 512;

  /**
   * The counts of a usage. The bit of a count is its index in this list, so new counts are only
   * added at the end.
   */
  private static final List<Quantity> COUNTS =
      List.of(
          Quantity.FRESH_INPUT,
          Quantity.INPUT_AUDIO,
          Quantity.CACHE_READ,
          Quantity.CACHE_WRITE_5M,
          Quantity.CACHE_WRITE_1H,
          Quantity.OUTPUT_TEXT,
          Quantity.REASONING,
          Quantity.OUTPUT_AUDIO,
          Quantity.IMAGES,
          Quantity.SEARCHES,
          Quantity.TOOL_CALLS_REQUESTED,
          Quantity.TOOL_CALLS_EXECUTED,
          Quantity.CHARACTERS,
          Quantity.SEARCH_UNITS,
          Quantity.SECONDS);

  /** How many counts earlier versions wrote, each always present. */
  private static final int EARLIER_COUNTS = 12;

  private ItemCodec() {}

  static boolean isLines(int firstOctet) {
    return firstOctet == LINES || firstOctet == LINES_WITH_RECORD || firstOctet == EARLIER_LINES;
  }

  static boolean isGeneration(int firstOctet) {
    return firstOctet == GENERATION || firstOctet == EARLIER_GENERATION;
  }

  /** Encodes an item, leaving room for the header of a frame before it. */
  static byte[] pack(JournalItem item) {
    var out = new Packer(JournalFrame.HEADER, INITIAL_CAPACITY);
    switch (item) {
      case JournalItem.Lines(Posting posting) -> lines(out, posting);
      case JournalItem.Generation(Generation record) -> generation(out.octet(GENERATION), record);
      case JournalItem.Forced(long before) -> out.octet(FORCED).number(before);
      case JournalItem.Closed() -> out.octet(CLOSED);
    }
    return out.bytes();
  }

  /**
   * Decodes an item.
   *
   * @throws IOException when the content cannot be decoded
   */
  static JournalItem unpack(byte[] content) throws IOException {
    var in = new Unpacker(content);
    try {
      JournalItem item = item(in);
      in.end();
      return item;
    } catch (IllegalArgumentException invalid) {
      throw new IOException("an item of the journal cannot be read", invalid);
    }
  }

  private static JournalItem item(Unpacker in) throws IOException {
    int kind = in.octet();
    return switch (kind) {
      case LINES -> new JournalItem.Lines(posting(in, false));
      case LINES_WITH_RECORD -> new JournalItem.Lines(posting(in, true));
      case GENERATION -> new JournalItem.Generation(generation(in));
      case FORCED -> new JournalItem.Forced(in.number());
      case CLOSED -> new JournalItem.Closed();
      case EARLIER_LINES -> new JournalItem.Lines(earlierPosting(in));
      case EARLIER_GENERATION -> new JournalItem.Generation(earlierGeneration(in));
      default -> throw new IOException("an item of kind " + kind + " is not known to this version");
    };
  }

  private static void lines(Packer out, Posting posting) {
    Generation record = posting.record();
    out.octet(record == null ? LINES : LINES_WITH_RECORD);
    out.number(posting.entries().size());
    for (LedgerEntry entry : posting.entries()) {
      entry(out.shared(entry.generation()), entry);
    }
    accounts(out, posting.accounts());
    if (record != null) {
      generation(out, record);
    }
  }

  /** Writes a ledger line without its generation id. */
  static void entry(Packer out, LedgerEntry entry) {
    out.number(entry.number())
        .moment(entry.at())
        .shared(entry.subject())
        .shared(entry.byokKey())
        .octet(code(entry.outcome()));
    usage(out, entry.usage());
    out.number(entry.charge().credits().nanos()).number(entry.charge().byokCost().nanos());
  }

  static LedgerEntry entry(Unpacker in, String generation) throws IOException {
    return new LedgerEntry(
        generation,
        (int) in.number(),
        in.moment(),
        in.shared(),
        in.shared(),
        outcome(in.octet()),
        usage(in),
        new Charge(new Usd(in.number()), new Usd(in.number())));
  }

  static void accounts(Packer out, List<Posting.Account> accounts) {
    out.number(accounts.size());
    for (Posting.Account account : accounts) {
      out.shared(account.payer()).shared(account.window());
    }
  }

  static List<Posting.Account> accounts(Unpacker in) throws IOException {
    int size = in.count();
    List<Posting.Account> accounts = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      accounts.add(new Posting.Account(in.shared(), in.shared()));
    }
    return List.copyOf(accounts);
  }

  private static Posting posting(Unpacker in, boolean withRecord) throws IOException {
    int size = in.count();
    var entries = new ArrayList<LedgerEntry>(size);
    for (int i = 0; i < size; i++) {
      entries.add(entry(in, in.shared()));
    }
    return posting(entries, accounts(in), withRecord ? generation(in) : null);
  }

  private static Posting posting(
      List<LedgerEntry> entries, List<Posting.Account> accounts, @Nullable Generation record)
      throws IOException {
    if (entries.isEmpty()) {
      throw new IOException("an item of the journal has a posting without ledger lines");
    }
    return new Posting(entries, accounts, record);
  }

  private static void generation(Packer out, Generation record) {
    out.shared(record.id())
        .shared(record.owner())
        .moment(record.at())
        .block(record.row())
        .optionalBlock(record.content());
  }

  private static Generation generation(Unpacker in) throws IOException {
    return in.record(in.shared(), in.shared());
  }

  private static Posting earlierPosting(Unpacker in) throws IOException {
    int size = in.count();
    var entries = new ArrayList<LedgerEntry>(size);
    for (int i = 0; i < size; i++) {
      entries.add(
          new LedgerEntry(
              in.text(),
              (int) in.number(),
              in.moment(),
              in.text(),
              in.text(),
              outcome(in.octet()),
              earlierUsage(in),
              new Charge(new Usd(in.number()), new Usd(in.number()))));
    }
    int accountCount = in.count();
    List<Posting.Account> accounts = new ArrayList<>(accountCount);
    for (int i = 0; i < accountCount; i++) {
      accounts.add(new Posting.Account(in.text(), in.text()));
    }
    return posting(entries, accounts, null);
  }

  /** Reads a record whose row is JSON. */
  private static Generation earlierGeneration(Unpacker in) throws IOException {
    return in.record(in.text(), in.text());
  }

  private static int code(CallRecord.Outcome outcome) {
    return switch (outcome) {
      case COMPLETE -> 1;
      case ERROR -> 2;
      case CANCELLED -> 3;
    };
  }

  private static CallRecord.Outcome outcome(int code) throws IOException {
    return switch (code) {
      case 1 -> CallRecord.Outcome.COMPLETE;
      case 2 -> CallRecord.Outcome.ERROR;
      case 3 -> CallRecord.Outcome.CANCELLED;
      default -> throw new IOException("outcome " + code + " is not known");
    };
  }

  /**
   * Writes a bit set, of the estimated flag and the counts that are not zero, then these counts.
   */
  private static void usage(Packer out, Usage usage) {
    int presentBits = usage.isEstimated() ? 1 : 0;
    for (int i = 0; i < COUNTS.size(); i++) {
      presentBits |= usage.count(COUNTS.get(i)) == 0 ? 0 : 2 << i;
    }
    out.number(presentBits);
    for (int i = 0; i < COUNTS.size(); i++) {
      long count = usage.count(COUNTS.get(i));
      if (count != 0) {
        out.number(count);
      }
    }
  }

  private static Usage usage(Unpacker in) throws IOException {
    long presentBits = in.number();
    Usage.Builder usage = Usage.builder().estimated((presentBits & 1) == 1);
    for (int i = 0; i < COUNTS.size(); i++) {
      if ((presentBits & 2L << i) != 0) {
        usage.set(COUNTS.get(i), in.number());
      }
    }
    return usage.build();
  }

  private static Usage earlierUsage(Unpacker in) throws IOException {
    Usage.Builder usage = Usage.builder().estimated(in.octet() == 1);
    for (int i = 0; i < EARLIER_COUNTS; i++) {
      usage.set(COUNTS.get(i), in.number());
    }
    return usage.build();
  }
}
