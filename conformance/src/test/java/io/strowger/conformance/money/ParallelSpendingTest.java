package io.strowger.conformance.money;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ledger.Ledger;
import io.strowger.spi.store.Stores;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.conformance.Proves;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Two hundred requests at once on a key that can pay for 25, its books kept in")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ParallelSpendingTest {
  private static final int CALLERS = 200;

  private final TestAmbient ambient = TestAmbient.realTime();
  private final EmptyStores empty = new EmptyStores();

  @AfterAll
  void close() throws Exception {
    empty.close();
  }

  @Proves({"resources.key.exhausted", "open.71"})
  @ParameterizedTest(name = "{0}: exactly 25 are served when a bill is as large as its hold")
  @EnumSource(EmptyStores.Kind.class)
  void exact(EmptyStores.Kind kind, @TempDir Path folder) throws Exception {
    try (Stores stores = empty.open(kind, folder, ambient);
        Till till = new Till(stores, ambient, 100)) {
      List<Integer> statuses = all(till);
      assertThat(statuses).containsOnly(200, 402);
      assertThat(statuses.stream().filter(status -> status == 200)).hasSize(Till.AFFORDABLE);
      assertThat(till.dispatched()).isEqualTo(Till.AFFORDABLE);
      Ledger.Balance balance = till.balance();
      assertThat(balance.settled().credits().nanos()).isEqualTo(Till.AFFORDABLE * Till.PRICE);
      assertThat(balance.held().credits().nanos()).isZero();
      assertThat(balance.overrun().nanos()).isZero();
    }
  }

  @Tag("full")
  @ParameterizedTest(name = "{0}: a provider that bills double overruns by what it billed too much")
  @EnumSource(EmptyStores.Kind.class)
  void overrun(EmptyStores.Kind kind, @TempDir Path folder) throws Exception {
    try (Stores stores = empty.open(kind, folder, ambient);
        Till till = new Till(stores, ambient, 200)) {
      List<Integer> statuses = all(till);
      long served = statuses.stream().filter(status -> status == 200).count();
      assertThat(served).isBetween(Till.AFFORDABLE / 2L, (long) Till.AFFORDABLE);
      assertThat(till.dispatched()).isEqualTo((int) served);
      Ledger.Balance balance = till.balance();
      assertThat(balance.settled().credits().nanos()).isEqualTo(2 * served * Till.PRICE);
      assertThat(balance.overrun().nanos()).isEqualTo(served * Till.PRICE);
      assertThat(balance.settled().credits().minus(balance.overrun()).nanos())
          .isLessThanOrEqualTo(Till.AFFORDABLE * Till.PRICE);
      assertThat(till.ask()).as("one more").isEqualTo(402);
    }
  }

  private List<Integer> all(Till till) throws InterruptedException {
    Queue<Integer> statuses = new ConcurrentLinkedQueue<>();
    var go = new CountDownLatch(1);
    var callers = new ArrayList<Thread>();
    for (int i = 0; i < CALLERS; i++) {
      callers.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      go.await();
                      statuses.add(till.ask());
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                  }));
    }
    go.countDown();
    for (Thread caller : callers) {
      caller.join();
    }
    return List.copyOf(statuses);
  }
}
