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

@DisplayName("A journal after a fault")
class JournalFaultTest {
  private static final int MAX_FRAME_BYTES = 120; // more than any frame of these tests

  @TempDir private Path directory;

  private final Machine machine = Machine.fresh();

  private static Path journalFile(Path directory) throws IOException {
    try (var all = Files.list(directory)) {
      return all.filter(file -> file.toString().endsWith(".journal")).findFirst().orElseThrow();
    }
  }

  @Tag("full")
  @Test
  @DisplayName("has all that was acknowledged, at whichever byte of a record the process is killed")
  void killedAtEveryByte() throws IOException {
    for (int byteOfRecord = 0; byteOfRecord < MAX_FRAME_BYTES; byteOfRecord++) {
      Path subdirectory = directory.resolve("at-" + byteOfRecord);
      var disk = new FaultyDisk(Long.MAX_VALUE);
      Journal journal = JournalItems.open(subdirectory, machine, disk, 1 << 20);
      journal.append(JournalItems.lines(0));
      journal.append(JournalItems.lines(1));
      disk.setCanTruncate(false); // a killed process cannot tidy up
      disk.setRoom(byteOfRecord);
      boolean acknowledged = tryAppend(journal, 2);
      journal.close();
      var found = JournalItems.find(subdirectory, machine);
      assertThat(found.complete()).isTrue();
      assertThat(found.generations())
          .isEqualTo(acknowledged ? List.of("gen-0", "gen-1", "gen-2") : List.of("gen-0", "gen-1"));
    }
  }

  private static boolean tryAppend(Journal journal, int number) {
    try {
      journal.append(JournalItems.lines(number));
      return true;
    } catch (StoreUnavailableException refused) {
      return false;
    }
  }

  @Test
  @DisplayName(
      "continues once a full disk has room again, and has nothing of what the disk refused")
  void fullDisk() throws IOException {
    for (int room = 0; room < MAX_FRAME_BYTES; room++) {
      Path subdirectory = directory.resolve("room-" + room);
      var disk = new FaultyDisk(Long.MAX_VALUE);
      Journal journal = JournalItems.open(subdirectory, machine, disk, 1 << 20);
      var expected = new ArrayList<>(List.of("gen-0"));
      journal.append(JournalItems.lines(0));
      disk.setRoom(room);
      if (tryAppend(journal, 1)) {
        expected.add("gen-1");
      }
      assertThat(tryAppend(journal, 2)).isFalse();
      disk.setRoom(Long.MAX_VALUE);
      assertThat(tryAppend(journal, 3)).isTrue();
      expected.add("gen-3");
      journal.close();
      assertThat(JournalItems.find(subdirectory, machine).generations()).isEqualTo(expected);
    }
  }

  @Test
  @DisplayName("accepts nothing while a half-written record cannot be removed")
  void halfRecordStays() throws IOException {
    var disk = new FaultyDisk(Long.MAX_VALUE);
    Journal journal = JournalItems.open(directory, machine, disk, 1 << 20);
    journal.append(JournalItems.lines(0));
    disk.setRoom(5);
    disk.setCanTruncate(false);
    assertThat(tryAppend(journal, 1)).isFalse();
    disk.setRoom(Long.MAX_VALUE);
    assertThat(tryAppend(journal, 2)).isFalse();
    disk.setCanTruncate(true);
    assertThat(tryAppend(journal, 3)).isTrue();
    journal.close();
    assertThat(JournalItems.find(directory, machine).generations())
        .containsExactly("gen-0", "gen-3");
  }

  @Test
  @DisplayName("begins its next file again if the disk had no room for it")
  void fullAtRotation() throws IOException {
    for (int room = 0; room < SegmentHeader.LENGTH; room += 7) {
      Path subdirectory = directory.resolve("rotation-" + room);
      var disk = new FaultyDisk(Long.MAX_VALUE);
      Journal journal =
          JournalItems.open(subdirectory, machine, disk, 1); // each item has a file of its own
      journal.append(JournalItems.lines(0));
      disk.setRoom(room);
      assertThat(tryAppend(journal, 1)).isFalse();
      disk.setRoom(Long.MAX_VALUE);
      assertThat(tryAppend(journal, 2)).isTrue();
      journal.close();
      assertThat(JournalItems.find(subdirectory, machine).generations())
          .containsExactly("gen-0", "gen-2");
    }
  }

