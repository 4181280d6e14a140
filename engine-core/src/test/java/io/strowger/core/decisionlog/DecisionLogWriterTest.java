package io.strowger.core.decisionlog;

import static io.strowger.core.decisionlog.TestLogs.CATALOG;
import static io.strowger.core.decisionlog.TestLogs.OTHER_CATALOG;
import static io.strowger.core.decisionlog.TestLogs.damage;
import static io.strowger.core.decisionlog.TestLogs.decision;
import static io.strowger.core.decisionlog.TestLogs.decisions;
import static io.strowger.core.decisionlog.TestLogs.items;
import static io.strowger.core.decisionlog.TestLogs.log;
import static io.strowger.core.decisionlog.TestLogs.withOpenBreaker;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.health.Statistics;
import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.routing.TraceEntry;
import io.strowger.tck.TestAmbient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The writer of a decision log")
class DecisionLogWriterTest {
  private final TestAmbient ambient = TestAmbient.realTime();

  private static LoggedDecision simpleDecision(long seed) {
    return decision(CATALOG, Statistics.NONE, seed);
  }

  /** A stream that blocks at the first write after the header until the test releases it. */
  private static final class BlockedDisk extends OutputStream {
    final ByteArrayOutputStream content = new ByteArrayOutputStream();
    final CountDownLatch reached = new CountDownLatch(1);
    final CountDownLatch released = new CountDownLatch(1);
    boolean isFull;
    boolean isClosed;

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      if (content.size() > 0) { // after the header
        reached.countDown();
        try {
          released.await();
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
        if (isFull) {
          throw new IOException("disk full");
        }
      }
      content.write(bytes, from, count);
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }

  @Test
  @DisplayName("drops and counts decisions if its queue is full, and never waits for the disk")
  void overflow() throws Exception {
    var disk = new BlockedDisk();
    var writer = DecisionLogWriter.toStream(disk, 3, ambient);
    writer.accept(simpleDecision(1));
    disk.reached.await();
    for (int seed = 2; seed <= 7; seed++) {
      writer.accept(simpleDecision(seed)); // three fit into the queue
    }
    assertThat(writer.dropped()).isEqualTo(3);
    disk.released.countDown();
    writer.close();
    assertThat(decisions(disk.content.toByteArray()))
        .extracting(LogItem.DecisionItem::id)
        .containsExactly("gen-1", "gen-2", "gen-3", "gen-4");
    assertThat(writer.written()).isEqualTo(4);
    assertThat(writer.dropped()).isEqualTo(3);
    assertThat(disk.isClosed).isTrue();
    ambient.assertNoThreadsLeft();
  }

  @Test
  @DisplayName("counts all decisions as dropped if the disk is full, and still closes the stream")
  void refused() throws Exception {
    var disk = new BlockedDisk();
    disk.isFull = true;
    var writer = DecisionLogWriter.toStream(disk, 10, ambient);
    writer.accept(simpleDecision(1));
    disk.reached.await();
    writer.accept(simpleDecision(2));
    disk.released.countDown();
    writer.close();
    writer.accept(simpleDecision(3));
    assertThat(writer.dropped()).isEqualTo(3);
    assertThat(writer.written()).isZero();
    assertThat(disk.isClosed).isTrue();
    ambient.assertNoThreadsLeft();
  }

  @Test
  @DisplayName("flushes when its queue is empty, not only when it is closed")
  void flushes() throws Exception {
    var disk = new BlockedDisk();
    disk.released.countDown();
    try (var writer = DecisionLogWriter.toStream(disk, 10, ambient)) {
      writer.accept(simpleDecision(1));
      disk.reached.await(); // written without a close
    }
    assertThat(decisions(disk.content.toByteArray())).hasSize(1);
  }

