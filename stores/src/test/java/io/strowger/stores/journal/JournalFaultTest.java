package io.strowger.stores.journal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A journal that something went wrong with")
class JournalFaultTest {
  private static final int FRAME = 120; // more than a frame of these tests has

  @TempDir private Path directory;

  private final Machine here = Machine.fresh();

  private static Path only(Path directory) throws IOException {
    try (var all = Files.list(directory)) {
      return all.filter(file -> file.toString().endsWith(".journal")).findFirst().orElseThrow();
    }
  }

  @Tag("full")
  @Test
  @DisplayName("holds all that was acknowledged, wherever in a record the process is killed")
  void killedAtEveryByte() throws IOException {
    for (int byteOfRecord = 0; byteOfRecord < FRAME; byteOfRecord++) {
      Path own = directory.resolve("at-" + byteOfRecord);
      var disk = new FaultyDisk(Long.MAX_VALUE);
      Journal journal = JournalItems.open(own, here, disk, 1 << 20);
      journal.append(JournalItems.lines(0));
      journal.append(JournalItems.lines(1));
      disk.truncates(false); // nobody is left to tidy up
      disk.room(byteOfRecord);
      boolean acknowledged = appends(journal, 2);
      journal.close();
      var found = JournalItems.find(own, here);
      assertThat(found.complete()).isTrue();
      assertThat(found.generations())
          .isEqualTo(acknowledged ? List.of("gen-0", "gen-1", "gen-2") : List.of("gen-0", "gen-1"));
    }
  }

  private static boolean appends(Journal journal, int number) {
    try {
      journal.append(JournalItems.lines(number));
      return true;
    } catch (StoreUnavailableException refused) {
      return false;
    }
  }

  @Test
  @DisplayName("goes on without a trace of what a full disk refused, once there is room again")
  void fullDisk() throws IOException {
    for (int room = 0; room < FRAME; room++) {
      Path own = directory.resolve("room-" + room);
      var disk = new FaultyDisk(Long.MAX_VALUE);
      Journal journal = JournalItems.open(own, here, disk, 1 << 20);
      var expected = new ArrayList<>(List.of("gen-0"));
      journal.append(JournalItems.lines(0));
      disk.room(room);
      if (appends(journal, 1)) {
        expected.add("gen-1");
      }
      assertThat(appends(journal, 2)).isFalse();
      disk.room(Long.MAX_VALUE);
      assertThat(appends(journal, 3)).isTrue();
      expected.add("gen-3");
      journal.close();
      assertThat(JournalItems.find(own, here).generations()).isEqualTo(expected);
    }
  }

  @Test
  @DisplayName("takes nothing more while a half record cannot be taken away")
  void halfRecordStays() throws IOException {
    var disk = new FaultyDisk(Long.MAX_VALUE);
    Journal journal = JournalItems.open(directory, here, disk, 1 << 20);
    journal.append(JournalItems.lines(0));
    disk.room(5);
    disk.truncates(false);
    assertThat(appends(journal, 1)).isFalse();
    disk.room(Long.MAX_VALUE);
    assertThat(appends(journal, 2)).isFalse();
    disk.truncates(true);
    assertThat(appends(journal, 3)).isTrue();
    journal.close();
    assertThat(JournalItems.find(directory, here).generations()).containsExactly("gen-0", "gen-3");
  }

  @Test
  @DisplayName("begins its next file again when the disk had no room for it")
  void fullAtRotation() throws IOException {
    for (int room = 0; room < SegmentHeader.LENGTH; room += 7) {
      Path own = directory.resolve("rotation-" + room);
      var disk = new FaultyDisk(Long.MAX_VALUE);
      Journal journal = JournalItems.open(own, here, disk, 1); // each item has a file of its own
      journal.append(JournalItems.lines(0));
      disk.room(room);
      assertThat(appends(journal, 1)).isFalse();
      disk.room(Long.MAX_VALUE);
      assertThat(appends(journal, 2)).isTrue();
      journal.close();
      assertThat(JournalItems.find(own, here).generations()).containsExactly("gen-0", "gen-2");
    }
  }

  @Test
  @DisplayName("takes nothing more while the disk does not keep what it was given")
  void forceFails() throws IOException {
    var disk = new FaultyDisk(Long.MAX_VALUE);
    Journal journal = JournalItems.open(directory, here, disk, 1 << 20);
    journal.append(JournalItems.lines(0));
    disk.forces(false);
    assertThatThrownBy(journal::force).isInstanceOf(IOException.class);
    assertThat(appends(journal, 1)).isFalse();
    disk.forces(true);
    journal.force();
    assertThat(appends(journal, 2)).isTrue();
    journal.close();
    assertThat(JournalItems.find(directory, here).generations()).containsExactly("gen-0", "gen-2");
  }

