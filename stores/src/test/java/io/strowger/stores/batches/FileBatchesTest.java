package io.strowger.stores.batches;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.BatchQueue.BillingStatus;
import io.strowger.spi.store.BatchQueue.LeaseOrder;
import io.strowger.spi.store.BatchQueue.LeasedRequest;
import io.strowger.spi.store.BatchStore;
import io.strowger.spi.store.BatchStore.Batch;
import io.strowger.spi.store.BatchStore.Counts;
import io.strowger.spi.store.BatchStore.Phase;
import io.strowger.spi.store.BatchStore.Request;
import io.strowger.spi.store.Stores;
import io.strowger.stores.FileExtension;
import io.strowger.tck.BatchStoreContract;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("Batches in a file")
class FileBatchesTest extends BatchStoreContract {
  @RegisterExtension static final FileExtension FILE = new FileExtension();

  @Override
  protected Stores stores() {
    return FILE.stores();
  }

  @Override
  protected Stores later() {
    FILE.close();
    return stores();
  }

  @Test
  @DisplayName("are the same for the next process: requests, leases and claims")
  void reopened() {
    Instant now = Instant.parse("2026-11-21T12:00:00Z");
    Instant ends = now.plusSeconds(60);
    Instant never = Instant.parse("2200-01-01T00:00:00Z");
    BatchStore store = stores().batches();
    var batch =
        new Batch("again", "w", Phase.RECEIVING, "s", now, never, 1, Counts.NONE, Json.Obj.EMPTY);
    store.add(batch);
    var request = new Request(0, "a", new byte[] {'{', '}'});
    store.addRequests("again", List.of(request));
    Batch open = batch.next(Phase.OPEN, "s", never, Json.Obj.EMPTY).withTotal(1);
    assertThat(store.replace(open)).isTrue();
    LeasedRequest leased =
        store.queue().lease(1, now, ends, now, LeaseOrder.ROUND_ROBIN).getFirst();
    assertThat(store.queue().claim(leased.lease(), "gen-batch-again", new Usd(7))).isTrue();
    BatchStore again = later().batches();
    assertThat(again.queue().lease(1, now, ends, now, LeaseOrder.ROUND_ROBIN)).isEmpty();
    assertThat(again.queue().renew(List.of(leased.lease()), ends)).containsExactly(leased.lease());
    LeasedRequest next =
        again.queue().lease(1, ends, never, now, LeaseOrder.ROUND_ROBIN).getFirst();
    assertThat(next)
        .isEqualTo(new LeasedRequest(next.lease(), open, request, 0, BillingStatus.NOT_BILLED, 7))
        .isNotEqualTo(leased);
    assertThat(again.replace(open.next(Phase.REMOVED, "s", never, Json.Obj.EMPTY))).isTrue();
    assertThat(again.removeContent("again", 9, true)).isEqualTo(1);
  }
}
