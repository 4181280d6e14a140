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
 * A journal that was written, with something done to its file. Whoever opens it next is told in a
 * sentence that it cannot be used, and the file is left alone; or reads what was written from the
 * beginning on, maybe not to its end, and nothing else.
 */
@DisplayName("The reader of journals, given files that something happened to,")
class JournalFuzz {
  private static final Instant AT = Instant.parse("2026-11-21T20:00:00.123456Z");
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** What opening takes before anything is read: windows, the new file, classes that load. */
  private static final long FIXED_BYTES = 8 << 20;

  private static final long BYTES_PER_BYTE = 64;
  private static final int ITEMS = 12;
  private static final int LONGER_THAN_A_WINDOW = 70_000;

  private static final List<Recorded> RECORDED = List.of(recorded(false), recorded(true));

  /**
   * @param items in the order they were written
   */
  private record Recorded(String name, byte[] file, List<String> items) {
    Recorded {
      assertThat(items).hasSizeGreaterThan(ITEMS);
    }
  }

  /** The journal of a process that was killed, or of one that ended in good order. */
  private static Recorded recorded(boolean ended) {
    try {
      Path where = Files.createTempDirectory("journal");
      write(where, ended);
      Path file = files(where).getFirst();
      byte[] bytes = Files.readAllBytes(file);
      var recorded = new Recorded(file.getFileName().toString(), bytes, items(where));
      delete(where);
      return recorded;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Path where, boolean ended) throws IOException {
    try (Journal journal = Journal.open(where, ambient(1), Duration.ZERO)) {
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

  /** Each process names its journal by chance. */
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
    byte[] record = new byte[number == ITEMS - 1 ? LONGER_THAN_A_WINDOW : 40 * number];
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
  @DisplayName("tells what was written, or says that it cannot")
  void reads(byte[] input) throws IOException {
    for (Recorded recorded : RECORDED) {
      Path where = Files.createTempDirectory("journal");
      var damaged = DamagedJournal.of(recorded.file(), input);
      Path file = Files.write(where.resolve(recorded.name()), damaged.bytes());
      laws(where, file, recorded, damaged);
      delete(where);
    }
  }

  private static void laws(Path where, Path file, Recorded recorded, DamagedJournal damaged)
      throws IOException {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      List<String> items = items(where);
      if (!damaged.isForged()) {
        assertThat(items).isSubsetOf(recorded.items());
      }
      if (!damaged.isForged() && !damaged.isRepeated()) {
        int known = Math.min(items.size(), recorded.items().size());
        assertThat(items).isEqualTo(recorded.items().subList(0, known));
      }
    } catch (IOException told) {
      assertThat(told.getMessage()).isNotBlank().doesNotContain("Exception");
      assertThat(Files.readAllBytes(file)).as("is left as it is").isEqualTo(damaged.bytes());
    }
    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before)
        .as("bytes for a file of %s", damaged.bytes().length)
        .isLessThan(FIXED_BYTES + BYTES_PER_BYTE * damaged.bytes().length);
  }

  /** What the next process finds. */
  private static List<String> items(Path where) throws IOException {
    var items = new ArrayList<String>();
    try (Journal next = Journal.open(where, ambient(5), Duration.ZERO)) {
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

  private static List<Path> files(Path where) throws IOException {
    try (Stream<Path> files = Files.list(where)) {
      return files.filter(file -> file.toString().endsWith(".journal")).sorted().toList();
    }
  }

  private static void delete(Path where) throws IOException {
    try (Stream<Path> files = Files.list(where)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(where);
  }
}
