package io.strowger.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.json.Json;
import io.strowger.spi.store.BatchQueue.LeaseOrder;
import io.strowger.spi.store.BatchStore.Batch;
import io.strowger.spi.store.BatchStore.Counts;
import io.strowger.spi.store.BatchStore.Phase;
import io.strowger.spi.store.BatchStore.Request;
import io.strowger.spi.store.BatchStore.Result;
import io.strowger.spi.store.BatchStore.UsageAndCost;
import io.strowger.spi.store.StoreRefusedException;
import io.strowger.spi.store.Stores;
import io.strowger.tck.BatchStoreContract;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Batches in memory")
class MemoryBatchesTest extends BatchStoreContract {
  private final MemoryStores stores = new MemoryStores();

  @Override
  protected Stores stores() {
    return stores;
  }

  private static Batch batch(String id) {
    return new Batch(
        id,
        "workspace",
        Phase.RECEIVING,
        "validating",
        Instant.EPOCH,
        Instant.EPOCH,
        1,
        Counts.NONE,
        Json.Obj.EMPTY);
  }

  @Test
  @DisplayName(
      "use a bounded part of the heap, which is free again when a batch's content is removed")
  void bounded() {
    var batches = new MemoryBatches(new MemoryGenerations(), 10_000);
    List<Request> large = List.of(new Request(0, "a", new byte[6000]));
    batches.add(batch("a"));
    batches.add(batch("b"));
    batches.addRequests("a", large);
    assertThatThrownBy(() -> batches.addRequests("b", large))
        .isInstanceOf(StoreRefusedException.class)
        .hasMessageContaining("10000 bytes")
        .hasMessageContaining("give the gateway a data directory");
    assertThat(batches.requests("b", 0, 9)).isEmpty();
    assertThat(batches.replace(batch("a").next(Phase.REMOVED, "", Instant.EPOCH, Json.Obj.EMPTY)))
        .isTrue();
    assertThat(batches.removeContent("a", 9, true)).isEqualTo(1);
    batches.addRequests("b", large);
    assertThat(batches.requests("b", 0, 9)).hasSize(1);
  }

  @Test
  @DisplayName("lease no request while there is no room for results")
  void room() {
    var batches = new MemoryBatches(new MemoryGenerations(), 10_000);
    Instant later = Instant.EPOCH.plusSeconds(9);
    batches.add(batch("a"));
    var two = List.of(new Request(0, "a", new byte[10]), new Request(1, "b", new byte[10]));
    batches.addRequests("a", two);
    Batch open = batch("a").next(Phase.OPEN, "", later, Json.Obj.EMPTY).withTotal(2);
    assertThat(batches.replace(open)).isTrue();
    var leased =
        batches.queue().lease(1, Instant.EPOCH, later, Instant.EPOCH, LeaseOrder.ROUND_ROBIN);
    assertThat(leased).hasSize(1);
    var large = new Result(true, "", new byte[20_000], UsageAndCost.NONE);
    assertThat(batches.queue().finish(leased.getFirst().lease(), large)).isTrue();
    assertThat(
            batches.queue().lease(1, Instant.EPOCH, later, Instant.EPOCH, LeaseOrder.ROUND_ROBIN))
        .isEmpty();
  }
}