  @Test
  @DisplayName("accepts nothing while the disk fails to force what was written")
  void forceFails() throws IOException {
    var disk = new FaultyDisk(Long.MAX_VALUE);
    Journal journal = JournalItems.open(directory, machine, disk, 1 << 20);
    journal.append(JournalItems.lines(0));
    disk.setCanForce(false);
    assertThatThrownBy(journal::force).isInstanceOf(IOException.class);
    assertThat(tryAppend(journal, 1)).isFalse();
    disk.setCanForce(true);
    journal.force();
    assertThat(tryAppend(journal, 2)).isTrue();
    journal.close();
    assertThat(JournalItems.find(directory, machine).generations())
        .containsExactly("gen-0", "gen-2");
  }

  @Test
  @DisplayName("writes again what a failed force has dropped")
  void forceDrops() throws IOException {
    for (int segmentBytes : new int[] {1, 1 << 20}) { // a file for each item, one for all
      Path subdirectory = directory.resolve("segments-of-" + segmentBytes);
      var disk = new FaultyDisk(Long.MAX_VALUE);
      Journal journal = JournalItems.open(subdirectory, machine, disk, segmentBytes);
      journal.append(JournalItems.lines(0));
      journal.force();
      journal.append(JournalItems.lines(1));
      journal.append(JournalItems.lines(2));
      disk.setCanForce(false);
      assertThatThrownBy(journal::force).isInstanceOf(IOException.class);
      assertThatThrownBy(journal::force).isInstanceOf(IOException.class);
      disk.setCanForce(true);
      journal.force();
      journal.append(JournalItems.lines(3));
      journal.force();
      journal.close();
      disk.losePower();
      assertThat(JournalItems.find(subdirectory, machine.afterPowerLoss()).generations())
          .containsExactly("gen-0", "gen-1", "gen-2", "gen-3");
    }
  }

