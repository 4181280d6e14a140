package io.strowger.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.memory.MemoryStores;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.GenerationStore;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Posting;
import io.strowger.spi.store.Stores;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A page of keys")
class KeyListingTest {
  private static final int KEYS = 30;

  private final AtomicInteger questions = new AtomicInteger();
  private final Calls calls = new Calls(new Counting(new MemoryStores(), questions));

  /** OtherSpending every account has spent as many dollars as its name is long. */
  private record Counting(Stores of, AtomicInteger questions) implements Stores {
    @Override
    public DocumentStore documents() {
      return of.documents();
    }

    @Override
    public io.strowger.spi.store.BatchStore batches() {
      return of.batches();
    }

    @Override
    public io.strowger.spi.store.AuditStore audit() {
      return of.audit();
    }

    @Override
    public GenerationStore generations() {
      return of.generations();
    }

    @Override
    public LedgerStore ledger() {
      return new Books(of.ledger(), questions);
    }

    @Override
    public void close() {
      of.close();
    }
  }

  private record Books(LedgerStore of, AtomicInteger questions) implements LedgerStore {
    @Override
    public Slice requestSlice(SliceRequest ask) {
      return of.requestSlice(ask);
    }

    @Override
    public void returnUnused(Posting.Account account, boolean withByok, Usd keep) {
      of.returnUnused(account, withByok, keep);
    }

    @Override
    public void append(Posting posting) {
      of.append(posting);
    }

    @Override
    public Map<Posting.Account, SpendingElsewhere> spendingElsewhere(
        Collection<Posting.Account> accounts) {
      questions.incrementAndGet();
      Map<Posting.Account, SpendingElsewhere> found = new HashMap<>();
      for (Posting.Account account : accounts) {
        Usd spent = new Usd(account.window().length() * 1_000_000_000L);
        found.put(account, new SpendingElsewhere(Charge.credits(spent), Instant.EPOCH));
      }
      return found;
    }

    @Override
    public List<LostNode> lostNodes() {
      return of.lostNodes();
    }

    @Override
    public boolean release(String node) {
      return of.release(node);
    }
  }

  private Json.Arr list() {
    WireResponse listed = calls.call("GET", "/keys").key("sk-admin").send();
    return Objects.requireNonNull(Calls.json(listed).list("data"));
  }

  @Test
  @DisplayName("asks the books once, however many keys it has, and gives each period its own")
  void once() {
    for (int i = 0; i < KEYS; i++) {
      calls.call("POST", "/keys").key("sk-admin").body("{\"name\":\"n\"}").send();
    }
    questions.set(0);
    Json.Arr listed = list();
    assertThat(questions).hasValue(1);
    assertThat(listed.size()).isEqualTo(KEYS + 2);
    for (int i = 0; i < listed.size(); i++) {
      Json.Obj key = (Json.Obj) listed.get(i);
      assertThat(key.get("usage")).as("all").isEqualTo(Json.of(3));
      assertThat(key.get("usage_daily")).as("2023-11-14").isEqualTo(Json.of(10));
      assertThat(key.get("usage_weekly")).as("2023-W46").isEqualTo(Json.of(8));
      assertThat(key.get("usage_monthly")).as("2023-11").isEqualTo(Json.of(7));
    }
  }

  @Test
  @DisplayName("that is empty asks nothing")
  void empty() {
    calls.call("GET", "/keys").query("offset=50").key("sk-admin").send();
    assertThat(questions).hasValue(0);
  }
}
