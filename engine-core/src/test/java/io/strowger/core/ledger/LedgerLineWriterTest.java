package io.strowger.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.memory.MemoryLedgerStore;
import io.strowger.core.store.ForwardingLedgerStore;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.Posting;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.tck.TestAmbient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The writer of ledger lines")
class LedgerLineWriterTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final Generation RECORD =
      new Generation("gen-1", "account:default", NOON, new byte[] {1}, null);

  /** A store that refuses every record with {@code refusal}, and everything while it is down. */
  private static final class RecordRefusingStore extends ForwardingLedgerStore {
    private final List<Posting> accepted = new ArrayList<>();
    private @Nullable Throwable refusal;
    private boolean isDown;

    RecordRefusingStore() {
      super(new MemoryLedgerStore());
    }

    @Override
    public void append(Posting posting) {
      if (isDown) {
        throw new StoreUnavailableException("planted by the test", null);
      }
      if (posting.record() != null && refusal instanceof RuntimeException bug) {
        throw bug;
      }
      if (posting.record() != null && refusal instanceof Error error) {
        throw error;
      }
      accepted.add(posting);
    }
  }

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final RecordRefusingStore store = new RecordRefusingStore();
  private final LedgerLineWriter writer = new LedgerLineWriter(store, ambient);

  private static Posting posting() {
    var entry =
        new LedgerEntry(
            "gen-1",
            0,
            NOON,
            "acme/large@alpha",
            "",
            CallRecord.Outcome.COMPLETE,
            Usage.NONE,
            Charge.credits(new Usd(5)));
    return new Posting(List.of(entry), List.of(), RECORD);
  }

  @Test
  @DisplayName(
      "writes the lines without their record when the store refuses it with any exception or error")
  void refusedRecord() {
    store.refusal = new IllegalArgumentException("too large");
    writer.append(posting());
    store.refusal = new OutOfMemoryError("planted");
    writer.append(posting());
    assertThat(writer.failure()).isNull();
    assertThat(store.accepted).hasSize(2).allMatch(lines -> lines.record() == null);
  }

  @Test
  @DisplayName(
      "keeps the record of lines that wait for the store, unless the store refuses the record")
  void isDown() {
    store.isDown = true;
    writer.append(posting());
    writer.append(posting());
    assertThat(writer.failure()).isNotNull();
    store.isDown = false;
    writer.retry();
    assertThat(writer.failure()).isNull();
    assertThat(store.accepted).hasSize(2).allMatch(lines -> lines.record() != null);
    store.isDown = true;
    writer.append(posting());
    store.isDown = false;
    store.refusal = new IllegalArgumentException("too large");
    writer.retry();
    assertThat(writer.failure()).isNull();
    assertThat(store.accepted).hasSize(3);
    assertThat(store.accepted.getLast().record()).isNull();
  }
}
