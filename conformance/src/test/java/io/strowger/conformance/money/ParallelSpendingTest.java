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

@DisplayName("Two hundred requests at once on a key that can pay for 25, its ledger in")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ParallelSpendingTest {
  private static final int CALLERS = 200;

  private final TestAmbient ambient = TestAmbient.realTime();
  private final EmptyStores emptyStores = new EmptyStores();

  @AfterAll
  void close() throws Exception {
    emptyStores.close();
  }

  @Proves({"resources.key.exhausted", "open.71"})
  @ParameterizedTest(name = "{0}: exactly 25 are served when a bill is as large as its hold")
  @EnumSource(EmptyStores.Kind.class)
  void exact(EmptyStores.Kind kind, @TempDir Path folder) throws Exception {
    try (Stores stores = emptyStores.open(kind, folder, ambient);
        LimitedKeyGateway gateway = new LimitedKeyGateway(stores, ambient, 100)) {
      List<Integer> statuses = askAtOnce(gateway);
      assertThat(statuses).containsOnly(200, 402);
      assertThat(statuses.stream().filter(status -> status == 200))
          .hasSize(LimitedKeyGateway.AFFORDABLE);
      assertThat(gateway.dispatched()).isEqualTo(LimitedKeyGateway.AFFORDABLE);
      Ledger.Balance balance = gateway.balance();
      assertThat(balance.settled().credits().nanos())
          .isEqualTo(LimitedKeyGateway.AFFORDABLE * LimitedKeyGateway.PRICE);
      assertThat(balance.held().credits().nanos()).isZero();
      assertThat(balance.overrun().nanos()).isZero();
    }
  }

  @Tag("full")
  @ParameterizedTest(
      name = "{0}: a provider that reports twice the tokens overruns the holds by the excess")
  @EnumSource(EmptyStores.Kind.class)
  void overrun(EmptyStores.Kind kind, @TempDir Path folder) throws Exception {
    try (Stores stores = emptyStores.open(kind, folder, ambient);
        LimitedKeyGateway gateway = new LimitedKeyGateway(stores, ambient, 200)) {
      List<Integer> statuses = askAtOnce(gateway);
      long served = statuses.stream().filter(status -> status == 200).count();
      assertThat(served)
          .isBetween(LimitedKeyGateway.AFFORDABLE / 2L, (long) LimitedKeyGateway.AFFORDABLE);
      assertThat(gateway.dispatched()).isEqualTo((int) served);
      Ledger.Balance balance = gateway.balance();
      assertThat(balance.settled().credits().nanos())
          .isEqualTo(2 * served * LimitedKeyGateway.PRICE);
      assertThat(balance.overrun().nanos()).isEqualTo(served * LimitedKeyGateway.PRICE);
      assertThat(balance.settled().credits().minus(balance.overrun()).nanos())
          .isLessThanOrEqualTo(LimitedKeyGateway.AFFORDABLE * LimitedKeyGateway.PRICE);
      assertThat(gateway.ask()).as("another request").isEqualTo(402);
    }
  }

  private List<Integer> askAtOnce(LimitedKeyGateway gateway) throws InterruptedException {
    Queue<Integer> statuses = new ConcurrentLinkedQueue<>();
    var start = new CountDownLatch(1);
    var callers = new ArrayList<Thread>();
    for (int i = 0; i < CALLERS; i++) {
      callers.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      start.await();
                      statuses.add(gateway.ask());
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                  }));
    }
    start.countDown();
    for (Thread caller : callers) {
      caller.join();
    }
    return List.copyOf(statuses);
  }
}
