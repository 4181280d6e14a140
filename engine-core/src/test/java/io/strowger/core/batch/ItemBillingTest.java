package io.strowger.core.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.inference.BatchItem.PartialBill;
import io.strowger.core.memory.MemoryStores;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.BatchQueue;
import io.strowger.spi.store.BatchQueue.BillingStatus;
import io.strowger.spi.store.BatchQueue.LeaseOrder;
import io.strowger.spi.store.BatchQueue.LeasedRequest;
import io.strowger.spi.store.BatchStore;
import io.strowger.spi.store.BatchStore.Batch;
import io.strowger.spi.store.BatchStore.Counts;
import io.strowger.spi.store.BatchStore.Phase;
import io.strowger.spi.store.BatchStore.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The bill of a request in a batch")
class ItemBillingTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final Instant NEVER = Instant.parse("2200-01-01T00:00:00Z");
  private static final Duration LEASE = Duration.ofMinutes(1);

  private final BatchStore store = new MemoryStores().batches();
  private final BatchQueue queue = store.queue();

  private LeasedRequest lease(Instant now) {
    return queue
        .lease(1, now, now.plus(LEASE), now.minus(LEASE), LeaseOrder.ROUND_ROBIN)
        .getFirst();
  }

  private LeasedRequest leaseFirst() {
    var batch =
        new Batch(
            "b", "w", Phase.RECEIVING, "validating", NOON, NEVER, 1, Counts.NONE, Json.Obj.EMPTY);
    store.add(batch);
    store.addRequests("b", List.of(new Request(0, "c", new byte[] {'{', '}'})));
    store.replace(batch.next(Phase.OPEN, "in_progress", NEVER, Json.Obj.EMPTY).withTotal(1));
    return lease(NOON);
  }

  private ItemBilling billing(LeasedRequest leased) {
    return new ItemBilling(queue, leased.lease(), "gen-batch-1", leased.billingStatus());
  }

  private static PartialBill part(long billed, long held) {
    return new PartialBill(new Usd(billed), new Usd(held), false);
  }

  @Test
  @DisplayName("of several parts is known to a later worker, whose answer is free")
  void parts() {
    LeasedRequest first = leaseFirst();
    ItemBilling billing = billing(first);
    assertThat(billing.claimBilling(part(5, 9))).isTrue();
    assertThat(billing.claimBilling(part(0, 9))).as("nothing to claim").isTrue();
    assertThat(billing.claimBilling(part(7, 4))).isTrue();
    assertThat(billing.billedNanoUsd()).isEqualTo(12);
    assertThat(billing.overrunNanoUsd()).isEqualTo(3);

    LeasedRequest later = lease(NOON.plus(LEASE));
    assertThat(later.billingStatus()).isEqualTo(BillingStatus.BILLED);
    assertThat(later.claimedNanoUsd()).isEqualTo(12);
    ItemBilling second = billing(later);
    assertThat(second.claimBilling(part(5, 9))).isFalse();
    assertThat(second.isRefused()).as("the later answer may become the result").isFalse();
    assertThat(second.billedNanoUsd()).isZero();
  }

  @Test
  @DisplayName("does not grow after another worker has leased the request and knows the bill")
  void lostBetweenParts() {
    ItemBilling billing = billing(leaseFirst());
    assertThat(billing.claimBilling(part(5, 9))).isTrue();
    LeasedRequest later = lease(NOON.plus(LEASE));
    assertThat(billing.claimBilling(part(7, 9))).isFalse();
    assertThat(billing.billedNanoUsd()).isEqualTo(5).isEqualTo(later.claimedNanoUsd());
    assertThat(billing.isRefused()).as("the billed part has a record").isFalse();
  }

  @Test
  @DisplayName("is zero if another worker has leased the request before the first part")
  void lostBefore() {
    ItemBilling billing = billing(leaseFirst());
    lease(NOON.plus(LEASE));
    assertThat(billing.claimBilling(part(5, 9))).isFalse();
    assertThat(billing.isRefused()).isTrue();
    assertThat(billing.billedNanoUsd()).isZero();
  }
}
