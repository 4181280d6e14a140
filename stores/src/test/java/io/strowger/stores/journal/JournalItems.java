package io.strowger.stores.journal;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Posting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Makes items of journals, and opens and reads journals. */
final class JournalItems {
  static final Instant AT = Instant.parse("2026-11-21T20:00:00.123456Z");
  static final String BOOT = "first-boot";

  private JournalItems() {}

  static JournalItem lines(int number) {
    var usage = Usage.builder().freshInput(1000 + number).outputText(7).estimated(true).build();
    var entry =
        new LedgerEntry(
            "gen-" + number,
            0,
            AT,
            "acme/large#alpha",
            "",
            CallRecord.Outcome.COMPLETE,
            usage,
            Charge.credits(new Usd(number)));
    return new JournalItem.Lines(
        new Posting(List.of(entry), List.of(new Posting.Account("key:abc", "all"))));
  }

  static JournalItem generation(String id, int bytes) {
    byte[] record = ("\"" + "x".repeat(bytes) + "\"").getBytes(StandardCharsets.US_ASCII);
    return new JournalItem.Generation(new Generation(id, "key:abc", AT, record, null));
  }

  static Journal open(Path directory, Machine machine) throws IOException {
    return open(directory, machine, JournalFileSystem.system(), 1 << 20);
  }

  static Journal open(
      Path directory, Machine machine, JournalFileSystem journalFileSystem, long segmentBytes)
      throws IOException {
    var setup =
        new Journal.Setup(
            directory,
            journalFileSystem,
            machine.boot(),
            segmentBytes,
            Journal.SERVER_FILE_RETENTION);
    return Journal.open(setup, machine.ambient());
  }

  /** Opens the directory as the next process does, and reads the journals that have ended. */
  static FoundItems find(Path directory, Machine machine) throws IOException {
    try (Journal next = open(directory, machine)) {
      var all = new ArrayList<NumberedItem>();
      boolean complete = true;
      for (EndedJournal endedJournal : next.endedJournals()) {
        complete &= endedJournal.complete();
        if (endedJournal.items() > 0) {
          try (JournalCursor journalCursor = endedJournal.cursor()) {
            all.addAll(journalCursor.read(Integer.MAX_VALUE));
          }
        }
      }
      return new FoundItems(all, complete);
    }
  }

  /** The items that a process found in its directory, and whether they are complete. */
  record FoundItems(List<NumberedItem> all, boolean complete) {
    /** Returns the ids of the generations that have lines or records. */
    List<String> generations() {
      var ids = new ArrayList<String>();
      for (NumberedItem each : all) {
        if (each.item() instanceof JournalItem.Lines lines) {
          ids.add(lines.posting().entries().getFirst().generation());
        } else if (each.item() instanceof JournalItem.Generation(Generation record)) {
          ids.add(record.id());
        }
      }
      return ids;
    }
  }
}
