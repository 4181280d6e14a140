package io.strowger.core.decisionlog;

import static io.strowger.core.decisionlog.TestLogs.CATALOG;
import static io.strowger.core.decisionlog.TestLogs.damage;
import static io.strowger.core.decisionlog.TestLogs.decision;
import static io.strowger.core.decisionlog.TestLogs.decisions;
import static io.strowger.core.decisionlog.TestLogs.items;
import static io.strowger.core.decisionlog.TestLogs.log;
import static io.strowger.core.decisionlog.TestLogs.withOpenBreaker;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.health.Statistics;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("A damaged decision log")
class DamagedLogTest {
  private byte[] log = {};

  /** The offsets at which the header and each record end. */
  private final List<Long> ends = new ArrayList<>();

  /** Writes six records: catalog, decision, statistics, decision, statistics, decision. */
  @BeforeEach
  void write() throws IOException {
    log =
        log(
            List.of(
                decision(CATALOG, Statistics.NONE, 1),
                decision(CATALOG, withOpenBreaker(1, CATALOG, 0), 2),
                decision(CATALOG, withOpenBreaker(2, CATALOG, 1), 3)));
    ends.add((long) LogFrame.header().length);
    var reader = new DecisionLogReader(new ByteArrayInputStream(log));
    while (reader.next() != null) {
      ends.add(reader.offset());
    }
    assertThat(ends).hasSize(7).last().isEqualTo((long) log.length);
  }

  @Test
  @DisplayName("that is cut anywhere returns every complete record, and the offset of the damage")
  void cut() throws IOException {
    for (int length = 0; length < log.length; length++) {
      List<LogItem> items = items(Arrays.copyOf(log, length));
      long complete = completeRecords(length);
      boolean isAtRecordEnd = ends.contains((long) length);
      assertThat(items)
          .as("cut to %d bytes", length)
          .hasSize((int) complete + (isAtRecordEnd ? 0 : 1));
      if (!isAtRecordEnd) {
        long start = complete < 0 || length < ends.get(0) ? 0 : ends.get((int) complete);
        assertThat(items.get(items.size() - 1))
            .isInstanceOfSatisfying(
                LogItem.Damage.class,
                damage -> {
                  assertThat(damage.offset()).isEqualTo(start);
                  assertThat(damage.description()).contains("ends inside");
                });
      }
    }
  }

  private long completeRecords(int length) {
    return Math.max(0, ends.stream().filter(end -> end <= length).count() - 1);
  }

  @Tag("full")
  @Test
  @DisplayName("with any byte changed reports its record, and returns every independent record")
  void changed() throws IOException {
    for (int at = LogFrame.header().length; at < log.length; at++) {
      byte[] changed = log.clone();
      changed[at] ^= 0x10;
      int record = (int) completeRecords(at); // index of the record that contains the byte
      long start = ends.get(record);
      List<LogItem.Damage> damage = damage(changed);
      assertThat(damage).as("byte %d", at).isNotEmpty();
      assertThat(damage.get(0).offset()).as("byte %d", at).isEqualTo(start);
      assertThat(decisions(changed)).as("byte %d", at).hasSize(readableDecisions(record));
    }
  }

  /**
   * Returns how many decisions can be read although a record is damaged. A later statistics record
   * contains only the changes since the earlier one.
   */
  private static int readableDecisions(int damagedRecord) {
    return switch (damagedRecord) {
      case 0 -> 0; // the catalog, which all decisions need
      case 2 -> 1; // the first statistics
      default -> 2;
    };
  }

  @Test
  @DisplayName("is read to its end if there is anything between two records")
  void junk() throws IOException {
    byte[] junk = "Õç not a record \u00d5".repeat(9000).getBytes(StandardCharsets.ISO_8859_1);
    int at = ends.get(2).intValue();
    byte[] mixed = new byte[log.length + junk.length];
    System.arraycopy(log, 0, mixed, 0, at);
    System.arraycopy(junk, 0, mixed, at, junk.length);
    System.arraycopy(log, at, mixed, at + junk.length, log.length - at);
    assertThat(decisions(mixed)).hasSize(3);
    assertThat(damage(mixed))
        .containsExactly(new LogItem.Damage(at, junk.length + " bytes are damaged"));
  }

  @Test
  @DisplayName("is reported in one sentence if it is no log or has another format version")
  void foreign() throws IOException {
    assertThat(items("{\"not\": \"a log\"}".getBytes(StandardCharsets.UTF_8)))
        .containsExactly(new LogItem.Damage(0, "is not a decision log"));
    assertThat(items("no".getBytes(StandardCharsets.UTF_8)))
        .containsExactly(new LogItem.Damage(0, "is not a decision log"));
    byte[] newer = log.clone();
    newer[LogFrame.header().length - 1] = 9;
    assertThat(items(newer))
        .containsExactly(
            new LogItem.Damage(0, "is a decision log of format 9, only 1 can be read"));
  }

  @Test
  @DisplayName("is read to its end if intact records have wrong content, and each is reported")
  void nonsense() throws IOException {
    byte[] tooShort = LogFrame.of(LogFrame.Kind.CATALOG, new byte[3]);
    byte[] unpackable = LogFrame.of(LogFrame.Kind.DECISION, Arrays.copyOf(hash(), 40));
    byte[] mixed = new byte[log.length + tooShort.length + unpackable.length];
    System.arraycopy(log, 0, mixed, 0, log.length);
    System.arraycopy(tooShort, 0, mixed, log.length, tooShort.length);
    System.arraycopy(unpackable, 0, mixed, log.length + tooShort.length, unpackable.length);
    assertThat(decisions(mixed)).hasSize(3);
    assertThat(damage(mixed))
        .extracting(LogItem.Damage::offset)
        .containsExactly((long) log.length, (long) log.length + tooShort.length);
    assertThat(damage(mixed).get(0).description())
        .isEqualTo("the record of a catalog is too short");
  }

  private static byte[] hash() {
    return LogEncoder.hash(CatalogJson.write(CATALOG).toBytes());
  }
}
