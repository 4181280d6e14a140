package io.strowger.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.memory.MemoryLedgerStore;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.GenerationStore.Generation;
import io.strowger.spi.store.LedgerEntry;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Posting;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.tck.TestAmbient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Writing lines down")
class LedgerLineWriterTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final Generation RECORD =
      new Generation("gen-1", "account:default", NOON, new byte[] {1}, null);

  /** Takes no record, and nothing while it is away. */
  private static final class Choosy implements LedgerStore {
    private final LedgerStore rest = new MemoryLedgerStore();
    private final List<Posting> taken = new ArrayList<>();
    private @Nullable Throwable refusal;
    private boolean away;

    @Override
    public void append(Posting posting) {
      if (away) {
        throw new StoreUnavailableException("away", null);
      }
      if (posting.record() != null && refusal instanceof RuntimeException bug) {
        throw bug;
      }
      if (posting.record() != null && refusal instanceof Error error) {
        throw error;
      }
      taken.add(posting);
    }

    @Override
    public Slice requestSlice(SliceRequest ask) {
      return rest.requestSlice(ask);
    }

    @Override
    public void returnUnused(Posting.Account account, boolean withByok, Usd keep) {
      rest.returnUnused(account, withByok, keep);
    }

    @Override
    public Map<Posting.Account, SpendingElsewhere> spendingElsewhere(
        Collection<Posting.Account> accounts) {
      return rest.spendingElsewhere(accounts);
    }

    @Override
    public List<LostNode> lostNodes() {
      return rest.lostNodes();
    }

    @Override
    public boolean release(String node) {
      return rest.release(node);
    }
  }

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final Choosy store = new Choosy();
  private final LedgerLineWriter journal = new LedgerLineWriter(store, ambient);

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
  @DisplayName("goes on without a record that the store does not take, whatever it throws")
  void poison() {
    store.refusal = new IllegalArgumentException("too large");
    journal.append(posting());
    store.refusal = new OutOfMemoryError("planted");
    journal.append(posting());
    assertThat(journal.failure()).isNull();
    assertThat(store.taken).hasSize(2).allMatch(lines -> lines.record() == null);
  }

  @Test
  @DisplayName("keeps the record of lines that wait for the store, unless it is why they fail")
  void away() {
    store.away = true;
    journal.append(posting());
    journal.append(posting());
    assertThat(journal.failure()).isNotNull();
    store.away = false;
    journal.retry();
    assertThat(journal.failure()).isNull();
    assertThat(store.taken).hasSize(2).allMatch(lines -> lines.record() != null);
    store.away = true;
    journal.append(posting());
    store.away = false;
    store.refusal = new IllegalArgumentException("too large");
    journal.retry();
    assertThat(journal.failure()).isNull();
    assertThat(store.taken).hasSize(3);
    assertThat(store.taken.getLast().record()).isNull();
  }
}
