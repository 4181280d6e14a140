package io.strowger.core.decisionlog;

import static io.strowger.core.decisionlog.LogWords.CATALOG;
import static io.strowger.core.decisionlog.LogWords.broken;
import static io.strowger.core.decisionlog.LogWords.damage;
import static io.strowger.core.decisionlog.LogWords.decision;
import static io.strowger.core.decisionlog.LogWords.decisions;
import static io.strowger.core.decisionlog.LogWords.items;
import static io.strowger.core.decisionlog.LogWords.log;
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
  private final List<Long> ends = new ArrayList<>(); // of the header and of each record

  /** Catalog, decision, statistics, decision, statistics, decision. */
  @BeforeEach
  void write() throws IOException {
    log =
        log(
            List.of(
                decision(CATALOG, Statistics.NONE, 1),
                decision(CATALOG, broken(1, CATALOG, 0), 2),
                decision(CATALOG, broken(2, CATALOG, 1), 3)));
    ends.add((long) LogFrame.header().length);
    var reader = new DecisionLogReader(new ByteArrayInputStream(log));
    while (reader.next() != null) {
      ends.add(reader.offset());
    }
    assertThat(ends).hasSize(7).last().isEqualTo((long) log.length);
  }

  @Test
  @DisplayName("that was cut anywhere gives every whole record, and says where the rest is missing")
  void cut() throws IOException {
    for (int length = 0; length < log.length; length++) {
      List<LogItem> items = items(Arrays.copyOf(log, length));
      long whole = wholeRecords(length);
      boolean atARecord = ends.contains((long) length);
      assertThat(items).as("cut to %d bytes", length).hasSize((int) whole + (atARecord ? 0 : 1));
      if (!atARecord) {
        long begun = whole < 0 || length < ends.get(0) ? 0 : ends.get((int) whole);
        assertThat(items.get(items.size() - 1))
            .isInstanceOfSatisfying(
                LogItem.Damage.class,
                damage -> {
                  assertThat(damage.offset()).isEqualTo(begun);
                  assertThat(damage.description()).contains("ends inside");
                });
      }
    }
  }

  private long wholeRecords(int length) {
    return Math.max(0, ends.stream().filter(end -> end <= length).count() - 1);
  }

  @Tag("full")
  @Test
  @DisplayName("with any byte changed says where, and gives every record that does not need it")
  void changed() throws IOException {
    for (int at = LogFrame.header().length; at < log.length; at++) {
      byte[] changed = log.clone();
      changed[at] ^= 0x10;
      int record = (int) wholeRecords(at); // the record it is in, from 0
      long begins = ends.get(record);
      List<LogItem.Damage> damage = damage(changed);
      assertThat(damage).as("byte %d", at).isNotEmpty();
      assertThat(damage.get(0).offset()).as("byte %d", at).isEqualTo(begins);
      assertThat(decisions(changed)).as("byte %d", at).hasSize(surviving(record));
    }
  }

  /** A later statistics record says what changed since the earlier one. */
  private static int surviving(int damagedRecord) {
    return switch (damagedRecord) {
      case 0 -> 0; // the catalog, which all are about
      case 2 -> 1; // the first statistics
      default -> 2;
    };
  }

  @Test
  @DisplayName("is read on behind whatever is between two records")
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
  @DisplayName("that is none, or one of another format, is told in a sentence")
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
  @DisplayName("whose sound records are not what they should be says so of each and reads on")
  void nonsense() throws IOException {
    byte[] nothing = LogFrame.of(LogFrame.Kind.CATALOG, new byte[3]);
    byte[] unpackable = LogFrame.of(LogFrame.Kind.DECISION, Arrays.copyOf(hash(), 40));
    byte[] whole = new byte[log.length + nothing.length + unpackable.length];
    System.arraycopy(log, 0, whole, 0, log.length);
    System.arraycopy(nothing, 0, whole, log.length, nothing.length);
    System.arraycopy(unpackable, 0, whole, log.length + nothing.length, unpackable.length);
    assertThat(decisions(whole)).hasSize(3);
    assertThat(damage(whole))
        .extracting(LogItem.Damage::offset)
        .containsExactly((long) log.length, (long) log.length + nothing.length);
    assertThat(damage(whole).get(0).description())
        .isEqualTo("the record of a catalog is too short");
  }

  private static byte[] hash() {
    return LogEncoder.hash(CatalogJson.write(CATALOG).toBytes());
  }
}
