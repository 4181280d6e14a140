package io.strowger.stores.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.tck.TestAmbient;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The journal of a node")
class JournalTest {
  @TempDir private Path directory;

  private final Machine machine = Machine.fresh();

  private static List<String> ids(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "gen-" + i).toList();
  }

  private List<Path> files() throws IOException {
    try (var all = Files.list(directory)) {
      return all.filter(file -> file.toString().endsWith(".journal")).sorted().toList();
    }
  }

  @Test
  @DisplayName("keeps everything that was appended when the process is killed")
  void killed() throws IOException {
    Journal journal = JournalItems.open(directory, machine);
    for (int i = 0; i < 100; i++) {
      assertThat(journal.append(JournalItems.lines(i)).number()).isEqualTo(i);
    }
    journal.close(); // without recording an end, like a killed process
    var found = JournalItems.find(directory, machine);
    assertThat(found.generations()).isEqualTo(ids(0, 100));
    assertThat(found.all().get(7)).isEqualTo(new NumberedItem(7, JournalItems.lines(7)));
    assertThat(found.complete()).isTrue();
  }

  @Test
  @DisplayName("may be incomplete after a power loss, unless it was ended properly")
  void powerLoss() throws IOException {
    Journal journal = JournalItems.open(directory, machine);
    journal.append(JournalItems.lines(0));
    journal.close();
    assertThat(JournalItems.find(directory, machine.afterPowerLoss()).complete()).isFalse();
    assertThat(JournalItems.find(directory, new Machine(machine.ambient(), "")).complete())
        .isFalse();

    Journal ended = JournalItems.open(directory.resolve("other"), machine);
    ended.append(JournalItems.lines(0));
    ended.end();
    ended.close();
    var found = JournalItems.find(directory.resolve("other"), machine.afterPowerLoss());
    assertThat(found.complete()).isTrue();
    assertThat(found.generations()).isEqualTo(ids(0, 1));
  }

  @Test
  @DisplayName("of a machine whose boot is unknown may always be incomplete")
  void unknownBoot() throws IOException {
    var unknown = new Machine(machine.ambient(), "");
    Journal journal = JournalItems.open(directory, unknown);
    journal.append(JournalItems.lines(0));
    journal.close();
    assertThat(JournalItems.find(directory, unknown).complete()).isFalse();
  }

  @Test
  @DisplayName("is written by one process at a time")
  void oneProcess() throws IOException {
    try (Journal first = JournalItems.open(directory, machine)) {
      assertThatThrownBy(() -> JournalItems.open(directory, machine))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is in use by another process");
      first.append(JournalItems.lines(0));
    }
    JournalItems.open(directory, machine).close();
  }

  @Test
  @DisplayName("continues in another file when one is large, and is read across its files")
  void rotates() throws IOException {
    Journal journal = JournalItems.open(directory, machine, JournalFileSystem.system(), 900);
    for (int i = 0; i < 100; i++) {
      journal.append(JournalItems.lines(i));
      if (i % 30 == 0) {
        journal.force();
      }
    }
    assertThat(files()).hasSizeGreaterThan(8);
    journal.close();
    assertThat(JournalItems.find(directory, machine).generations()).isEqualTo(ids(0, 100));
  }

  @Test
  @DisplayName("is read while it grows")
  void tail() throws IOException {
    try (Journal journal = JournalItems.open(directory, machine, JournalFileSystem.system(), 1000);
        JournalCursor journalCursor = journal.cursor()) {
      assertThat(journalCursor.read(10)).isEmpty();
      var seen = new ArrayList<NumberedItem>();
      for (int i = 0; i < 60; i++) {
        journal.append(JournalItems.lines(i));
        seen.addAll(journalCursor.read(i % 3)); // falls behind and catches up
      }
      seen.addAll(journalCursor.read(1000));
      assertThat(seen)
          .extracting(NumberedItem::number)
          .isEqualTo(IntStream.range(0, 60).mapToObj(Long::valueOf).toList());
      assertThat(seen.get(59).item()).isEqualTo(JournalItems.lines(59));
    }
  }

  @Test
  @DisplayName("finds an item by its position")
  void position() throws IOException {
    try (Journal journal =
        JournalItems.open(directory, machine, JournalFileSystem.system(), 2000)) {
      var positions = new ArrayList<JournalPosition>();
      for (int i = 0; i < 50; i++) {
        positions.add(journal.append(JournalItems.generation("gen-" + i, i * 10)));
      }
      for (int i = 0; i < 50; i++) {
        assertThat(journal.read(positions.get(i))).hasToString("gen-" + i);
      }
    }
  }

  @Test
  @DisplayName("deletes files whose items are in the database, but only when they are old")
  void discards() throws IOException {
    var later = new Machine(TestAmbient.at("2100-01-01T00:00:00Z"), JournalItems.BOOT);
    for (Machine each : List.of(machine, later)) {
      Path subdirectory = directory.resolve(each == machine ? "young" : "old");
      Journal journal = JournalItems.open(subdirectory, each, JournalFileSystem.system(), 1000);
      for (int i = 0; i < 100; i++) {
        journal.append(JournalItems.lines(i));
      }
      journal.discard(50, () -> {});
      journal.close();
      List<String> left = JournalItems.find(subdirectory, machine).generations();
      assertThat(left).endsWith("gen-99").contains("gen-50");
      assertThat(left.contains("gen-0")).isEqualTo(each == machine);
      try (Journal next = JournalItems.open(subdirectory, each)) {
        for (EndedJournal endedJournal : next.endedJournals()) {
          next.discard(endedJournal, () -> {});
        }
      }
      assertThat(JournalItems.find(subdirectory, machine).generations().isEmpty())
          .isEqualTo(each == later);
    }
  }

  @Test
  @DisplayName(
      "deletes at once the files whose items are in the database, if the retention is zero")
  void discardsAtOnce() throws IOException {
    var setup =
        new Journal.Setup(
            directory, JournalFileSystem.system(), machine.boot(), 1000, Duration.ZERO);
    var forced = new AtomicInteger();
    try (Journal journal = Journal.open(setup, TestAmbient.at("2100-01-01T00:00:00Z"))) {
      for (int i = 0; i < 100; i++) {
        journal.append(JournalItems.lines(i));
      }
      journal.discard(50, forced::incrementAndGet);
    }
    assertThat(forced).hasValue(1);
    assertThat(JournalItems.find(directory, machine).generations())
        .contains("gen-50", "gen-99")
        .doesNotContain("gen-0");
  }

  @Test
  @DisplayName("has no gap if the action before the deletion of a file fails once")
  void failsOnce() throws IOException {
    var setup =
        new Journal.Setup(
            directory, JournalFileSystem.system(), machine.boot(), 1000, Duration.ZERO);
    var ambient = TestAmbient.at("2100-01-01T00:00:00Z");
    try (Journal journal = Journal.open(setup, ambient)) {
      for (int i = 0; i < 100; i++) {
        journal.append(JournalItems.lines(i));
      }
      assertThatThrownBy(
              () ->
                  journal.discard(
                      20,
                      () -> {
                        throw new StoreUnavailableException("busy", null);
                      }))
          .isInstanceOf(StoreUnavailableException.class);
      journal.discard(80, () -> {});
    }
    assertThat(JournalItems.find(directory, machine).generations())
        .contains("gen-80", "gen-99")
        .doesNotContain("gen-0", "gen-20");
  }

  @Test
  @DisplayName("of an earlier process has no gap if the clock was set back while it was written")
  void setBack() throws IOException {
    var laterMachine = new Machine(TestAmbient.at("2100-01-01T00:00:00Z"), JournalItems.BOOT);
    try (Journal journal =
        JournalItems.open(directory, laterMachine, JournalFileSystem.system(), 1000)) {
      for (int i = 0; i < 100; i++) {
        journal.append(JournalItems.lines(i));
      }
    }
    File[] files = directory.toFile().listFiles((folder, name) -> name.endsWith(".journal"));
    Arrays.sort(Objects.requireNonNull(files));
    long now = laterMachine.ambient().now().toEpochMilli();
    for (int i = 0; i < files.length; i++) {
      long age = i == 0 ? -3_000_000 : i + 1 < files.length ? 1_200_000 : 60_000;
      assertThat(files[i].setLastModified(now - age)).isTrue();
    }
    try (Journal next = JournalItems.open(directory, laterMachine)) {
      next.discard(next.endedJournals().getFirst(), () -> {});
    }
    assertThat(JournalItems.find(directory, laterMachine).generations())
        .contains("gen-0", "gen-99");
  }

  @Test
  @DisplayName("refuses to be appended to once it is closed")
  void closed() throws IOException {
    Journal journal = JournalItems.open(directory, machine);
    journal.close();
    assertThatThrownBy(() -> journal.append(JournalItems.lines(0)))
        .isInstanceOf(StoreUnavailableException.class);
  }

  @Tag("full")
  @Test
  @DisplayName("keeps every item of many threads, in the order of each thread")
  void manyThreads() throws Exception {
    int threads = 64;
    int each = 200;
    try (Journal journal =
        JournalItems.open(directory, machine, JournalFileSystem.system(), 100_000)) {
      var all = new ArrayList<Thread>();
      for (int t = 0; t < threads; t++) {
        int begin = t * each;
        all.add(
            Thread.startVirtualThread(
                () -> {
                  for (int i = 0; i < each; i++) {
                    journal.append(JournalItems.lines(begin + i));
                  }
                }));
      }
      for (Thread thread : all) {
        thread.join();
      }
    }
    List<String> found = JournalItems.find(directory, machine).generations();
    assertThat(found).containsExactlyInAnyOrderElementsOf(ids(0, threads * each));
    for (int t = 0; t < threads; t++) {
      assertThat(found).containsSubsequence(ids(t * each, (t + 1) * each));
    }
  }
}
