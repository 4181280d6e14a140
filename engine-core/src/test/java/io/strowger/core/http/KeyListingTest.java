package io.strowger.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.memory.MemoryStores;
import io.strowger.core.store.ForwardingLedgerStore;
import io.strowger.core.store.ForwardingStores;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.LedgerStore;
import io.strowger.spi.store.Posting;
import io.strowger.spi.store.Stores;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A page of keys")
class KeyListingTest {
  private static final int KEYS = 30;

  private final AtomicInteger reads = new AtomicInteger();
  private final TestHttpApi api = new TestHttpApi(new CountingStores(new MemoryStores(), reads));

  /**
   * On other nodes, every account has spent as many dollars as the name of its window has
   * characters.
   */
  private static final class CountingStores extends ForwardingStores {
    private final AtomicInteger reads;

    CountingStores(Stores delegate, AtomicInteger reads) {
      super(delegate);
      this.reads = reads;
    }

    @Override
    public LedgerStore ledger() {
      return new CountingLedgerStore(super.ledger(), reads);
    }
  }

  private static final class CountingLedgerStore extends ForwardingLedgerStore {
    private final AtomicInteger reads;

    CountingLedgerStore(LedgerStore delegate, AtomicInteger reads) {
      super(delegate);
      this.reads = reads;
    }

    @Override
    public Map<Posting.Account, SpendingElsewhere> spendingElsewhere(
        Collection<Posting.Account> accounts) {
      reads.incrementAndGet();
      Map<Posting.Account, SpendingElsewhere> found = new HashMap<>();
      for (Posting.Account account : accounts) {
        Usd spent = new Usd(account.window().length() * 1_000_000_000L);
        found.put(account, new SpendingElsewhere(Charge.credits(spent), Instant.EPOCH));
      }
      return found;
    }
  }

  private Json.Arr list() {
    WireResponse listed = api.call("GET", "/keys").key("sk-admin").send();
    return Objects.requireNonNull(TestHttpApi.json(listed).list("data"));
  }

  @Test
  @DisplayName(
      "reads the books once, however many keys it has, and shows the amount of each period")
  void once() {
    for (int i = 0; i < KEYS; i++) {
      api.call("POST", "/keys").key("sk-admin").body("{\"name\":\"n\"}").send();
    }
    reads.set(0);
    Json.Arr listed = list();
    assertThat(reads).hasValue(1);
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
  @DisplayName("that is empty reads no books")
  void empty() {
    api.call("GET", "/keys").query("offset=50").key("sk-admin").send();
    assertThat(reads).hasValue(0);
  }
}