  @Test
  @DisplayName("appends to an existing log, also to one that ends inside a record")
  void appends(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("decisions.log");
    try (var writer = DecisionLogWriter.open(file, ambient)) {
      writer.accept(decision(CATALOG, withOpenBreaker(1, CATALOG, 0), 1));
    }
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length - 1));
    try (var writer = DecisionLogWriter.open(file, ambient)) {
      writer.accept(
          decision(CATALOG, withOpenBreaker(1, CATALOG, 1), 2)); // sequence numbers start again
    }
    byte[] both = Files.readAllBytes(file);
    assertThat(decisions(both)).extracting(LogItem.DecisionItem::id).containsExactly("gen-2");
    assertThat(damage(both)).hasSize(1);
    assertThat(TestLogs.replay(both, ReplayRouters.NONE).result().identical()).isEqualTo(1);
  }

  @Test
  @DisplayName("overwrites a file that ends inside the header, but never another file")
  void beginnings(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("decisions.log");
    Files.write(file, Arrays.copyOf(LogFrame.header(), 4));
    try (var writer = DecisionLogWriter.open(file, ambient)) {
      writer.accept(simpleDecision(1));
    }
    assertThat(decisions(Files.readAllBytes(file))).hasSize(1);

    Path other = Files.writeString(folder.resolve("notes.txt"), "Buy milk");
    assertThatThrownBy(() -> DecisionLogWriter.open(other, ambient))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is not a decision log");
    assertThat(other).hasContent("Buy milk");
  }

  @Test
  @DisplayName("writes a catalog and statistics once, then only changes of statistics")
  void once() throws Exception {
    Statistics first = withOpenBreaker(1, CATALOG, 0);
    Statistics second = withOpenBreaker(2, CATALOG, 0);
    byte[] log =
        log(
            List.of(
                decision(CATALOG, first, 1),
                decision(OTHER_CATALOG, Statistics.NONE, 2),
                decision(CATALOG, second, 3),
                decision(CATALOG, first, 4), // a request that took longer
                decision(OTHER_CATALOG, Statistics.NONE, 5)));
    assertThat(items(log))
        .extracting(item -> item.getClass().getSimpleName())
        .containsExactly(
            "CatalogItem",
            "StatisticsItem",
            "DecisionItem",
            "CatalogItem",
            "DecisionItem",
            "StatisticsItem",
            "DecisionItem",
            "DecisionItem",
            "DecisionItem");
  }

  @Test
  @DisplayName("writes at most 300 bytes for a simple decision")
  void size() throws Exception {
    String[] fifty =
        LongStream.range(0, 50).mapToObj(i -> "provider-" + i * 37).toArray(String[]::new);
    for (Catalog catalog : List.of(CATALOG, TestLogs.catalog("fifty", fifty))) {
      byte[] one = log(List.of(decision(catalog, Statistics.NONE, 1)));
      byte[] more =
          log(
              LongStream.rangeClosed(1, 101)
                  .mapToObj(seed -> decision(catalog, Statistics.NONE, seed * 0x9E3779B97F4A7C15L))
                  .toList());
      assertThat((more.length - one.length) / 100)
          .as("with %d endpoints", catalog.endpoints().size())
          .isBetween(50, 300);
    }
  }

  @Test
  @DisplayName("writes catalog and statistics again after a decision that could not be written")
  void unrecordable() throws Exception {
    LoggedDecision valid = decision(CATALOG, withOpenBreaker(1, CATALOG, 0), 1);
    var ending =
        new LoggedDecision.Ending(
            List.of(new TraceEntry.Skipped("acme/large@alpha", null, nullReason())),
            CallRecord.Outcome.COMPLETE,
            null);
    LoggedDecision invalid =
        new LoggedDecision(
            "gen-bad", CATALOG, valid.statistics(), valid.query(), valid.plan(), ending);
    var out = new ByteArrayOutputStream();
    long dropped;
    try (var writer = DecisionLogWriter.toStream(out, 10, ambient)) {
      writer.accept(invalid);
      writer.accept(valid);
      writer.close();
      dropped = writer.dropped();
    }
    assertThat(dropped).isEqualTo(1);
    assertThat(TestLogs.damage(out.toByteArray())).isEmpty();
    assertThat(TestLogs.decisions(out.toByteArray()))
        .extracting(LogItem.DecisionItem::id)
        .containsExactly("gen-1");
  }

  @SuppressWarnings("NullAway") // as code compiled without null checks may pass
  private static String nullReason() {
    return null;
  }
}