  @Test
  @DisplayName("claims nothing to be on the disk that a failed force has dropped")
  void forceDrops() throws IOException {
    for (int segmentBytes : new int[] {1, 1 << 20}) { // a file for each item, one for all
      Path own = directory.resolve("segments-of-" + segmentBytes);
      var disk = new FaultyDisk(Long.MAX_VALUE);
      Journal journal = JournalItems.open(own, here, disk, segmentBytes);
      journal.append(JournalItems.lines(0));
      journal.force();
      journal.append(JournalItems.lines(1));
      journal.append(JournalItems.lines(2));
      disk.forces(false);
      assertThatThrownBy(journal::force).isInstanceOf(IOException.class);
      assertThatThrownBy(journal::force).isInstanceOf(IOException.class);
      disk.forces(true);
      journal.force();
      journal.append(JournalItems.lines(3));
      journal.force();
      journal.close();
      disk.losePower();
      assertThat(JournalItems.find(own, here.afterPowerLoss()).generations())
          .containsExactly("gen-0", "gen-1", "gen-2", "gen-3");
    }
  }

  @Test
  @DisplayName("takes nothing more when items are lost in memory, too, after a failed force")
  void forceDropsMemory() throws IOException {
    var disk = new FaultyDisk(Long.MAX_VALUE);
    Journal journal = JournalItems.open(directory, here, disk, 1 << 20);
    journal.append(JournalItems.lines(0));
    journal.force();
    journal.append(JournalItems.lines(1));
    disk.forces(false);
    assertThatThrownBy(journal::force).isInstanceOf(IOException.class);
    disk.forces(true);
    byte[] lost = Files.readAllBytes(only(directory));
    Arrays.fill(lost, lost.length - 20, lost.length, (byte) 0);
    Files.write(only(directory), lost);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(journal::force)
          .hasMessageContaining(only(directory).toString())
          .hasMessageContaining("restart the gateway");
      assertThat(appends(journal, 1)).isFalse();
    }
    journal.close();
    assertThat(JournalItems.find(directory, here).complete())
        .as("what was granted counts as spent, though the machine still runs")
        .isFalse();
  }

  @Test
  @DisplayName(
      "forces what was appended to a file while it was forced, though the file is full now")
  void fullWhileForced() throws IOException {
    var disk = new FaultyDisk(Long.MAX_VALUE);
    Journal journal = JournalItems.open(directory, here, disk, 300);
    Path first = newest(directory);
    journal.append(JournalItems.lines(0));
    disk.afterForce(
        () -> {
          for (int i = 1; i < 6; i++) {
            journal.append(JournalItems.lines(i));
          }
        });
    journal.force();
    assertThat(newest(directory)).isNotEqualTo(first);
    journal.force();
    journal.close();
    disk.losePower();
    assertThat(JournalItems.find(directory, here.afterPowerLoss()).generations())
        .containsExactly("gen-0", "gen-1", "gen-2", "gen-3", "gen-4", "gen-5");
  }

  @Test
  @DisplayName("forces what was appended while it was forced, though nothing follows")
  void appendedWhileForced() throws IOException {
    var disk = new FaultyDisk(Long.MAX_VALUE);
    Journal journal = JournalItems.open(directory, here, disk, 1 << 20);
    journal.append(JournalItems.lines(0));
    disk.afterForce(() -> journal.append(JournalItems.lines(1)));
    journal.force();
    journal.force();
    journal.close();
    disk.losePower();
    assertThat(JournalItems.find(directory, here.afterPowerLoss()).generations())
        .containsExactly("gen-0", "gen-1");
  }

  @Test
  @DisplayName("turns the disk only when there is something new")
  void forcesOnce() throws IOException {
    var disk = new FaultyDisk(Long.MAX_VALUE);
    try (Journal journal = JournalItems.open(directory, here, disk, 1 << 20)) {
      journal.append(JournalItems.lines(0));
      journal.force();
      int before = disk.forced();
      journal.force();
      journal.force();
      assertThat(disk.forced()).isEqualTo(before);
      journal.append(JournalItems.lines(1));
      journal.force();
      assertThat(disk.forced()).isGreaterThan(before);
    }
  }

  @Test
  @DisplayName("is complete though a killed process left its last write unfinished")
  void killedInsideWrite() throws IOException {
    Journal journal = JournalItems.open(directory, here);
    journal.append(JournalItems.lines(0));
    int afterOne = (int) Files.size(only(directory));
    journal.append(JournalItems.lines(1));
    int afterTwo = (int) Files.size(only(directory));
    journal.close();
    byte[] whole = Files.readAllBytes(only(directory));
    for (int length = afterOne + 1; length < afterTwo; length++) {
      Path own = Files.createDirectories(directory.resolve("cut-" + length));
      Files.write(own.resolve(only(directory).getFileName()), Arrays.copyOf(whole, length));
      assertThat(JournalItems.find(own, here).complete()).isTrue();
    }
  }

  @Test
  @DisplayName("ends before a record that was cut off, at whichever byte")
  void cutOff() throws IOException {
    Journal journal = JournalItems.open(directory, here);
    int behindTwo = 0;
    for (int i = 0; i < 3; i++) {
      behindTwo = (int) Files.size(only(directory));
      journal.append(JournalItems.lines(i));
    }
    journal.close();
    byte[] whole = Files.readAllBytes(only(directory));
    for (int length = behindTwo; length < whole.length; length++) {
      for (byte filler : new byte[] {0, (byte) 0xB5, 'J'}) {
        Path own = Files.createDirectories(directory.resolve(length + "-" + filler));
        byte[] torn = Arrays.copyOf(whole, whole.length + 500); // what a file system may leave
        Arrays.fill(torn, length, torn.length, filler);
        Files.write(own.resolve(only(directory).getFileName()), torn);
        assertThat(JournalItems.find(own, here).generations()).hasSize(2);
        assertThat(JournalItems.find(own, here.afterPowerLoss()).generations()).hasSize(2);
      }
    }
  }

  @Test
  @DisplayName("is refused and left as it is when a record in its middle is damaged")
  void damagedMiddle() throws IOException {
    Journal journal = JournalItems.open(directory, here);
    int begin = (int) Files.size(only(directory));
    journal.append(JournalItems.lines(0));
    int end = (int) Files.size(only(directory));
    journal.append(JournalItems.lines(1));
    journal.close();
    Path file = only(directory);
    byte[] whole = Files.readAllBytes(file);
    for (int at = begin; at < end; at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 4;
      Files.write(file, damaged);
      assertThatThrownBy(() -> JournalItems.find(directory, here))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is damaged at byte " + begin)
          .hasMessageContaining("restore it from a backup");
      assertThat(Files.readAllBytes(file)).isEqualTo(damaged);
    }
  }

  @Test
  @DisplayName("gives what comes before a record that cannot be read, and that when it can again")
  void unreadable() throws IOException {
    try (Journal journal = JournalItems.open(directory, here);
        JournalCursor journalCursor = journal.cursor()) {
      journal.append(JournalItems.lines(0));
      int begin = (int) Files.size(only(directory));
      journal.append(JournalItems.lines(1));
      byte[] whole = Files.readAllBytes(only(directory));
      byte[] damaged = whole.clone();
      damaged[begin + 20] ^= 4;
      Files.write(only(directory), damaged);
      assertThat(journalCursor.read(10)).extracting(NumberedItem::number).containsExactly(0L);
      assertThatThrownBy(() -> journalCursor.read(10)).hasMessageContaining("was changed while");
    }
  }

  /** Puts a sound frame behind what was written, in the name of the journal. */
  private void write(Journal journal, byte[] content) throws IOException {
    byte[] packed = new byte[JournalFrame.HEADER + content.length];
    System.arraycopy(content, 0, packed, JournalFrame.HEADER, content.length);
    Files.write(
        only(directory), new JournalFrame(journal.node()).seal(packed), StandardOpenOption.APPEND);
  }

  @Test
  @DisplayName("goes past no sound record that it cannot make out, as often as it is asked")
  void notUnderstood() throws IOException {
    Journal journal = JournalItems.open(directory, here);
    journal.append(JournalItems.lines(0));
    journal.append(JournalItems.lines(1));
    journal.close();
    write(journal, new byte[] {5, 100}); // lines, and nothing of them
    byte[] behind = ItemCodec.pack(JournalItems.lines(3));
    write(journal, Arrays.copyOfRange(behind, JournalFrame.HEADER, behind.length));
    try (Journal next = JournalItems.open(directory, here)) {
      EndedJournal endedJournal = next.endedJournals().getFirst();
      try (JournalCursor journalCursor = endedJournal.cursor().ofLines()) {
        assertThat(journalCursor.read(10)).extracting(NumberedItem::number).containsExactly(0L, 1L);
        for (int i = 0; i < 3; i++) {
          assertThatThrownBy(() -> journalCursor.read(10))
              .hasMessageContaining("cannot be decoded");
          assertThat(journalCursor.next()).isEqualTo(2);
        }
      }
    }
  }

  @Test
  @DisplayName("is refused when a later version wrote something into it that is not known here")
  void unknownKind() throws IOException {
    Journal journal = JournalItems.open(directory, here);
    journal.append(JournalItems.lines(0));
    journal.close();
    write(journal, new byte[] {99, 1, 2});
    assertThatThrownBy(() -> JournalItems.open(directory, here))
        .hasMessageContaining(only(directory).toString())
        .hasMessageContaining("an item of kind 99 is not known");
  }

  @Test
  @DisplayName("loses nothing to a file that could not be opened for a moment")
  void unopened() throws IOException {
    try (Journal journal =
            JournalItems.open(
                directory, here, JournalFileSystem.system(), 1); // a file for each item
        JournalCursor journalCursor = journal.cursor()) {
      journal.append(JournalItems.lines(0));
      journal.append(JournalItems.lines(1));
      Path second = newest(directory);
      Path away = directory.resolve("away");
      Files.move(second, away);
      assertThat(journalCursor.read(10)).extracting(NumberedItem::number).containsExactly(0L);
      assertThatThrownBy(() -> journalCursor.read(10)).isInstanceOf(IOException.class);
      Files.move(away, second);
      assertThat(journalCursor.read(10)).extracting(NumberedItem::number).containsExactly(1L);
      assertThat(journalCursor.read(10)).isEmpty();
    }
  }

  private static Path newest(Path directory) throws IOException {
    try (var all = Files.list(directory)) {
      return all.filter(file -> file.toString().endsWith(".journal"))
          .max(Comparator.naturalOrder())
          .orElseThrow();
    }
  }

  @Test
  @DisplayName("after a power loss may lack what was not forced, and is refused when it lacks more")
  void hole() throws IOException {
    Journal journal = JournalItems.open(directory, here);
    int begin = (int) Files.size(only(directory));
    journal.append(JournalItems.lines(0));
    journal.force();
    int forced = (int) Files.size(only(directory));
    journal.append(JournalItems.lines(1));
    journal.append(JournalItems.lines(2));
    journal.close();
    Path file = only(directory);
    byte[] whole = Files.readAllBytes(file);

    byte[] hole = whole.clone();
    Arrays.fill(hole, forced, forced + 20, (byte) 0);
    Files.write(file, hole);
    assertThat(JournalItems.find(directory, here.afterPowerLoss()).generations())
        .containsExactly("gen-0");
    assertThatThrownBy(() -> JournalItems.find(directory, here)).hasMessageContaining("is damaged");

    byte[] worse = whole.clone();
    Arrays.fill(worse, begin, begin + 20, (byte) 0);
    Files.write(file, worse);
    assertThatThrownBy(() -> JournalItems.find(directory, here.afterPowerLoss()))
        .hasMessageContaining("is damaged at byte " + begin);
  }

  @Test
  @DisplayName("is not taken in by text that looks like a record")
  void lookalike() throws IOException {
    Journal journal = JournalItems.open(directory, here);
    journal.append(JournalItems.lines(0));
    byte[] forged =
        new JournalFrame(new UUID(1, 2)).seal(ItemCodec.pack(new JournalItem.Forced(99)));
    journal.append(
        new JournalItem.Generation(
            new Generation("gen-1", "key:abc", JournalItems.AT, forged, forged)));
    journal.close();
    byte[] whole = Files.readAllBytes(only(directory));
    Files.write(only(directory), Arrays.copyOf(whole, whole.length - 1));
    assertThat(JournalItems.find(directory, here).generations()).containsExactly("gen-0");
  }

  @Test
  @DisplayName("that lacks a file in its middle is refused")
  void missingFile() throws IOException {
    Journal journal = JournalItems.open(directory, here, JournalFileSystem.system(), 300);
    for (int i = 0; i < 20; i++) {
      journal.append(JournalItems.lines(i));
    }
    journal.close();
    try (var all = Files.list(directory)) {
      Files.delete(
          all.filter(file -> file.toString().endsWith(".journal")).sorted().toList().get(2));
    }
    assertThatThrownBy(() -> JournalItems.find(directory, here))
        .hasMessageContaining("the journal lacks what comes before");
  }

  @Test
  @DisplayName("of a newer version is refused with a sentence that says what to do")
  void newer() throws IOException {
    JournalItems.open(directory, here).close();
    Path file = only(directory);
    byte[] bytes = Files.readAllBytes(file);
    bytes[12] = 3;
    Files.write(file, bytes);
    assertThatThrownBy(() -> JournalItems.find(directory, here))
        .hasMessageContaining("is a journal of format 3, this version reads 1 and 2");
    assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
    Files.write(file, "something else entirely".repeat(9).getBytes(US_ASCII));
    assertThatThrownBy(() -> JournalItems.find(directory, here))
        .hasMessageContaining("is not a journal");
  }

  @Test
  @DisplayName("whose file was never begun holds nothing and is in nobody's way")
  void neverBegun() throws IOException {
    Journal journal = JournalItems.open(directory, here);
    journal.append(JournalItems.lines(0));
    journal.close();
    Path empty = directory.resolve("00000000-0000-0000-0000-000000000000-0000.journal");
    Files.write(empty, new byte[SegmentHeader.LENGTH]);
    assertThat(JournalItems.find(directory, here).generations()).containsExactly("gen-0");
    assertThat(empty).doesNotExist();
  }
}
