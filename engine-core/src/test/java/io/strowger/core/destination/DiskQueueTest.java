package io.strowger.core.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ambient.SecureBytes;
import io.strowger.core.config.SecretKey;
import io.strowger.core.secret.SecretCipher;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallTrace;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Calls that wait on disk")
class DiskQueueTest {
  private static final int MAX_CALLS = 1_000;

  /** The deepest request that any configuration accepts. */
  private static final int MAX_DEPTH = 1_000;

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");

  @TempDir Path directory;

  private Path files() {
    return directory.resolve("q");
  }

  private DiskQueue open() {
    return open(1L << 20, (byte) 0);
  }

  private DiskQueue open(long maxBytes, byte key) {
    byte[] bytes = new byte[SecretKey.BYTES];
    bytes[0] = key;
    var cipher = new SecretCipher(() -> SecretKey.of(bytes), new SecureBytes());
    return new DiskQueue(
        files(), "q", new DiskQueues.Options(maxBytes, cipher, new SecureBytes()), ambient);
  }

  private CallTrace call(String id) {
    return SampleTraces.full(id, "what was said", ambient.now());
  }

  private List<CallTrace> calls(String... ids) {
    return Stream.of(ids).map(this::call).toList();
  }

  /** Reads and acknowledges all calls, and returns their ids. */
  private static List<String> drain(DiskQueue queue) {
    var ids = new ArrayList<String>();
    for (DiskQueue.Batch batch = queue.read(MAX_CALLS, Long.MAX_VALUE);
        !batch.calls().isEmpty();
        batch = queue.read(MAX_CALLS, Long.MAX_VALUE)) {
      batch.calls().forEach(call -> ids.add(call.id()));
      queue.acknowledge(batch, batch.calls().size());
    }
    return ids;
  }

  private List<Path> segments() throws IOException {
    try (Stream<Path> all = Files.list(files())) {
      return all.filter(path -> path.toString().endsWith(".calls")).sorted().toList();
    }
  }

  private Path segment() throws IOException {
    return segments().getLast();
  }

