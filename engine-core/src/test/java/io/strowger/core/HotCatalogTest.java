package io.strowger.core;

import static io.strowger.tck.Given.request;
import static io.strowger.tck.Given.streaming;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.authentication.Caller;
import io.strowger.core.authentication.KeyRequirement;
import io.strowger.core.config.Plugins;
import io.strowger.core.health.Statistics;
import io.strowger.core.inference.Reply;
import io.strowger.core.ledger.Payer;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Event;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.store.Charge;
import io.strowger.spi.store.Period;
import io.strowger.tck.TestAmbient;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("A catalog that is replaced by reloads")
class HotCatalogTest {
  private static final int SWAPS = 3_000;
  private static final int REQUEST_THREADS = 3;
  private static final int EXPLAIN_THREADS = 1;
  private static final long POLL_NANOS = 20_000;
  private static final long TIMEOUT_NANOS = Duration.ofSeconds(10).toNanos();

  private final TestAmbient ambient = TestAmbient.realTime();
  private final TwoCatalogs catalogs = new TwoCatalogs();
  private final AtomicInteger swaps = new AtomicInteger();
  private final AtomicLong served = new AtomicLong();
  private final AtomicLong servedByA = new AtomicLong();
  private final AtomicLong acrossSwaps = new AtomicLong();
  private final AtomicLong explained = new AtomicLong();
  private final AtomicLong decided = new AtomicLong();

  /** Statistics of the catalogs so far; they must become unreachable after the last reload. */
  private final Queue<WeakReference<Statistics>> earlierStatistics = new ConcurrentLinkedQueue<>();

  private Gateway gateway() {
    return Gateway.builder(catalogs.a)
        .ambient(ambient)
        .provider(catalogs)
        .plugins(Plugins.none().add(catalogs).always("witness", Json.Obj.EMPTY))
        .decisions(
            decision -> {
              decided.incrementAndGet();
              catalogs.check(decision);
            })
        .sink(this::checkCompleted)
        .build();
  }

  /** Reports a call that did not complete. */
  private void checkCompleted(CallRecord record) {
    if (record.outcome() != CallRecord.Outcome.COMPLETE) {
      catalogs.mixtures.add(record + " failed: " + record.trace());
    }
  }

  private boolean isSwapping() {
    return swaps.get() < SWAPS;
  }

  /**
   * Sends a request, waits for two swaps after the first text, reads to the end, and checks that
   * the bill uses the price of the catalog that answered.
   */
  private void ask(Gateway gateway, Caller caller) {
    int before = swaps.get();
    Reply reply =
        gateway.inference().serve(caller, streaming(TwoCatalogs.MODEL, "x"), new Cancellation());
    if (!(reply instanceof Reply.Answered answered)) {
      catalogs.mixtures.add("refused: " + reply);
      return;
    }
    try (Reply.MeteredAnswer answer = answered.answer()) {
      String name = "";
      for (Event e = answer.next(); e != null; e = answer.next()) {
        if (e instanceof Event.TextDelta(var text, var template) && name.isEmpty()) {
          name = text.text();
          awaitTwoSwaps(before);
        }
      }
      long dollars = name.equals("a") ? TwoCatalogs.PRICE_A : TwoCatalogs.PRICE_B;
      var bill = answer.bill();
      catalogs.checkSame(
          "bill", new Usd(dollars * 1_000_000_000), bill == null ? "none" : bill.total());
      served.incrementAndGet();
      servedByA.addAndGet(name.equals("a") ? 1 : 0);
      acrossSwaps.addAndGet(swaps.get() - before > 1 ? 1 : 0);
    }
  }