  @Test
  @DisplayName("accepts nothing more if items are also lost in memory after a failed force")
  void forceDropsMemory() throws IOException {
    var disk = new FaultyDisk(Long.MAX_VALUE);
    Journal journal = JournalItems.open(directory, machine, disk, 1 << 20);
    journal.append(JournalItems.lines(0));
    journal.force();
    journal.append(JournalItems.lines(1));
    disk.setCanForce(false);
    assertThatThrownBy(journal::force).isInstanceOf(IOException.class);
    disk.setCanForce(true);
    byte[] lost = Files.readAllBytes(journalFile(directory));
    Arrays.fill(lost, lost.length - 20, lost.length, (byte) 0);
    Files.write(journalFile(directory), lost);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(journal::force)
          .hasMessageContaining(journalFile(directory).toString())
          .hasMessageContaining("restart the gateway");
      assertThat(tryAppend(journal, 1)).isFalse();
    }
    journal.close();
    assertThat(JournalItems.find(directory, machine).complete())
        .as("what was granted counts as spent, even though the machine still runs")
        .isFalse();
  }

  @Test
  @DisplayName(
      "forces what was appended to a file while that was forced, even if the file is full now")
  void fullWhileForced() throws IOException {
    var disk = new FaultyDisk(Long.MAX_VALUE);
    Journal journal = JournalItems.open(directory, machine, disk, 300);
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
    assertThat(JournalItems.find(directory, machine.afterPowerLoss()).generations())
        .containsExactly("gen-0", "gen-1", "gen-2", "gen-3", "gen-4", "gen-5");
  }

  @Test
  @DisplayName("forces what was appended while it was forced, even if nothing follows")
  void appendedWhileForced() throws IOException {
    var disk = new FaultyDisk(Long.MAX_VALUE);
    Journal journal = JournalItems.open(directory, machine, disk, 1 << 20);
    journal.append(JournalItems.lines(0));
    disk.afterForce(() -> journal.append(JournalItems.lines(1)));
    journal.force();
    journal.force();
    journal.close();
    disk.losePower();
    assertThat(JournalItems.find(directory, machine.afterPowerLoss()).generations())
        .containsExactly("gen-0", "gen-1");
  }

  @Test
  @DisplayName("forces the disk only when there is something new")
  void forcesOnce() throws IOException {
    var disk = new FaultyDisk(Long.MAX_VALUE);
    try (Journal journal = JournalItems.open(directory, machine, disk, 1 << 20)) {
      journal.append(JournalItems.lines(0));
      journal.force();
      int before = disk.forceCount();
      journal.force();
      journal.force();
      assertThat(disk.forceCount()).isEqualTo(before);
      journal.append(JournalItems.lines(1));
      journal.force();
      assertThat(disk.forceCount()).isGreaterThan(before);
    }
  }

  @Test
  @DisplayName("is complete even if a killed process left its last write unfinished")
  void killedInsideWrite() throws IOException {
    Journal journal = JournalItems.open(directory, machine);
    journal.append(JournalItems.lines(0));
    int afterOne = (int) Files.size(journalFile(directory));
    journal.append(JournalItems.lines(1));
    int afterTwo = (int) Files.size(journalFile(directory));
    journal.close();
    byte[] whole = Files.readAllBytes(journalFile(directory));
    for (int length = afterOne + 1; length < afterTwo; length++) {
      Path subdirectory = Files.createDirectories(directory.resolve("cut-" + length));
      Files.write(
          subdirectory.resolve(journalFile(directory).getFileName()), Arrays.copyOf(whole, length));
      assertThat(JournalItems.find(subdirectory, machine).complete()).isTrue();
    }
  }

  @Test
  @DisplayName("ends before a record that was cut off, at whichever byte")
  void cutOff() throws IOException {
    Journal journal = JournalItems.open(directory, machine);
    int endOfTwo = 0;
    for (int i = 0; i < 3; i++) {
      endOfTwo = (int) Files.size(journalFile(directory));
      journal.append(JournalItems.lines(i));
    }
    journal.close();
    byte[] whole = Files.readAllBytes(journalFile(directory));
    for (int length = endOfTwo; length < whole.length; length++) {
      for (byte filler : new byte[] {0, (byte) 0xB5, 'J'}) {
        Path subdirectory = Files.createDirectories(directory.resolve(length + "-" + filler));
        byte[] torn = Arrays.copyOf(whole, whole.length + 500); // what a file system may leave
        Arrays.fill(torn, length, torn.length, filler);
        Files.write(subdirectory.resolve(journalFile(directory).getFileName()), torn);
        assertThat(JournalItems.find(subdirectory, machine).generations()).hasSize(2);
        assertThat(JournalItems.find(subdirectory, machine.afterPowerLoss()).generations())
            .hasSize(2);
      }
    }
  }

  @Test
  @DisplayName("is refused and left unchanged if a record in its middle is damaged")
  void damagedMiddle() throws IOException {
    Journal journal = JournalItems.open(directory, machine);
    int begin = (int) Files.size(journalFile(directory));
    journal.append(JournalItems.lines(0));
    int end = (int) Files.size(journalFile(directory));
    journal.append(JournalItems.lines(1));
    journal.close();
    Path file = journalFile(directory);
    byte[] whole = Files.readAllBytes(file);
    for (int at = begin; at < end; at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 4;
      Files.write(file, damaged);
      assertThatThrownBy(() -> JournalItems.find(directory, machine))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is damaged at byte " + begin)
          .hasMessageContaining("restore it from a backup");
      assertThat(Files.readAllBytes(file)).isEqualTo(damaged);
    }
  }

  @Test
  @DisplayName(
      "gives the items before a record that cannot be read, and that once it is readable again")
  void unreadable() throws IOException {
    try (Journal journal = JournalItems.open(directory, machine);
        JournalCursor journalCursor = journal.cursor()) {
      journal.append(JournalItems.lines(0));
      int begin = (int) Files.size(journalFile(directory));
      journal.append(JournalItems.lines(1));
      byte[] whole = Files.readAllBytes(journalFile(directory));
      byte[] damaged = whole.clone();
      damaged[begin + 20] ^= 4;
      Files.write(journalFile(directory), damaged);
      assertThat(journalCursor.read(10)).extracting(NumberedItem::number).containsExactly(0L);
      assertThatThrownBy(() -> journalCursor.read(10)).hasMessageContaining("was changed while");
      Files.write(journalFile(directory), whole);
      assertThat(journalCursor.read(10)).extracting(NumberedItem::number).containsExactly(1L);
    }
  }

  /** Appends a valid frame with the journal's id to its file. */
  private void appendFrame(Journal journal, byte[] content) throws IOException {
    byte[] packed = new byte[JournalFrame.HEADER + content.length];
    System.arraycopy(content, 0, packed, JournalFrame.HEADER, content.length);
    Files.write(
        journalFile(directory),
        new JournalFrame(journal.node()).seal(packed),
        StandardOpenOption.APPEND);
  }

  @Test
  @DisplayName("never skips a valid record that it cannot decode, however often it is read")
  void notUnderstood() throws IOException {
    Journal journal = JournalItems.open(directory, machine);
    journal.append(JournalItems.lines(0));
    journal.append(JournalItems.lines(1));
    journal.close();
    appendFrame(journal, new byte[] {5, 100}); // an item of lines without content
    byte[] behind = ItemCodec.pack(JournalItems.lines(3));
    appendFrame(journal, Arrays.copyOfRange(behind, JournalFrame.HEADER, behind.length));
    try (Journal next = JournalItems.open(directory, machine)) {
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
  @DisplayName("is refused if a later version wrote an item of an unknown kind")
  void unknownKind() throws IOException {
    Journal journal = JournalItems.open(directory, machine);
    journal.append(JournalItems.lines(0));
    journal.close();
    appendFrame(journal, new byte[] {99, 1, 2});
    assertThatThrownBy(() -> JournalItems.open(directory, machine))
        .hasMessageContaining(journalFile(directory).toString())
        .hasMessageContaining("an item of kind 99 is not known");
  }

  @Test
  @DisplayName("loses nothing if a file could not be opened for a moment")
  void unopened() throws IOException {
    try (Journal journal =
            JournalItems.open(
                directory, machine, JournalFileSystem.system(), 1); // a file for each item
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
  @DisplayName("may lack what was not forced before a power loss, and is refused if it lacks more")
  void hole() throws IOException {
    Journal journal = JournalItems.open(directory, machine);
    int begin = (int) Files.size(journalFile(directory));
    journal.append(JournalItems.lines(0));
    journal.force();
    int forced = (int) Files.size(journalFile(directory));
    journal.append(JournalItems.lines(1));
    journal.append(JournalItems.lines(2));
    journal.close();
    Path file = journalFile(directory);
    byte[] whole = Files.readAllBytes(file);

    byte[] hole = whole.clone();
    Arrays.fill(hole, forced, forced + 20, (byte) 0);
    Files.write(file, hole);
    assertThat(JournalItems.find(directory, machine.afterPowerLoss()).generations())
        .containsExactly("gen-0");
    assertThatThrownBy(() -> JournalItems.find(directory, machine))
        .hasMessageContaining("is damaged");

    byte[] worse = whole.clone();
    Arrays.fill(worse, begin, begin + 20, (byte) 0);
    Files.write(file, worse);
    assertThatThrownBy(() -> JournalItems.find(directory, machine.afterPowerLoss()))
        .hasMessageContaining("is damaged at byte " + begin);
  }

  @Test
  @DisplayName("does not mistake text that looks like a record for a record")
  void lookalike() throws IOException {
    Journal journal = JournalItems.open(directory, machine);
    journal.append(JournalItems.lines(0));
    byte[] forged =
        new JournalFrame(new UUID(1, 2)).seal(ItemCodec.pack(new JournalItem.Forced(99)));
    journal.append(
        new JournalItem.Generation(
            new Generation("gen-1", "key:abc", JournalItems.AT, forged, forged)));
    journal.close();
    byte[] whole = Files.readAllBytes(journalFile(directory));
    Files.write(journalFile(directory), Arrays.copyOf(whole, whole.length - 1));
    assertThat(JournalItems.find(directory, machine).generations()).containsExactly("gen-0");
  }

  @Test
  @DisplayName("is refused if it lacks a file in its middle")
  void missingFile() throws IOException {
    Journal journal = JournalItems.open(directory, machine, JournalFileSystem.system(), 300);
    for (int i = 0; i < 20; i++) {
      journal.append(JournalItems.lines(i));
    }
    journal.close();
    try (var all = Files.list(directory)) {
      Files.delete(
          all.filter(file -> file.toString().endsWith(".journal")).sorted().toList().get(2));
    }
    assertThatThrownBy(() -> JournalItems.find(directory, machine))
        .hasMessageContaining("the journal lacks what comes before");
  }

  @Test
  @DisplayName("is refused if it has a newer format, or is not a journal")
  void newer() throws IOException {
    JournalItems.open(directory, machine).close();
    Path file = journalFile(directory);
    byte[] bytes = Files.readAllBytes(file);
    bytes[12] = 3;
    Files.write(file, bytes);
    assertThatThrownBy(() -> JournalItems.find(directory, machine))
        .hasMessageContaining("is a journal of format 3, this version reads 1 and 2");
    assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
    Files.write(file, "something else entirely".repeat(9).getBytes(US_ASCII));
    assertThatThrownBy(() -> JournalItems.find(directory, machine))
        .hasMessageContaining("is not a journal");
  }

  @Test
  @DisplayName("is deleted if its file was never begun, and leaves others readable")
  void neverBegun() throws IOException {
    Journal journal = JournalItems.open(directory, machine);
    journal.append(JournalItems.lines(0));
    journal.close();
    Path empty = directory.resolve("00000000-0000-0000-0000-000000000000-0000.journal");
    Files.write(empty, new byte[SegmentHeader.LENGTH]);
    assertThat(JournalItems.find(directory, machine).generations()).containsExactly("gen-0");
    assertThat(empty).doesNotExist();
  }
}
