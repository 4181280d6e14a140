package io.strowger.conformance.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.sun.management.ThreadMXBean;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Posting;
import io.strowger.stores.journal.EndedJournal;
import io.strowger.stores.journal.Journal;
import io.strowger.stores.journal.JournalCursor;
import io.strowger.stores.journal.JournalItem;
import io.strowger.stores.journal.NumberedItem;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;

/**
 * Fuzzes the reader of journals with damaged files. Opening such a journal either fails with a
 * message and leaves the file unchanged, or returns the written items from the first one on,
 * possibly not to the last one, and nothing else.
 */
@DisplayName("The reader of journals, given a damaged file,")
class JournalFuzz {
  private static final Instant AT = Instant.parse("2026-11-21T20:00:00.123456Z");
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** The bytes that opening allocates without any item: buffers, the new file, class loading. */
  private static final long FIXED_BYTES = 8 << 20;

  private static final long BYTES_PER_BYTE = 64;
  private static final int ITEMS = 12;
  private static final int LARGER_THAN_A_WINDOW = 70_000;

  private static final List<RecordedJournal> RECORDED = List.of(recorded(false), recorded(true));

  /**
   * A journal that was written.
   *
   * @param items its items as texts, in the order in which they were written
   */
  private record RecordedJournal(String name, byte[] file, List<String> items) {
    RecordedJournal {
      assertThat(items).hasSizeGreaterThan(ITEMS);
    }
  }

  /** Returns the journal of a process that was killed, or of one that ended regularly. */
  private static RecordedJournal recorded(boolean ended) {
    try {
      Path directory = Files.createTempDirectory("journal");
      write(directory, ended);
      Path file = files(directory).getFirst();
      byte[] bytes = Files.readAllBytes(file);
      var recorded = new RecordedJournal(file.getFileName().toString(), bytes, items(directory));
      delete(directory);
      return recorded;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Path directory, boolean ended) throws IOException {
    try (Journal journal = Journal.open(directory, ambient(1), Duration.ZERO)) {
      for (int i = 0; i < ITEMS; i++) {
        journal.append(i % 4 == 3 ? generation(i) : lines(i));
        if (i == ITEMS / 2) {
          journal.force();
        }
      }
      if (ended) {
        journal.end();
      }
    }
  }

  /** Returns the ambient of another process, which gets another random name for its journal. */
  private static TestAmbient ambient(int process) {
    var ambient = TestAmbient.at("2026-11-21T20:00:00Z");
    for (int i = 0; i < process; i++) {
      ambient.seed();
    }
    return ambient;
  }

  private static JournalItem lines(int number) {
    var usage = Usage.builder().freshInput(1000 + number).outputText(7).searches(number).build();
    var entry =
        new LedgerEntry(
            "gen-" + number,
            number % 2,
            AT,
            "acme/large",
            number % 3 == 0 ? "own" : "",
            CallRecord.Outcome.values()[number % 3],
            usage,
            new Charge(new Usd(number), new Usd(20L * number)));
    var accounts =
        List.of(new Posting.Account("key:abc", "all"), new Posting.Account("account:a", "2026-11"));
    return new JournalItem.Lines(
        new Posting(List.of(entry), accounts, number % 4 == 2 ? record(number) : null));
  }

  private static JournalItem generation(int number) {
    return new JournalItem.Generation(record(number));
  }

  private static Generation record(int number) {
    byte[] record = new byte[number == ITEMS - 1 ? LARGER_THAN_A_WINDOW : 40 * number];
    Arrays.fill(record, (byte) ('a' + number));
    return new Generation("gen-" + number, "key:abc", AT, record, null);
  }

  private static String text(JournalItem item) {
    Generation g = item.record();
    return g == null
        ? item.toString()
        : item.toString() + g + g.owner() + g.at() + Arrays.hashCode(g.row());
  }

  @FuzzTest
  @DisplayName("returns items that were written, or reports that the file is unusable")
  void reads(byte[] input) throws IOException {
    for (RecordedJournal recorded : RECORDED) {
      Path directory = Files.createTempDirectory("journal");
      var damaged = DamagedJournal.of(recorded.file(), input);
      Path file = Files.write(directory.resolve(recorded.name()), damaged.bytes());
      assertLaws(directory, file, recorded, damaged);
      delete(directory);
    }
  }

  private static void assertLaws(
      Path directory, Path file, RecordedJournal recorded, DamagedJournal damaged)
      throws IOException {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      List<String> items = items(directory);
      if (!damaged.isForged()) {
        assertThat(items).isSubsetOf(recorded.items());
      }
      if (!damaged.isForged() && !damaged.isRepeated()) {
        int known = Math.min(items.size(), recorded.items().size());
        assertThat(items).isEqualTo(recorded.items().subList(0, known));
      }
    } catch (IOException unusable) {
      assertThat(unusable.getMessage()).isNotBlank().doesNotContain("Exception");
      assertThat(Files.readAllBytes(file)).as("the file is unchanged").isEqualTo(damaged.bytes());
    }
    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before)
        .as("bytes for a file of %s", damaged.bytes().length)
        .isLessThan(FIXED_BYTES + BYTES_PER_BYTE * damaged.bytes().length);
  }

  /** Returns the items that the next process reads. */
  private static List<String> items(Path directory) throws IOException {
    var items = new ArrayList<String>();
    try (Journal next = Journal.open(directory, ambient(5), Duration.ZERO)) {
      for (EndedJournal endedJournal : next.endedJournals()) {
        try (JournalCursor journalCursor = endedJournal.cursor()) {
          for (List<NumberedItem> some = journalCursor.read(5);
              !some.isEmpty();
              some = journalCursor.read(5)) {
            some.forEach(each -> items.add(text(each.item())));
          }
        }
      }
    }
    return items;
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".journal")).sorted().toList();
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