  private static void flip(Path file, long at) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[(int) at] ^= 1;
    Files.write(file, bytes);
  }

  @Test
  @DisplayName("are read as they were written, with all or few values")
  void roundTrip() {
    List<CallTrace> written =
        List.of(call("full"), SampleTraces.bare("bare", ambient.now().plusNanos(123_456_789)));
    assertThat(open().append(written, false)).isEqualTo(2);
    assertThat(open().read(MAX_CALLS, Long.MAX_VALUE).calls()).isEqualTo(written);
  }

  @Test
  @DisplayName("are read back even if their metadata is nested as deep as any request may be")
  void deepMetadata() {
    Json value = Json.array();
    for (int depth = 4; depth <= MAX_DEPTH; depth++) { // in the arrays of {"trace": {"deep": ...}}
      value = Json.array(value);
    }
    CallTrace plain = SampleTraces.bare("deep", ambient.now());
    CallTrace.Span span = plain.span();
    var call =
        new CallTrace(
            plain.id(),
            new CallTrace.Span(
                span.traceId(),
                span.spanId(),
                null,
                span.name(),
                null,
                null,
                Json.object().put("deep", value).build()),
            plain.result(),
            plain.model(),
            plain.usage(),
            plain.cost(),
            plain.sender(),
            plain.details());
    DiskQueue queue = open();
    queue.append(List.of(call), false);
    assertThat(queue.read(MAX_CALLS, Long.MAX_VALUE).calls()).containsExactly(call);
    assertThat(queue.damaged()).isZero();
  }

  @Test
  @DisplayName("leave no file behind after they were delivered")
  void leavesNothing() {
    DiskQueue queue = open();
    queue.append(calls("a", "b"), false);
    assertThat(files()).exists();
    assertThat(queue.calls()).isEqualTo(2);
    assertThat(queue.bytes()).isPositive();
    assertThat(drain(queue)).containsExactly("a", "b");
    assertThat(files()).doesNotExist();
    assertThat(queue.calls()).isZero();
    assertThat(queue.bytes()).isZero();
  }

  @Test
  @DisplayName("are not read again after a restart if they were acknowledged")
  void position() {
    DiskQueue queue = open();
    queue.append(calls("a", "b", "c"), false);
    queue.acknowledge(queue.read(2, Long.MAX_VALUE), 1);
    assertThat(queue.read(MAX_CALLS, Long.MAX_VALUE).calls()).hasSize(2);
    queue.close();
    DiskQueue again = open();
    assertThat(again.foundAtStart()).isEqualTo(2);
    assertThat(drain(again)).containsExactly("b", "c");
  }

  @Test
  @DisplayName("are read from the beginning if the position file is damaged")
  void damagedPosition() throws IOException {
    DiskQueue queue = open();
    queue.append(calls("a", "b"), false);
    queue.acknowledge(queue.read(1, Long.MAX_VALUE), 1);
    queue.close();
    flip(files().resolve("position"), 15);
    assertThat(drain(open())).containsExactly("a", "b");
  }

  @Test
  @DisplayName("that were written incompletely are skipped and counted, and the rest is read")
  void torn() throws IOException {
    DiskQueue queue = open();
    queue.append(calls("a", "b"), false);
    try (FileChannel file = FileChannel.open(segment(), StandardOpenOption.WRITE)) {
      file.truncate(file.size() - 1);
    }
    DiskQueue again = open();
    assertThat(again.damaged()).isEqualTo(1);
    assertThat(again.foundAtStart()).isEqualTo(2);
    again.append(calls("c"), false);
    assertThat(drain(again)).containsExactly("a", "c");
  }

  @Test
  @DisplayName("that are damaged in any byte are skipped and counted")
  void flipped() throws IOException {
    DiskQueue first = open();
    first.append(calls("a"), false);
    long endOfFirst = Files.size(segment());
    first.append(calls("b", "c"), false);
    first.close();
    byte[] intact = Files.readAllBytes(segment());
    long endOfSecond = endOfFirst + (intact.length - endOfFirst) / 2;
    for (long at = endOfFirst; at < endOfSecond; at += at < endOfFirst + 12 ? 1 : 97) {
      Path file = files().resolve("0000000000000001.calls");
      Files.createDirectories(files());
      Files.write(file, intact);
      flip(file, at);
      DiskQueue queue = open();
      assertThat(drain(queue)).as("byte " + at).containsExactly("a", "c");
      assertThat(queue.damaged()).as("byte " + at).isEqualTo(1);
      assertThat(queue.foundAtStart()).as("byte " + at).isEqualTo(3);
      assertThat(queue.calls()).isZero();
    }
  }

  @Test
  @DisplayName("are counted as damaged if their file is cut or deleted while it is in use")
  void lostMeanwhile() throws IOException {
    DiskQueue queue = open();
    queue.append(calls("a", "b", "c"), false);
    try (FileChannel file = FileChannel.open(segment(), StandardOpenOption.WRITE)) {
      file.truncate(file.size() - 1);
    }
    assertThat(drain(queue)).containsExactly("a", "b");
    assertThat(queue.damaged()).isEqualTo(1);
    open().append(calls("d"), false);
    DiskQueue again = open();
    Files.delete(segment());
    assertThat(again.read(MAX_CALLS, Long.MAX_VALUE).readFailed()).isTrue();
    assertThat(drain(again)).isEmpty();
    assertThat(again.damaged()).isEqualTo(1);
    assertThat(again.calls()).isZero();
  }

  @Test
  @DisplayName("are not affected by an unreadable file, which is deleted after a week")
  void garbage() throws IOException {
    Files.createDirectories(files());
    Path garbage = files().resolve("0000000000000007.calls");
    Files.writeString(garbage, "neither a header nor a frame ".repeat(100));
    Files.setLastModifiedTime(garbage, FileTime.from(ambient.now()));
    Files.writeString(files().resolve("notes.txt"), "not of the queue");
    DiskQueue queue = open();
    assertThat(queue.damaged()).isEqualTo(1);
    queue.append(calls("a"), false);
    assertThat(segment().getFileName()).hasToString("0000000000000008.calls");
    assertThat(drain(queue)).containsExactly("a");
    assertThat(garbage).exists();
    Files.setLastModifiedTime(
        garbage, FileTime.from(ambient.now().minus(DiskQueue.RETENTION).minusSeconds(1)));
    open();
    assertThat(garbage).doesNotExist();
    assertThat(files().resolve("notes.txt")).exists();
  }

  @Test
  @DisplayName("that were encrypted with another key stay, and are read with that key later")
  void otherKey() throws IOException {
    open().append(calls("a"), false);
    Files.setLastModifiedTime(segment(), FileTime.from(ambient.now()));
    DiskQueue other = open(1L << 20, (byte) 1);
    assertThat(other.damaged()).isEqualTo(1);
    assertThat(drain(other)).isEmpty();
    other.append(calls("b"), false);
    assertThat(drain(other)).containsExactly("b");
    other.close();
    assertThat(drain(open())).containsExactly("a");
  }

  @Test
  @DisplayName("cannot be read from a file that was renamed")
  void bound() throws IOException {
    open().append(calls("a"), false);
    Files.move(segment(), files().resolve("0000000000000002.calls"));
    DiskQueue queue = open();
    assertThat(drain(queue)).isEmpty();
    assertThat(queue.damaged()).isEqualTo(1);
  }

  @Test
  @DisplayName("are encrypted, and accessible only to the owner of the files")
  void encrypted() throws IOException {
    DiskQueue queue = open();
    queue.append(List.of(SampleTraces.full("gen-1", "the secret word", ambient.now())), false);
    queue.append(calls("gen-2"), false);
    queue.acknowledge(queue.read(1, Long.MAX_VALUE), 1);
    try (Stream<Path> all = Files.list(files())) {
      for (Path file : all.toList()) {
        assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
            .doesNotContain("secret word", "gen-", "acme", "role");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .isEqualTo("rw-------");
      }
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files())))
        .isEqualTo("rwx------");
  }

  @Test
  @DisplayName(
      "take no more than the configured bytes, and can be added after others were delivered")
  void full() throws IOException {
    DiskQueue queue = open(20_000, (byte) 0);
    String[] ids = new String[50];
    Arrays.setAll(ids, i -> "gen-" + i);
    int stored = queue.append(calls(ids), false);
    assertThat(stored).isBetween(5, 49);
    assertThat(queue.mayAppend()).isFalse();
    assertThat(segments()).hasSizeBetween(3, 6);
    long fileBytes = 0;
    for (Path file : segments()) {
      fileBytes += Files.size(file);
    }
    assertThat(queue.bytes()).isEqualTo(fileBytes).isLessThanOrEqualTo(20_000);
    DiskQueue.Batch batch = queue.read(MAX_CALLS, Long.MAX_VALUE);
    queue.acknowledge(batch, batch.calls().size());
    assertThat(segments()).hasSizeLessThan(6);
    assertThat(queue.mayAppend()).isTrue();
    assertThat(queue.append(calls("more"), false)).isEqualTo(1);
    List<String> rest = drain(queue);
    assertThat(batch.calls().size() + rest.size()).isEqualTo(stored + 1);
    assertThat(rest).endsWith("more");
  }

  @Test
  @DisplayName("are dropped after a week")
  void expired() {
    DiskQueue queue = open();
    queue.append(calls("old"), false);
    ambient.advance(DiskQueue.RETENTION.plus(Duration.ofMinutes(1)));
    queue.append(calls("new"), false);
    assertThat(drain(queue)).containsExactly("new");
    assertThat(queue.expired()).isEqualTo(1);
    assertThat(queue.damaged()).isZero();
  }

  @Test
  @DisplayName("are deleted with their destination, and no more are accepted")
  void deleted() {
    DiskQueue queue = open();
    queue.append(calls("a"), false);
    DiskQueue.Batch batch = queue.read(MAX_CALLS, Long.MAX_VALUE);
    queue.delete();
    assertThat(files()).doesNotExist();
    queue.acknowledge(batch, 1);
    assertThat(queue.append(calls("b"), false)).isZero();
    assertThat(queue.calls()).isZero();
    assertThat(files()).doesNotExist();
  }

  @Test
  @DisplayName("stay on disk if an earlier file cannot be read at the start")
  void unreadableAtStart() throws IOException {
    DiskQueue first = open();
    first.append(calls("a"), false);
    first.close();
    DiskQueue second = open();
    second.append(calls("b"), false);
    second.close();
    Path fileOfA = segments().getFirst();
    Path away = directory.resolve("away");
    Files.move(fileOfA, away);
    Files.createDirectory(fileOfA); // a directory cannot be read as a file
    DiskQueue third = open();
    assertThat(third.append(calls("c"), false)).isEqualTo(1);
    assertThat(drain(third)).containsExactly("c");
    third.close();
    Files.delete(fileOfA);
    Files.move(away, fileOfA);
    assertThat(drain(open())).containsExactly("a", "b");
  }

  @Test
  @DisplayName("stay on disk if they were not found at the start")
  void notFoundAtStart() throws IOException {
    DiskQueue first = open();
    first.append(calls("a"), false);
    first.close();
    Path away = directory.resolve("away");
    Files.move(files(), away);
    DiskQueue second = open();
    Files.move(away, files());
    assertThat(second.append(calls("b"), false)).isEqualTo(1);
    second.close();
    assertThat(drain(open())).containsExactly("a", "b");
  }

  @Test
  @DisplayName("are refused while the disk is not writable, and accepted afterwards")
  void unwritable() throws IOException {
    DiskQueue queue = open();
    Files.createFile(files());
    assertThat(queue.append(calls("a"), false)).isZero();
    assertThat(queue.mayAppend()).isFalse();
    ambient.advance(Duration.ofSeconds(1));
    assertThat(queue.mayAppend()).isTrue();
    Files.delete(files());
    assertThat(queue.append(calls("a"), false)).isEqualTo(1);
    assertThat(drain(queue)).containsExactly("a");
  }
}