  private void awaitTwoSwaps(int before) {
    long start = System.nanoTime();
    while (isSwapping() && swaps.get() < before + 2 && System.nanoTime() - start < TIMEOUT_NANOS) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private void explain(Gateway gateway) {
    Routing.Explanation explanation =
        gateway.routing().explain(request(TwoCatalogs.MODEL, "x"), explained.get());
    catalogs.check(explanation);
    if (explained.incrementAndGet() % 64 == 0) {
      earlierStatistics.add(new WeakReference<>(explanation.statistics()));
    }
  }

  private void swap(Gateway gateway) {
    while (isSwapping()) {
      gateway.reload(swaps.get() % 2 == 0 ? catalogs.b : catalogs.a);
      swaps.incrementAndGet();
    }
  }

  private static Charge heldMoney(Gateway gateway) {
    return gateway
        .ledger()
        .balance(Payer.account(List.of()), Period.LIFETIME, Instant.EPOCH)
        .held();
  }

  private void runUnderSwaps(Gateway gateway) throws InterruptedException {
    Caller caller =
        gateway.authenticator().admit("Bearer sk-app-0123456789", KeyRequirement.INFERENCE);
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < REQUEST_THREADS; i++) {
      threads.add(start(() -> whileSwapping(() -> ask(gateway, caller))));
    }
    for (int i = 0; i < EXPLAIN_THREADS; i++) {
      threads.add(start(() -> whileSwapping(() -> explain(gateway))));
    }
    threads.add(start(() -> swap(gateway)));
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Starts a platform thread, so that no task can keep the others from running. */
  private Thread start(Runnable task) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try {
                task.run();
              } catch (RuntimeException | Error e) {
                catalogs.mixtures.add("thread failed with " + e);
                swaps.set(SWAPS);
              }
            });
  }

  private void whileSwapping(Runnable action) {
    while (isSwapping()) {
      action.run();
    }
  }

  @Tag("full")
  @Test
  @DisplayName("is never mixed with another in a request, and is released when no request uses it")
  void whole() throws InterruptedException {
    long start = System.nanoTime();
    try (Gateway gateway = gateway()) {
      runUnderSwaps(gateway);
      System.err.printf(
          "%,d swaps in %.1f s under %,d requests, %,d of them across swaps, and %,d explanations;"
              + " %,d adapters created%n",
          swaps.get(),
          (System.nanoTime() - start) / 1e9,
          served.get(),
          acrossSwaps.get(),
          explained.get(),
          catalogs.adaptersCreated.get());
      assertThat(catalogs.mixtures).isEmpty();
      assertThat(acrossSwaps.get())
          .as("requests that ran across two swaps")
          .isGreaterThan(SWAPS / 10);
      assertThat(servedByA.get())
          .as("requests served by configuration a")
          .isBetween(1L, served.get() - 1);
      assertThat(decided.get()).isEqualTo(served.get());
      gateway.reload(catalogs.a);
      assertOthersClosed();
      assertThat(heldMoney(gateway)).isEqualTo(Charge.ZERO);
      assertReleased(gateway.routing().explain(request(TwoCatalogs.MODEL, "x"), 1).statistics());
    }
    assertThat(catalogs.adaptersOpen()).isZero();
    ambient.assertNoThreadsLeft();
  }

  /** Waits for the closing, which a gateway does in the background. */
  private void assertOthersClosed() {
    long start = System.nanoTime();
    while (catalogs.adaptersOpen() != 2 && System.nanoTime() - start < TIMEOUT_NANOS) {
      LockSupport.parkNanos(POLL_NANOS);
    }
    assertThat(catalogs.adaptersOpen()).as("adapters of the configuration in force").isEqualTo(2);
  }

  /** Asserts that only the statistics of the catalog in force are still reachable. */
  private void assertReleased(Statistics current) {
    assertThat(earlierStatistics).hasSizeGreaterThan(20);
    long start = System.nanoTime();
    while (countReachable(current) > 0 && System.nanoTime() - start < TIMEOUT_NANOS) {
      System.gc();
    }
    assertThat(countReachable(current)).as("earlier statistics still reachable").isZero();
  }

  /** Returns only a number, since a list of the statistics would keep them reachable. */
  private long countReachable(Statistics current) {
    return earlierStatistics.stream()
        .map(WeakReference::get)
        .filter(statistics -> statistics != null && statistics != current)
        .count();
  }

  @Test
  @DisplayName("is reported by the checks of this test if it is mixed with another one")
  void mixtureIsReported() {
    try (Gateway gateway = gateway()) {
      Routing.Explanation ofA = gateway.routing().explain(request(TwoCatalogs.MODEL, "x"), 1);
      gateway.reload(catalogs.b);
      Routing.Explanation ofB = gateway.routing().explain(request(TwoCatalogs.MODEL, "x"), 1);
      catalogs.check(ofA);
      catalogs.check(ofB);
      assertThat(catalogs.mixtures).isEmpty();
      catalogs.check(
          new Routing.Explanation(
              ofB.catalog(), ofA.statistics(), ofA.query(), ofA.plan(), "direct", ofA.trace()));
      assertThat(String.join("\n", catalogs.mixtures))
          .contains("query of", "statistics of 2", "facts of", " is not of catalog");
    }
  }
}
